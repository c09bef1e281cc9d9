import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Installation, install, type Started } from '../support/kontor.ts';
import { IS_LONG_RUN, someOf } from '../support/long-run.ts';
import { until } from '../support/until.ts';

let installation: Installation;
let dataDir: string;
beforeAll(() => {
  installation = install();
  dataDir = join(installation.folder, 'data');
  // A shop that has installed the package: its programs are where npm and npx look for them.
  const programs = join(installation.folder, 'shop/node_modules/.bin');
  mkdirSync(programs, { recursive: true });
  const main = join(installation.folder, 'dist/main.js');
  writeFileSync(join(programs, 'kontor'), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, { mode: 0o755 });
  symlinkSync(installation.folder, join(installation.folder, 'shop/node_modules/kontor'));
  const shop = { name: 'shop', private: true, scripts: { start: 'kontor serve' } };
  writeFileSync(join(installation.folder, 'shop/package.json'), JSON.stringify(shop));
});
afterAll(() => installation.remove());

/** A service that is up, with its data in the installation's folder. */
async function started(program: readonly [string, ...string[]], inside = '.'): Promise<Started> {
  const service = installation.start(program, { KONTOR_DATA_DIR: dataDir }, inside);
  await installation.ready();
  return service;
}

/** Waits until neither the service nor its database is there any more. */
function everythingEnds(): Promise<void> {
  return expect.poll(() => installation.processes(), { timeout: 25_000 }).toEqual([]);
}

const NPX = ['npx', '--no-install', 'kontor', 'serve'] as const;
const START = ['npm', 'start'] as const;
// A process manager tells npm alone, which passes it to a shell; a terminal tells them all.
const toNpm = (service: Started) => service.process.kill('SIGTERM');
const toAll = (service: Started) => service.signalGroup('SIGINT');
const ENDINGS = [
  { what: 'npx kontor serve', by: 'SIGTERM to npm alone', program: NPX, tell: toNpm },
  { what: 'npm start', by: 'SIGINT to all, as Ctrl-C is', program: START, tell: toAll },
  { what: 'npm start', by: 'SIGTERM to npm alone', program: START, tell: toNpm },
  { what: 'npx kontor serve', by: 'SIGINT to all, as Ctrl-C is', program: NPX, tell: toAll },
] as const;

// `npm run test:faults` has each program ended in both ways. Of `npm start` after Ctrl-C `serve.test.ts` tells too.
test.each(IS_LONG_RUN ? ENDINGS : ENDINGS.slice(0, 1))(
  '$what leaves nothing behind after $by',
  async ({ program, tell }) => {
    const service = await started(program, 'shop');
    expect(installation.processes().length).toBeGreaterThan(1);
    tell(service);
    await everythingEnds();
    const { stdout } = await service.ended;
    expect(stdout).toContain('"msg":"Stopped."');
  },
);

// What needs no database is quick to start and end.
test.each(
  someOf<readonly [string, NodeJS.Signals, readonly string[]]>([
    ['acquirers simulate', 'SIGTERM', ['acquirers', 'simulate', '--port', '0']],
    ['acquirers simulate', 'SIGKILL', ['acquirers', 'simulate', '--port', '0']],
    ['three-ds simulate', 'SIGTERM', ['three-ds', 'simulate', '--port', '0', '--bank-port', '0']],
  ]),
)('npx kontor %s leaves nothing behind after %s to npm alone', async (_command, signal, args) => {
  const simulated = installation.start(['npx', '--no-install', 'kontor', ...args], {}, 'shop');
  let printed = '';
  simulated.process.stdout?.on('data', (bytes: Buffer) => {
    printed += bytes.toString();
  });
  await until(() => printed.includes('listens on'), 25_000);
  simulated.process.kill(signal);
  await everythingEnds();
});

/** Errors that no code takes, each on a signal. */
const SABOTAGE = `
  process.on('SIGUSR2', () => void Promise.reject(new Error('not awaited')));
  process.on('SIGWINCH', () => { throw new Error('not caught'); });`;

test.each(
  someOf<readonly [NodeJS.Signals, string]>([
    ['SIGUSR2', 'a rejected promise that is not awaited'],
    ['SIGWINCH', 'an error that is not caught'],
  ]),
)('ends in order after %s: %s', async (signal, _what) => {
  const sabotage = `data:text/javascript,${encodeURIComponent(SABOTAGE)}`;
  const service = await started([process.execPath, '--import', sabotage, 'dist/main.js', 'serve']);
  service.process.kill(signal);
  const { status, stdout, stderr } = await service.ended;
  expect(status).toBe(1);
  const lines = stdout.split('\n').filter((line) => line.includes('"level":"fatal"'));
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      err: expect.objectContaining({ message: expect.stringMatching(/^not (?:awaited|caught)$/) }),
    }),
  ]);
  expect(stdout).toContain('"msg":"Stopped."');
  expect(stderr).toBe('');
  await everythingEnds();
});

test('goes on where its output is not read any more', async () => {
  const service = await started(['/bin/sh', '-c', `"${process.execPath}" dist/main.js serve | head -n 1`]);
  const { baseUrl } = await installation.ready();
  // Each is a line of the log. The second one is written after the first one has found the pipe broken.
  for (let request = 0; request < 20; request++) await fetch(`${baseUrl}/events`);
  await installation.ready();
  service.signalGroup('SIGTERM');
  await everythingEnds();
});
