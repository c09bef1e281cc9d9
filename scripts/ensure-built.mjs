/**
 * Builds `dist/` where it is missing or older than its sources, so that `npm start` works after a plain clone, after
 * `npm ci --ignore-scripts` and after an edit. It runs before every command: when nothing changed it looks at times and
 * sizes only. A packed package has no `src/` and needs no build.
 *
 * Everything it says goes to stderr: stdout belongs to the command that follows.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

if (existsSync(join(root, 'src'))) {
  const { stampOf } = await import('./stamp.mjs');
  if (readStamp() !== stampOf(root)) await buildWithTools();
}

function readStamp() {
  try {
    return readFileSync(join(root, 'dist', '.stamp'), 'utf8');
  } catch {
    return undefined;
  }
}

async function buildWithTools() {
  const missing = ['typescript', 'vite', '@scalar/fastify-api-reference'].filter(
    (name) => !existsSync(join(root, 'node_modules', name, 'package.json')),
  );
  if (missing.length > 0) {
    const state = existsSync(join(root, 'dist', '.stamp')) ? 'older than its sources' : 'not built';
    console.error(
      `Kontor is ${state}, and what builds it is not installed (${missing.join(', ')}).\n` +
        'Run `npm ci` in this folder, with the development dependencies. To run Kontor without them, make a package\n' +
        'with `npm pack` where they are installed, and install that.',
    );
    process.exit(1);
  }
  console.error('Building Kontor: its sources changed since the last build, or there was none.');
  await import('./build.mjs');
}
