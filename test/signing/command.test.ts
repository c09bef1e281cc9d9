import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT } from '../docs/pages.ts';
import { type TestService, testService } from '../support/service.ts';
import { runProgram } from '../support/shop/signing.ts';

const MAIN = join(PROJECT, 'dist/main.js');
const BODY = "it's a body.json";
let kontor: TestService;
let folder: string;
beforeAll(async () => {
  kontor = await testService();
  execFileSync(process.execPath, ['scripts/ensure-built.mjs'], { cwd: PROJECT });
  folder = mkdtempSync(join(tmpdir(), 'kontor-signing-'));
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, BODY), '{ "description" : "Kjøp €" }\r\n');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await kontor.stop();
});

interface Options {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
}

function run(program: readonly [string, ...string[]], { environment, input = '' }: Options = {}) {
  return runProgram(program, {
    folder,
    input,
    environment: { KONTOR_DATA_DIR: kontor.config.dataDir, ...environment },
  });
}

const sign = (args: readonly string[], options?: Options) =>
  run([process.execPath, MAIN, 'hmac', 'sign', ...args], options);
const PING = ['--method', 'post', '--path', '/api/payments/ping?from=curl'];

/** Does what the printed line says, in a shell. */
async function runLine(line: string): Promise<Record<string, unknown>> {
  const { stdout } = await run(['sh', '-c', `${line} -s`], { environment: { TOKEN: kontor.accessToken } });
  return JSON.parse(stdout);
}

describe('hmac sign', () => {
  it('prints headers and a curl line that works, with the key of the sandbox', async () => {
    const { status, stdout } = await sign([...PING, '--body', BODY, '--transmission-time', 'now']);
    expect(status).toBe(0);
    const [hmac, time, , line = ''] = stdout.split('\n');
    expect(hmac).toMatch(/^Hmac: HmacSHA512 hk_\w+:[\w-]{36}:[\w+/]{86}==$/);
    expect(time).toMatch(/^Transmission-Time: \d{4}-\d\d-\d\dT.*Z$/);
    expect(await runLine(line)).toMatchObject({ state: 'OK', description: 'Kjøp €' });
  });

  it.each([
    ['in a variable', { environment: true }],
    ['on the standard input', { environment: false }],
  ])('signs with another key, whose secret comes %s', async (_where, { environment }) => {
    const { user, secret } = kontor.hmac;
    const options = environment ? { environment: { KONTOR_HMAC_SECRET: secret } } : { input: `${secret}\n` };
    // The sandbox's file is out of sight, as it is for a key of production.
    const elsewhere = { ...options, environment: { ...options.environment, KONTOR_DATA_DIR: folder } };
    const args = [...PING, '--body', BODY, '--user', user, '--json'];
    const { stdout } = await sign(args, elsewhere);
    const { hmac, curl, ...more } = JSON.parse(stdout);
    expect(more).toEqual({});
    expect(hmac).toContain(`${user}:`);
    const line = curl.replace('http://127.0.0.1:8080', kontor.baseUrl);
    expect(await runLine(line)).toMatchObject({ state: 'OK' });
  });

  it('takes no secret in a flag', async () => {
    const { status, stderr } = await sign([...PING, '--secret', 'x']);
    expect(status).not.toBe(0);
    expect(stderr).toContain('unknown option');
  });

  it.each([
    ['a path without a slash', ['--method', 'GET', '--path', 'ping'], {}, '--path'],
    ['a path with a host', ['--method', 'GET', '--path', 'https://x/ping'], {}, '--path'],
    ['a body that is not there', [...PING, '--body', 'nowhere.json'], {}, 'cannot be read'],
    ['a secret without its user', PING, { environment: { KONTOR_HMAC_SECRET: 'x' } }, '--user'],
    ['a user without a secret', [...PING, '--user', 'hk_other'], { input: '' }, 'secret is empty'],
    ['no sandbox', PING, { environment: { KONTOR_DATA_DIR: tmpdir() } }, 'Start the sandbox'],
    ['no path', ['--method', 'GET'], {}, '--path'],
  ])('says what to do about %s', async (_what, args, options, word) => {
    const { status, stdout, stderr } = await sign(args, options);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(word);
    expect(stderr).not.toContain('    at ');
  });
});
