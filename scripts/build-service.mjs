/**
 * Builds the service in one file. Node finds, opens, reads and links each file that it loads, and the service has a thousand
 * sources: from one file it is ready in two thirds of the processor time. A command loads the few modules that it needs.
 */
import { chmodSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The command that is installed. */
const MAIN = `#!/usr/bin/env node
await import(process.argv[2] === 'serve' ? './service.js' : './modules/src/main.js');
`;

/**
 * Writes `service.js` with its source map, and `main.js`, which runs it or the modules beside it. Packages stay outside: npm
 * installs them, and tells of what is wrong with them. Of typebox, which is seven hundred files, the few come in that schemas are
 * written with.
 *
 * @param {string} root the project's folder, absolute
 * @param {string} folder where they go
 */
export async function buildService(root, folder) {
  // Loaded here, so that a question for what is built does not pay for it.
  const { build } = await import('vite');
  await build({
    root,
    configFile: false,
    publicDir: false,
    ssr: { noExternal: ['typebox'] },
    logLevel: 'error',
    build: {
      ssr: join(root, 'src', 'main.ts'),
      outDir: folder,
      emptyOutDir: false,
      // The oldest Node that package.json allows.
      target: 'node20.20',
      minify: false,
      sourcemap: true,
      rolldownOptions: { output: { entryFileNames: 'service.js', codeSplitting: false } },
    },
  });
  // What comes in is MIT: its notice goes wherever it goes.
  cpSync(join(root, 'node_modules', 'typebox', 'license'), join(folder, 'typebox.LICENSE'));
  writeFileSync(join(folder, 'main.js'), MAIN);
  chmodSync(join(folder, 'main.js'), 0o755);
}
