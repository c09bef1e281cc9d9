/**
 * `npm run check`: the compiler, the linters and what the lockfile brings, beside each other, because each of them leaves
 * cores idle. What a check says is shown whole when it ends, under its name. All are run to their end, so that one run names
 * all that is wrong; the status is 1 if any failed.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/**
 * The longest first. The compiler's own threads would check much twice, which takes twice the processor time: here other
 * checks use the other cores.
 */
const CHECKS = [
  ['types', 'tsc -p tsconfig.json --noEmit --singleThreaded'],
  ['format and lint', 'biome ci --colors=off .'],
  ['unused code', 'knip'],
  ['types of the portal', 'tsc -p portal --singleThreaded'],
  ['types of the client', 'tsc -p client/tsconfig.json'],
  ['types of the payment page', 'tsc -p checkout --noEmit'],
  ['OpenAPI documents', 'redocly lint openapi/kontor.json openapi/portal.json'],
  ['packages', 'node scripts/check-supply.mjs'],
];

const waiting = CHECKS.values();
const failed = [];
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}.`);
  process.exitCode = 1;
}

async function work() {
  for (const [name, command] of waiting) {
    const { status, said } = await run(command);
    if (status === 0) continue;
    failed.push(name);
    console.error(`\n${name} (${command}), status ${status}:\n${said}`);
  }
}

function run(command) {
  const [program, ...args] = command.split(' ');
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const child = spawn(program, args, { cwd: root, env: { ...process.env, PATH: path, FORCE_COLOR: '0' } });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => said.push(bytes));
  return new Promise((resolve) => {
    child.on('error', ({ message }) => resolve({ status: message, said: '' }));
    child.on('close', (status) => resolve({ status, said: Buffer.concat(said).toString() }));
  });
}
