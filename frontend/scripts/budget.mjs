// Fails when the first screen's JavaScript or a lazily loaded chunk has grown over its budget (gzip, as the server sends it).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const FIRST_SCREEN_KB = 250;
const LAZY_CHUNK_KB = 130;

const dist = new URL('../dist/', import.meta.url).pathname;
const html = readFileSync(join(dist, 'index.html'), 'utf8');
const sizeKb = (name) => gzipSync(readFileSync(join(dist, 'assets', name))).length / 1000;
const scripts = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js'));

/** A module's static imports are loaded with it. */
function withImports(name, seen = new Set()) {
  if (seen.has(name)) return seen;
  seen.add(name);
  const text = readFileSync(join(dist, 'assets', name), 'utf8');
  for (const match of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) withImports(match[1], seen);
  return seen;
}

const entries = [...html.matchAll(/assets\/([^"]+\.js)/g)].map((match) => match[1]);
const first = new Set(entries.flatMap((name) => [...withImports(name)]));
// The Jobs page is what opens first, though it is loaded lazily like every page.
for (const name of scripts) if (/^JobsPage-/.test(name)) for (const part of withImports(name)) first.add(part);

const total = [...first].reduce((sum, name) => sum + sizeKb(name), 0);
const over = [];
console.log(`first screen: ${total.toFixed(1)} kB gzip of ${FIRST_SCREEN_KB}`);
if (total > FIRST_SCREEN_KB) over.push('first screen');
for (const name of scripts.filter((name) => !first.has(name))) {
  const kb = sizeKb(name);
  if (kb > LAZY_CHUNK_KB / 10) console.log(`lazy ${name}: ${kb.toFixed(1)} kB gzip of ${LAZY_CHUNK_KB}`);
  if (kb > LAZY_CHUNK_KB) over.push(name);
}
if (over.length > 0) {
  console.error(`over budget: ${over.join(', ')}`);
  process.exit(1);
}
