/**
 * Makes `dist/`: the compiled sources with their texts below `modules/`, the checks of schemas, the service in one file, the client, what browsers
 * load of it, and the API reference's script. It builds into a folder of its own and swaps it in at the end, so that a
 * build that was interrupted leaves the old `dist/`, and two builds at once do not meet.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildCheckout } from './build-checkout.mjs';
import { buildChecks } from './build-checks.mjs';
import { buildPortal } from './build-portal.mjs';
import { buildService } from './build-service.mjs';
import { stampOf } from './stamp.mjs';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
/** Beside `dist/` and not below `/tmp`: a rename must not cross file systems, and source maps hold relative paths. */
const fresh = join(root, `.dist-${process.pid}-${Date.now()}`);
/** Far longer than a build takes: a folder this old was left behind by one that was killed. */
const ABANDONED_AFTER_MS = 10 * 60_000;
/** `npm run dev` changes the service alone: the portal's files and the reference are taken over from the last build. */
const isServiceOnly = process.argv.includes('--service-only');
/** A build swaps two folders in well under a millisecond; another one may be doing so at the same time. */
const SWAP_ATTEMPTS = 20;

// Bundlers ask what they build for. A test that starts a build would get one for developers, which is larger and slower.
process.env.NODE_ENV = 'production';
removeAbandonedFolders();
// Taken before the compiler reads: a file that changes meanwhile makes this build an old one.
const stamp = stampOf(root);
try {
  mkdirSync(fresh);
  compile();
  await buildChecks(fresh);
  await buildService(root, fresh);
  await buildCheckout(root, join(fresh, 'checkout'));
  if (isServiceOnly) takeOver(['portal-files', 'reference']);
  else {
    await buildPortal(root, join(fresh, 'portal-files'));
    await extractApiReference();
  }
  // Without its stamp a part of a build is taken for none by the next command that needs a whole one.
  if (!isServiceOnly) writeFileSync(join(fresh, '.stamp'), stamp);
  swapIn();
} finally {
  rmSync(fresh, { recursive: true, force: true });
}

function compile() {
  compileProject('tsconfig.build.json', join(fresh, 'modules'));
  // The client stands for itself: other types of its platform, and declarations for those who use it.
  const client = join('client', 'tsconfig.build.json');
  if (existsSync(join(root, client))) compileProject(client, join(fresh, 'client'));
}

function compileProject(project, folder) {
  const compiler = createRequire(import.meta.url)
    .resolve('typescript/package.json')
    .replace(/package\.json$/, 'bin/tsc');
  const run = spawnSync(process.execPath, [compiler, '-p', project, '--outDir', folder], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (run.status === 0) return;
  console.error('The build failed: the compiler refused the sources. See its messages above.');
  rmSync(fresh, { recursive: true, force: true });
  process.exit(1);
}

/**
 * Takes the API reference's script out of the plugin that carries it, through the plugin's own route, which is the
 * documented way to get at it. So the service ships one file and does not depend on the plugin.
 * See docs/decisions/0005.
 */
async function extractApiReference() {
  const { default: fastify } = await import('fastify');
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const server = fastify();
  await server.register(apiReference, { routePrefix: '/reference', configuration: { content: { openapi: '3.1.0' } } });
  const answer = await server.inject('/reference/js/scalar.js');
  await server.close();
  if (answer.statusCode !== 200 || !answer.headers['content-type']?.includes('javascript')) {
    throw new Error('@scalar/fastify-api-reference does not serve its script at js/scalar.js any more.');
  }
  const folder = join(fresh, 'reference');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'scalar.js'), answer.rawPayload);
  // The script is MIT: its notice goes wherever it goes.
  cpSync(join(root, 'node_modules', '@scalar', 'fastify-api-reference', 'LICENSE'), join(folder, 'scalar.LICENSE'));
}

/** Copies what the last build made. */
function takeOver(paths) {
  for (const path of paths) cpSync(join(dist, path), join(fresh, path), { recursive: true });
}

/** Puts the fresh folder in the place of `dist/`. A folder cannot replace a full one in a single step, so it takes two. */
function swapIn() {
  const old = `${fresh}-old`;
  for (let attempt = 1; ; attempt++) {
    try {
      if (existsSync(dist)) renameSync(dist, old);
      renameSync(fresh, dist);
      break;
    } catch (error) {
      // Another build swapped its own in between the two steps: take that one away too.
      if (attempt === SWAP_ATTEMPTS || !['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
      rmSync(old, { recursive: true, force: true });
    }
  }
  rmSync(old, { recursive: true, force: true });
}

function removeAbandonedFolders() {
  for (const name of readdirSync(root).filter((name) => /^\.dist-\d+-\d+(-old)?$/.test(name))) {
    const status = statSync(join(root, name), { throwIfNoEntry: false });
    if (status !== undefined && Date.now() - status.mtimeMs > ABANDONED_AFTER_MS) {
      rmSync(join(root, name), { recursive: true, force: true });
    }
  }
}
