import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Installation, install, type Outcome } from '../support/kontor.ts';
import { someOf } from '../support/long-run.ts';

let installation: Installation;
beforeAll(() => {
  installation = install();
});
afterAll(() => installation.remove());

/** In words, without a stack, and with a status that a script notices. */
function expectMistake(outcome: Outcome, words: string): void {
  expect(outcome.stderr).toContain(words);
  expect(outcome.stderr).not.toMatch(/^ {4}at /m);
  expect(outcome.status).toBe(1);
  const notInTheLog = outcome.stdout.split('\n').filter((line) => !line.startsWith('{'));
  expect(notInTheLog.join('')).toBe('');
}

describe('the command line refuses', () => {
  test.each(
    someOf<readonly [readonly string[], string]>([
      [['frobnicate'], "unknown command 'frobnicate'"],
      [['serve', '--port', '1'], "unknown option '--port'"],
      [['payees', 'create'], "required option '--name <name>'"],
      [['tokens', 'import'], "missing required argument 'file'"],
      [['tokens', 'import', 'no-such-file'], 'no-such-file cannot be read (ENOENT)'],
      [['keys', 'import', 'no-such-file'], 'KONTOR_PASSPHRASE'],
    ]),
  )('%j', async (args, words) => {
    expectMistake(await installation.kontor(args), words);
  });

  test('without a command shows what there is', async () => {
    const { status, stderr } = await installation.kontor([]);
    expect(stderr).toContain('Usage: kontor');
    expect(status).toBe(1);
  });

  test('and prints its version', async () => {
    expect(await installation.kontor(['--version'])).toMatchObject({ status: 0, stdout: '0.1.0\n' });
  });
});

const PRODUCTION = { KONTOR_MODE: 'production', KONTOR_DATABASE_URL: 'embedded', KONTOR_KEY_FILE: 'ring.json' };

describe('serve refuses', () => {
  test.each(
    someOf<readonly [string, Readonly<Record<string, string>>, string]>([
      ['an unknown setting', { KONTOR_DATABSE_URL: 'x' }, 'KONTOR_DATABSE_URL is not a setting'],
      ['a port that is none', { KONTOR_PORT: '99999' }, 'KONTOR_PORT must be a whole number from 0 to 65535'],
      ['half a certificate', { KONTOR_TLS_CERT: 'cert.pem' }, 'set both, or neither'],
      ['production without a database', { KONTOR_MODE: 'production' }, 'KONTOR_DATABASE_URL is required'],
      ['production without a key file', { ...PRODUCTION, KONTOR_KEY_FILE: '' }, 'KONTOR_KEY_FILE is required'],
      ['production in clear text', { ...PRODUCTION, KONTOR_HOST: '0.0.0.0' }, 'KONTOR_TLS_CERT and KONTOR_TLS_KEY'],
      [
        'a database that is away, without naming its password',
        { KONTOR_MODE: 'sandbox', KONTOR_DATABASE_URL: 'postgres://owner:geheim@127.0.0.1:1/kontor' },
        'Nothing listens at the host and port of the address',
      ],
      [
        'a certificate that is not there',
        { KONTOR_TLS_CERT: 'none.pem', KONTOR_TLS_KEY: 'none.pem' },
        'none.pem cannot be read (ENOENT)',
      ],
    ]),
  )('%s', async (_what, settings, words) => {
    const outcome = await installation.refusedStart(settings);
    expectMistake(outcome, words);
    expect(outcome.stderr).not.toContain('geheim');
  });

  test('a certificate that is none, without saying what the file holds', async () => {
    writeFileSync(join(installation.folder, 'cert.pem'), 'something else\n');
    const settings = { KONTOR_TLS_CERT: 'cert.pem', KONTOR_TLS_KEY: 'cert.pem' };
    const outcome = await installation.refusedStart(settings);
    expectMistake(outcome, 'cert.pem cannot be read');
    expect(outcome.stderr).not.toContain('something else');
  });
});
