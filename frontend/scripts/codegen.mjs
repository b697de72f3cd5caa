// Generates src/api/generated/ from ../schema/*.graphql and the graphql(`…`) documents in src/. `--check` fails when it is stale.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import {
  buildSchema,
  concatAST,
  getLocation,
  isObjectType,
  NoUnusedFragmentsRule,
  parse,
  print,
  Source,
  specifiedRules,
  stripIgnoredCharacters,
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

/** The types without an id: in the cache they are part of whatever holds them. */
function embeddedTypes() {
  const names = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && !type.name.startsWith('__') && !type.getFields().id)
    .map((type) => type.name)
    .sort();
  const list = names.map((name) => `  '${name}',\n`).join('');
  return `/* eslint-disable */\n/** Types without an id. */\nexport const EMBEDDED_TYPES = [\n${list}] as const;\n`;
}

/**
 * The preset writes every document as a parsed tree, each with all its fragments again: most of it is braces. Here they become text,
 * with every fragment once, and are parsed in the browser.
 */
function documentsAsText(source) {
  const fragments = new Map();
  const text = (definition) => stripIgnoredCharacters(print(definition));
  const documentLine = /^export const (\w+) = (\{"kind":"Document".*\}) as unknown as (DocumentNode<.*>);$/gm;
  const lines = source.replace(documentLine, (_, name, json, type) => {
    const parts = JSON.parse(json).definitions.map((definition) => {
      if (definition.kind === 'OperationDefinition') return JSON.stringify(text(definition));
      fragments.set(definition.name.value, text(definition));
      return `fragment${definition.name.value}`;
    });
    return `export const ${name} = /*#__PURE__*/ gql(${parts.join(' + ')}) as ${type};`;
  });
  const constants = [...fragments].map(([name, body]) => `const fragment${name} = ${JSON.stringify(body)};\n`).join('');
  const firstDocument = lines.indexOf('export const ');
  return `import { gql } from 'urql';\n${lines.slice(0, firstDocument)}${constants}${lines.slice(firstDocument)}`;
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
const graphqlFile = files.find(([name]) => name.endsWith('/graphql.ts'));
graphqlFile[1] = documentsAsText(graphqlFile[1]);
files.push([join(outDir, 'embedded.ts'), embeddedTypes()]);

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
