import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * Builds the portal. `scripts/build.mjs` says where to; the manifest beside the files is what the test of the first
 * load's weight reads.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: '/portal/',
  plugins: [optimizeLocales.vite({ locales: ['nb-NO', 'sv-SE', 'da-DK', 'fi-FI', 'en-US'] }), react()],
  build: {
    target: 'es2022',
    manifest: true,
    // Nothing is inlined: the content security policy allows files of this service only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Each screen holds the operations that it calls, and the first load not those of all screens.
    rolldownOptions: { optimization: { inlineConst: { mode: 'all' } } },
  },
});
