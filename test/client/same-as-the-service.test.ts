import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { signRequest } from '../../client/hmac.ts';
import { KontorProblem } from '../../client/problems.ts';
import { isKeyed, isRepeatable } from '../../client/repeating.ts';
import { PROBLEMS } from '../../src/kit/errors.ts';
import { projectFiles, ROOT, serviceSources } from '../tidy/files.ts';
import { readSource } from '../tidy/source.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Vector {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly user: string;
  readonly secret: string;
  readonly nonce: string;
  readonly transmissionTime: string;
  readonly body: string;
  readonly header: string;
  readonly valid: boolean;
}

const vectors = JSON.parse(read('test/support/hmac-vectors.json')) as readonly Vector[];

describe('the signature', () => {
  test.each(vectors)(
    'of vector $id is the one that the service takes: $valid',
    async ({ user, secret, header, valid, ...request }) => {
      expect((await signRequest({ user, secret }, request)) === header).toBe(valid);
    },
  );

  test('of bytes is that of their text', async () => {
    const [vector] = vectors;
    if (vector === undefined) throw new Error('there are vectors');
    const body = new TextEncoder().encode(vector.body);
    expect(await signRequest(vector, { ...vector, body })).toBe(vector.header);
  });
});

test('the types are those of the OpenAPI documents', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/client-types.mjs', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

describe('what may be sent again', () => {
  const api = JSON.parse(read('openapi/kontor.json'));
  const posts = Object.entries<Record<string, { parameters?: readonly { $ref?: string }[] }>>(api.paths).flatMap(
    ([path, { post }]) => (post === undefined ? [] : [{ path, post }]),
  );

  test('with a key are just the requests that the service knows by it', () => {
    const declared = posts.filter(({ post }) => post.parameters?.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey')));
    expect(posts.filter(({ path }) => isKeyed(path))).toEqual(declared);
  });

  test('without a key or a reference is no POST but those that read', () => {
    const repeatable = posts.filter(({ path }) =>
      isRepeatable({ method: 'POST', path, body: {}, idempotencyKey: undefined }),
    );
    expect(repeatable.map(({ path }) => path).sort()).toEqual([
      '/api/payments/payment-account/balance',
      '/api/payments/ping',
    ]);
  });

  test.each(Object.entries(PROBLEMS))(
    'after %s is what the service says of it',
    (code, { status, retryable, meaning }) => {
      const details = {
        code,
        type: '',
        title: '',
        status,
        detail: '',
        problems: [],
        sessionId: undefined,
        diagnosis: undefined,
      };
      const problem = new KontorProblem(details);
      expect(problem.isRetryable).toBe(retryable);
      const isCertain = status < 500 || /nothing was done|never has an effect|not been done/i.test(meaning);
      expect(problem.mayHaveHadEffect, meaning).toBe(!isCertain);
    },
  );
});

test('every operation that the service offers has its types', () => {
  const source = serviceSources()
    .filter(({ path }) => path.endsWith('.http.ts'))
    .map(({ text }) => text)
    .join('\n');
  const offered = [...source.matchAll(/(?:operation\(|\[)'(?:GET|POST|PATCH)', ["']([a-z-]+)["']|\brel: '([a-z-]+)'/g)];
  const [rels] = projectFiles('client').filter(({ path }) => path.endsWith('rels.types.ts'));
  const typed = new Set(
    [...(rels?.text ?? '').matchAll(/\b'?([a-z-]+)'?: '(?:GET|POST|PATCH) /g)].map(([, name]) => name),
  );
  expect(offered.length).toBeGreaterThan(30);
  expect(offered.map(([, one, other]) => one ?? other).filter((name) => !typed.has(name))).toEqual([]);
});

test('the client imports nothing but itself: it is for programs that have nothing of the service', () => {
  const imports = projectFiles('client')
    .filter(({ path }) => path.endsWith('.ts'))
    .flatMap((file) => readSource(file).imports);
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.map(({ specifier }) => specifier).filter((name) => !/^[.][/][a-z.]+[.]ts$/.test(name ?? ''))).toEqual(
    [],
  );
});
