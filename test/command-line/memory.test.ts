import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { type Environment, type Installation, install } from '../support/kontor.ts';
import { until } from '../support/until.ts';

// What a stranger on the machine gets of the memory of a production process, in which keys and card data are.

let database: TestDatabase;
let installation: Installation;
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
});

/** A service that is ready, in a shell that would let it dump core without a limit. */
async function serve(environment: Environment = {}) {
  const command = `ulimit -c unlimited; exec '${process.execPath}' dist/main.js serve`;
  const { process: child, ended } = installation.start(['sh', '-c', command], environment);
  let [written, errors] = ['', ''];
  child.stdout?.on('data', (bytes: Buffer) => (written += bytes.toString()));
  child.stderr?.on('data', (bytes: Buffer) => (errors += bytes.toString()));
  await until(() => written.includes('Kontor is ready'), 30_000);
  return { child, ended, errors: () => errors };
}

const LINUX = process.platform === 'linux';
/** Where the system gives core dumps to a program, there is no file to look at. */
const DUMPS_TO_FILES = LINUX && !/^[|/]/.test(readFileSync('/proc/sys/kernel/core_pattern', 'utf8'));

describe.skipIf(process.platform === 'win32')('a production service', () => {
  test('opens no debugger to SIGUSR1, and goes on', async () => {
    const { child, ended, errors } = await serve();
    child.kill('SIGUSR1');
    child.kill('SIGUSR1');
    if (LINUX) expect(readFileSync(`/proc/${child.pid}/coredump_filter`, 'utf8').trim()).toBe('00000000');
    child.kill('SIGTERM');
    expect((await ended).status).toBe(0);
    expect(errors()).not.toContain('Debugger listening');
  });

  test('opens one where that is meant', async () => {
    const { child, ended, errors } = await serve({ KONTOR_ALLOW_MEMORY_DUMPS: 'true' });
    child.kill('SIGUSR1');
    await until(() => errors().includes('Debugger listening'), 10_000);
    child.kill('SIGTERM');
    await ended;
  });

  test.skipIf(!DUMPS_TO_FILES)(
    'leaves its memory out of a core dump; where that is meant, it has the keys',
    async () => {
      const key = JSON.parse(readFileSync(join(installation.folder, 'ring.json'), 'utf8')).keys[0].material;
      const material = Buffer.from(key, 'base64');
      const dumpOf = async (environment: Environment) => {
        const { child, ended } = await serve(environment);
        child.kill('SIGABRT');
        await ended;
        const name = readdirSync(installation.folder).find((file) => /^core/.test(file)) ?? '';
        const dump = readFileSync(join(installation.folder, name));
        await installation.run(['rm', name]);
        return dump;
      };
      expect((await dumpOf({})).includes(material)).toBe(false);
      expect((await dumpOf({ KONTOR_ALLOW_MEMORY_DUMPS: 'true' })).includes(material)).toBe(true);
    },
  );

  test.each(['--heapsnapshot-signal=SIGUSR2', '--report-on-signal', '--inspect=127.0.0.1:0'])(
    'does not start with %s in NODE_OPTIONS',
    async (option) => {
      const { status, stderr } = await installation.refusedStart({ NODE_OPTIONS: option });
      expect(stderr).toMatch(/kontor: Node was started with --[a-z-]+, and keys and card data are in its memory\./);
      expect(status).toBe(1);
    },
  );
});
