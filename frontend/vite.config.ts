import { readFileSync, writeFileSync } from 'node:fs';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Where the server runs during development. */
const server = process.env.NIGHTSHIFT_URL ?? 'http://127.0.0.1:8420';
const placeholder = new URL('./dist/placeholder.html', import.meta.url);

/** The tracked placeholder lets the server be built without Node; emptying dist must not delete it. */
function keepPlaceholder(): Plugin {
  let text: Buffer;
  return {
    name: 'keep-placeholder',
    apply: 'build',
    buildStart() {
      text = readFileSync(placeholder);
    },
    closeBundle() {
      if (text) writeFileSync(placeholder, text);
    },
  };
}

/**
 * graphql(`query Jobs …`) in the source becomes the generated JobsDocument: without it every document is in the program three times,
 * once where it is written, once as the key it is found by, and once as itself.
 */
function generatedDocuments(): Plugin {
  const call = /\bgraphql\(\s*`\s*(query|mutation|subscription|fragment)\s+(\w+)[^`]*`\s*,?\s*\)/g;
  return {
    name: 'generated-documents',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/src\/.*\.tsx?$/.test(id) || id.includes('/generated/') || !code.includes('graphql(`')) return null;
      const names = new Set<string>();
      const replaced = code.replace(call, (_, kind: string, name: string) => {
        const document = kind === 'fragment' ? `${name}FragmentDoc` : `${name}Document`;
        names.add(document);
        return document;
      });
      if (names.size === 0) return null;
      const imports = `import { ${[...names].join(', ')} } from '@/api/generated/graphql';`;
      return { code: `${replaced}\n${imports}\n`, map: null };
    },
  };
}

/** Changes rarely, so browsers keep it over updates; and packs better together. */
const VENDOR =
  /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?:react-router|router-core|history|store|react-store)|urql|@urql|wonka|@0no-co|graphql-ws|i18next|react-i18next|clsx)\//;

export default defineConfig({
  plugins: [generatedDocuments(), react(), tailwindcss(), keepPlaceholder()],
  // Relative, so that one build works under any base path: index.html carries a <base> that the server rewrites.
  base: './',
  resolve: { alias: { '@': new URL('./src', import.meta.url).pathname } },
  server: { proxy: { '/graphql': { target: server, ws: true }, '/api': { target: server } } },
  // assetsInlineLimit 0: the content security policy refuses data: fonts.
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'vendor', test: VENDOR }] } } },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['./src/test-setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    css: false,
    reporters: ['default', './scripts/plain-vitest.mjs'],
  },
});
