import { describe, expect, it } from 'vitest';
import { KNOWN_EVENT_TYPES } from '@/jobs/eventText';
import { KNOWN_EXIT_CODES } from '@/jobs/failure';
import en from './en';
import ja from './ja';

type Tree = { [key: string]: string | Tree };

function flatten(tree: Tree, prefix = ''): Map<string, string> {
  const all = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') all.set(prefix + key, value);
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) all.set(inner, text);
  }
  return all;
}

const english = flatten(en);
const japanese = flatten(ja);
const files = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!../api/generated/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const source = Object.values(files).join('\n');

const plural = (key: string) => key.replace(/_(one|other)$/, '');
const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map((match) => match[1]).sort();

/** Written in the source as it is, or as a template with a changing end: t(`jobs.phase.${phase}`). */
function isUsed(key: string): boolean {
  const name = plural(key);
  if (source.includes(`'${name}'`) || source.includes(`\`${name}\``)) return true;
  const parts = name.split('.');
  for (let n = parts.length - 1; n > 0; n--) {
    if (source.includes(`\`${parts.slice(0, n).join('.')}.\${`)) return true;
  }
  const words = name.split('_');
  return words.some((_, n) => n > 0 && source.includes(`\`${words.slice(0, n).join('_')}_\${`));
}

describe('catalogues', () => {
  it('say the same in both languages: no text without its Japanese, none too many', () => {
    const wanted = new Set([...english.keys()].filter((key) => !key.endsWith('_one')));
    expect([...wanted].filter((key) => !japanese.has(key))).toEqual([]);
    expect([...japanese.keys()].filter((key) => !wanted.has(key))).toEqual([]);
  });

  it('have no text that is not used', () => {
    expect([...english.keys()].filter((key) => !isUsed(key))).toEqual([]);
  });

  it('leave nothing untranslated', () => {
    const sameOnPurpose = /^[\p{P}\p{S}\d\s]*(\{\{[^}]*\}\}[\p{P}\p{S}\d\s]*)*$|^[A-Za-z0-9 {}.,/×:()_-]+$/u;
    const untranslated = [...japanese].filter(([key, text]) => text === english.get(key) && !sameOnPurpose.test(text));
    expect(untranslated).toEqual([]);
  });

  it('put in the same values', () => {
    const different = [...japanese]
      .filter(([key, text]) => String(placeholders(text)) !== String(placeholders(english.get(key) ?? '')))
      .map(([key]) => key);
    expect(different).toEqual([]);
  });

  it('know every event type and exit code', () => {
    const types = flatten(en.events);
    const missing = KNOWN_EVENT_TYPES.filter(
      (type) => ![...types.keys()].some((key) => plural(key) === type || key.startsWith(`${type}_`)),
    );
    expect(missing).toEqual([]);
    expect(Object.keys(en.jobs.exitCode)).toEqual(KNOWN_EXIT_CODES.map(String));
  });
});
