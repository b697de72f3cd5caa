// Generates src/api/generated/ from ../schema/*.graphql and the graphql(`…`) documents in src/. `--check` fails when it is stale.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import {
  buildSchema,
  concatAST,
  getLocation,
  introspectionFromSchema,
  NoUnusedFragmentsRule,
  parse,
  Source,
  specifiedRules,
  validate,
} from 'graphql';

const root = new URL('..', import.meta.url).pathname;
const schemaDir = join(root, '../schema');
const outDir = join(root, 'src/api/generated/');
const check = process.argv.includes('--check');

const sdl = readdirSync(schemaDir)
  .filter((name) => name.endsWith('.graphql'))
  .sort()
  .map((name) => readFileSync(join(schemaDir, name), 'utf8'))
  .join('\n');
const schema = buildSchema(sdl);

function findDocuments() {
  const found = [];
  for (const file of readdirSync(join(root, 'src'), { recursive: true }).sort()) {
    if (!/\.tsx?$/.test(file) || file.startsWith('api/generated/') || /\.test\.tsx?$/.test(file)) continue;
    const text = readFileSync(join(root, 'src', file), 'utf8');
    for (const match of text.matchAll(/\bgraphql\(\s*(?:\/\*.*?\*\/)?\s*`([^`]*)`\s*,?\s*\)/g)) {
      const line = text.slice(0, match.index + match[0].indexOf('`')).split('\n').length;
      const source = new Source(match[1], `src/${file}`, { line, column: 1 });
      found.push({ location: join('src', file), rawSDL: match[1], document: parse(source) });
    }
  }
  return found;
}

function explain(error) {
  const at = error.nodes?.[0]?.loc;
  if (!at) return error.message;
  const { line } = getLocation(at.source, at.start);
  return `${at.source.name}:${line + at.source.locationOffset.line - 1}: ${error.message}`;
}

/** What graphcache needs of the schema: object types, their fields and whether they may be null. No descriptions. */
function smallIntrospection() {
  const full = introspectionFromSchema(schema, { descriptions: false });
  const type = (t) => (t.ofType ? { kind: t.kind, ofType: type(t.ofType) } : { kind: t.kind, name: t.name });
  const types = full.__schema.types
    .filter((t) => t.kind === 'OBJECT' && !t.name.startsWith('__'))
    .map((t) => ({
      kind: t.kind,
      name: t.name,
      interfaces: [],
      fields: t.fields.map((f) => ({
        name: f.name,
        type: type(f.type),
        args: f.args.map((a) => ({ name: a.name, type: type(a.type) })),
      })),
    }));
  const rootNames = { queryType: 'Query', mutationType: 'Mutation', subscriptionType: 'Subscription' };
  const roots = Object.fromEntries(Object.entries(rootNames).map(([key, name]) => [key, { name }]));
  return `${JSON.stringify({ __schema: { ...roots, types } })}\n`;
}

const documents = findDocuments();
const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule);
const errors = validate(schema, concatAST(documents.map((d) => d.document)), rules);
if (errors.length > 0) {
  for (const error of errors) console.error(explain(error));
  process.exit(1);
}

const outputs = await preset.buildGeneratesSection({
  schema: parse(sdl),
  schemaAst: schema,
  documents,
  baseOutputDir: outDir,
  plugins: [],
  pluginMap: {},
  pluginContext: {},
  profiler: { run: (f) => f() },
  config: {
    useTypeImports: true,
    enumsAsTypes: true,
    strictScalars: true,
    defaultScalarType: 'unknown',
    scalars: { Time: 'string', JSON: 'unknown', Long: 'number' },
  },
  presetConfig: { fragmentMasking: false },
});
const files = await Promise.all(
  outputs.map(async (o) => [o.filename, await codegen({ ...o, documents: o.documents ?? documents })]),
);
files.push([join(outDir, 'introspection.json'), smallIntrospection()]);

let stale = 0;
for (const [name, text] of files) {
  if (!check) {
    mkdirSync(dirname(name), { recursive: true });
    writeFileSync(name, text);
  } else if (!existsSync(name) || readFileSync(name, 'utf8') !== text) {
    console.error(`stale: ${relative(root, name)} (run “npm run codegen”)`);
    stale++;
  }
}
console.log(`${documents.length} documents, ${files.length} files`);
process.exit(stale > 0 ? 1 : 0);
