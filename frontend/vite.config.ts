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

export default defineConfig({
  plugins: [react(), tailwindcss(), keepPlaceholder()],
  // Relative, so that one build works under any base path: index.html carries a <base> that the server rewrites.
  base: './',
  resolve: { alias: { '@': new URL('./src', import.meta.url).pathname } },
  server: { proxy: { '/graphql': { target: server, ws: true }, '/api': { target: server } } },
  // assetsInlineLimit 0: the content security policy refuses data: fonts.
  build: { target: 'es2022', sourcemap: false, assetsInlineLimit: 0, chunkSizeWarningLimit: 600 },
  test: {
    environment: 'jsdom',
    setupFiles: ['./src/test-setup.ts'],
    include: ['src/**/*.test.{ts,tsx}'],
    css: false,
    reporters: ['default', './scripts/plain-vitest.mjs'],
  },
});
