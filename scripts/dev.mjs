/**
 * `npm run dev`: the sandbox for those who change it. A change of the service's sources builds and starts it again, a change
 * of the portal's pages is in the browser at once.
 *
 * The portal's pages come from Vite, on a port of their own; what they ask for goes on to the service. To it such a request
 * comes from its own pages, so it needs no exception for development.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';
import './ensure-built.mjs';
import { createServer } from 'vite';

const root = join(import.meta.dirname, '..');
const port = Number(process.env.KONTOR_PORT ?? 8080);
const service = `http://127.0.0.1:${port}`;
/** As `npm start` has it. */
const NO_CODE_FROM_TEXTS = '--disallow-code-generation-from-strings';
/** What the service is built of. Its tests are not. */
const SOURCES = ['src', 'sandbox', 'locales', 'checkout', 'migrations'];
/** An editor that saves all files does not build once for each. */
const QUIET_MS = 150;

let child = start();
let isBuilding = false;
let isChanged = false;
let timer;

const pages = await createServer({
  configFile: join(root, 'portal', 'vite.config.ts'),
  server: {
    host: '127.0.0.1',
    // Whatever belongs to the service and not to the pages' own sources.
    proxy: {
      '^/portal/api/': { target: service, headers: { origin: service, referer: `${service}/portal/` } },
      '^/(online|psp|api|events|webhooks|oauth|openapi|errordetail|health|docs)': { target: service },
    },
  },
});
await pages.listen();
console.error(`The portal with hot reload: ${pages.resolvedUrls?.local[0]}`);

for (const folder of SOURCES) {
  watch(join(root, folder), { recursive: true }, (_event, name) => {
    if (name === null || name.endsWith('.test.ts')) return;
    clearTimeout(timer);
    timer = setTimeout(rebuild, QUIET_MS);
  });
}

// Ctrl-C reaches the service as well.
process.once('SIGINT', () => end(ended()));
process.once('SIGTERM', () => end(stop()));

/** Builds, and starts the service again if that succeeds; else the old one goes on. */
async function rebuild() {
  isChanged = true;
  if (isBuilding) return;
  isBuilding = true;
  while (isChanged) {
    isChanged = false;
    const build = spawn(process.execPath, [join(root, 'scripts', 'build.mjs'), '--service-only'], { stdio: 'inherit' });
    const [status] = await once(build, 'exit');
    if (status !== 0 || isChanged) continue;
    await stop();
    child = start();
  }
  isBuilding = false;
}

function start() {
  return spawn(process.execPath, [NO_CODE_FROM_TEXTS, join(root, 'dist', 'main.js'), 'serve'], {
    cwd: root,
    stdio: 'inherit',
  });
}

function stop() {
  child.kill('SIGTERM');
  return ended();
}

async function ended() {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

async function end(serviceEnds) {
  await Promise.all([serviceEnds, pages.close()]);
  process.exit(0);
}
