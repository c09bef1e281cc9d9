import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { linesBeforeBody, signatureDigest } from '../../src/http/signing/hmac.ts';
import { CAUSES } from '../../src/http/signing/hmac-causes.ts';
import { PROJECT, readPage, scriptOf } from '../docs/pages.ts';
import { type TestService, testService } from '../support/service.ts';
import { runProgram } from '../support/shop/signing.ts';

const page = readPage('docs/signing.md');

test('the page explains every cause that a diagnosis can name, and no other', () => {
  const table = page.split('| Cause |')[1]?.split('\n\n')[0] ?? '';
  const explained = [...table.matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, code]) => code);
  expect(explained.toSorted()).toEqual(Object.keys(CAUSES).toSorted());
});

test("the page's example is right", () => {
  const lines = [...page.matchAll(/^ {4}(.*)⏎$/gm)].map(([, line = '']) => line);
  const [method = '', path = '', user = '', nonce = '', transmissionTime = '', body = ''] = lines;
  const parts = { method, path, user, nonce, transmissionTime, body: Buffer.from(body) };
  const text = `${linesBeforeBody(parts)}${body}\n`;
  const [, length, sha256] = /^That is (\d+) bytes, whose SHA-256 is `(\w+)`/m.exec(page) ?? [];
  const [, secret = ''] = /^The secret is `(\w+)`/m.exec(page) ?? [];
  const [digest] = /[\w+/]{86}==/.exec(page) ?? [];
  expect(Buffer.byteLength(text)).toBe(Number(length));
  expect(createHash('sha256').update(text).digest('hex')).toBe(sha256);
  expect(signatureDigest(secret, parts).toString('base64')).toBe(digest);
});

describe("the page's code", () => {
  let kontor: TestService;
  let folder: string;
  beforeAll(async () => {
    kontor = await testService();
    execFileSync(process.execPath, ['scripts/ensure-built.mjs'], { cwd: PROJECT });
    folder = mkdtempSync(join(tmpdir(), 'kontor-signing-'));
    symlinkSync(kontor.config.dataDir, join(folder, 'data'));
    for (const name of ['dist', 'node_modules', 'scripts', 'package.json']) {
      symlinkSync(join(PROJECT, name), join(folder, name));
    }
    mkdirSync(join(folder, 'client'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await kontor.stop();
  });

  it('for Node works as it stands', async () => {
    const [, code = ''] = /^```js\n([\s\S]*?)^```$/m.exec(page) ?? [];
    writeFileSync(join(folder, 'client/ping.mjs'), code);
    const { stdout, stderr } = await runProgram([process.execPath, 'client/ping.mjs'], { folder });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ state: 'OK', description: 'Kjøp €' });
  });

  it.skipIf(!has('curl', '--version') || !has('openssl', 'version'))('for a shell works as it stands', async () => {
    const script = scriptOf('docs/signing.md');
    const { status, stdout, stderr } = await runProgram(['sh', '-eu', '-c', script], { folder });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [answer = '', printed] = stdout.split(/(?=Hmac: )/);
    expect(JSON.parse(answer)).toMatchObject({ state: 'OK', description: 'Kjøp €' });
    expect(printed).toMatch(/^Hmac: HmacSHA512 [\s\S]*\ncurl /);
  });
});

function has(program: string, argument: string): boolean {
  try {
    execFileSync(program, [argument], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
