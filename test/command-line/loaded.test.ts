import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { type Environment, type Installation, install } from '../support/kontor.ts';
import { until } from '../support/until.ts';

// Which modules a process loads: the engine tells all of them at its end.

/** The modules of a build one by one, as the file that `dist/main.js` runs has them in it. */
const PROGRAM = 'dist/modules/src/main.js';

let database: TestDatabase;
let installation: Installation;
const folder = mkdtempSync(join(tmpdir(), 'kontor-loaded-'));
beforeAll(async () => {
  database = await testDatabase();
  installation = install({
    KONTOR_MODE: 'production',
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_KEY_FILE: 'ring.json',
  });
});
afterAll(async () => {
  await installation.remove();
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function loadedBy(args: readonly string[], environment: Environment = {}, isService = false): Promise<string[]> {
  const into = join(folder, args.join('-') + Object.keys(environment).join('-'));
  const command = [process.execPath, PROGRAM, ...args] as const;
  const { process: child, ended } = installation.start([...command], { ...environment, NODE_V8_COVERAGE: into });
  if (isService) {
    let written = '';
    child.stdout?.on('data', (bytes: Buffer) => (written += bytes.toString()));
    await until(() => written.includes('Kontor is ready'), 60_000);
    child.kill('SIGTERM');
  }
  await ended;
  const urls = readdirSync(into).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(into, name), 'utf8')) as { result: { url: string }[] };
    return result.map(({ url }) => url);
  });
  return [...new Set(urls.flatMap((url) => /\/dist\/modules\/(.+)\.js$/.exec(url)?.[1] ?? []))];
}

const ofSandbox = (modules: readonly string[]) => modules.filter((path) => path.startsWith('sandbox/'));

describe('production', () => {
  test('loads nothing of the sandbox when it serves', async () => {
    const modules = await loadedBy(['serve'], {}, true);
    expect(modules).toContain('src/wiring/serve');
    expect(ofSandbox(modules)).toEqual([]);
  }, 120_000);

  test.each([['doctor'], ['payees', 'list'], ['acquirers', 'list']])(
    'loads nothing of it for a command: %s %s',
    async (...args) => {
      const modules = await loadedBy(args.filter((word) => word !== undefined));
      expect(modules).toContain('src/program');
      // What a command is called, and what it takes, stands in its file: help needs that.
      expect(ofSandbox(modules).filter((path) => !path.endsWith('.cli'))).toEqual([]);
    },
  );
});

test('a sandbox loads it', async () => {
  const sandbox = { KONTOR_MODE: 'sandbox', KONTOR_DATABASE_URL: '', KONTOR_KEY_FILE: '' };
  expect(ofSandbox(await loadedBy(['acquirers', 'list'], sandbox))).toContain('sandbox/sandbox');
});
