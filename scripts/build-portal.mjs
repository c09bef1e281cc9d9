/** Builds the merchant portal's pages, as `portal/vite.config.ts` says. A file's name holds a digest of what is in it. */
import { join } from 'node:path';

/**
 * Writes `index.html` and the files that it leads to, with a manifest of what needs what.
 *
 * @param {string} root the project's folder, absolute
 * @param {string} folder where they go
 */
export async function buildPortal(root, folder) {
  // Loaded here, so that a question for what is built does not pay for it.
  const { build } = await import('vite');
  await build({
    configFile: join(root, 'portal', 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  });
}
