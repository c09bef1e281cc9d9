import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeApi, describeRoutes } from '../../src/wiring/describe-api.ts';
import { orphanedSamples, sampleOf } from '../support/prober/routes-samples.ts';
import { type TestService, testService } from '../support/service.ts';
import { ROOT } from '../tidy/files.ts';

/** What these tests look at. */
interface DocumentedOperation {
  readonly operationId: string;
  readonly security: readonly object[];
}

const { apiRoutes } = describeRoutes();
const committed = readFileSync(join(ROOT, 'openapi/kontor.json'), 'utf8');
const document = JSON.parse(committed);
let kontor: TestService;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());

describe('the OpenAPI document', () => {
  test('is committed as the routes make it', async () => {
    const made = `${JSON.stringify(describeApi(), undefined, 2)}\n`;
    const remedy = 'openapi/kontor.json differs from the routes. Run: npm run build && npm run openapi';
    expect(committed === made, remedy).toBe(true);
  });

  test('is served with the address of this installation', async () => {
    const { status, headers, body } = await kontor.send('GET', '/openapi.json', { accessToken: null });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({ ...document, servers: [{ url: kontor.baseUrl }] });
  });

  test('has an operation for each route, with its scope, and no other below the API', () => {
    const operations = Object.entries<Record<string, DocumentedOperation>>(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
    );
    const ofApi = operations.filter(({ path }) => /^\/(online|psp|api|events|webhooks)(\/|$)/.test(path));
    expect(ofApi.map(({ operationId, method, path, security }) => ({ operationId, method, path, security }))).toEqual(
      expect.arrayContaining(
        apiRoutes.map(({ operationId, method, path, scope, otherScopes = [], signed }) => ({
          operationId,
          method,
          path: path.replace(/:(\w+)/g, '{$1}'),
          security: [{ bearer: [] }, ...[scope, ...otherScopes].map((one) => ({ oauth: [one] }))].map((token) =>
            signed ? { ...token, hmac: [] } : token,
          ),
        })),
      ),
    );
    expect(ofApi).toHaveLength(apiRoutes.length);
    const open = operations.filter((operation) => !ofApi.includes(operation));
    for (const operation of open) expect(operation.security, operation.path).toEqual([]);
  });

  test('has a signature for each route below /api/payments, and no other', () => {
    for (const { path, signed = false } of apiRoutes) expect(signed, path).toBe(path.startsWith('/api/payments/'));
  });

  test('says nothing that only our compiler of schemas understands', () => {
    expect(committed).not.toMatch(/"(freeText|\$id)"/);
  });
});

describe('the samples', () => {
  test('are there for each route', () => {
    for (const route of apiRoutes) expect(() => sampleOf(route)).not.toThrow();
  });

  test('are there for no route that is gone', () => {
    expect(orphanedSamples(apiRoutes)).toEqual([]);
  });

  test('are asked for where one is missing', () => {
    const [route] = apiRoutes;
    expect(() => sampleOf({ ...route, operationId: 'newOperation' } as never)).toThrow(
      'newOperation has no sample. Add one to SAMPLES in test/support/prober/routes-samples.ts.',
    );
  });
});
