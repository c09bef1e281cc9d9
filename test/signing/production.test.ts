import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ProductionService, productionService } from '../support/prober/routes-production.ts';
import { type SigningCredentials, signatureOf } from '../support/service.ts';

const PING = '/api/payments/ping';
const FAILURES = 20;
let kontor: ProductionService;
let hmac: SigningCredentials;
beforeAll(async () => {
  kontor = await productionService({ KONTOR_FAILURES_PER_MINUTE: String(FAILURES) });
  hmac = await kontor.addHmacKey();
});
afterAll(() => kontor.stop());

function ping(headers: Readonly<Record<string, string>>): Promise<Response> {
  const session = { 'session-id': 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee' };
  const authorization = `Bearer ${kontor.accessToken}`;
  const type = { 'content-type': 'application/json' };
  return fetch(`${kontor.baseUrl}${PING}`, {
    method: 'POST',
    headers: { authorization, ...session, ...type, ...headers },
    body: '{}',
  });
}

const signed = (by: SigningCredentials, transmissionTime?: string) =>
  signatureOf(by, { method: 'POST', path: PING, transmissionTime, body: Buffer.from('{}') });

it('in production every wrong signature has the same answer, which explains nothing, and counts', async () => {
  const nonce = randomBytes(12).toString('hex');
  const old = '2020-01-31T12:00:00Z';
  const wrong: Readonly<Record<string, string>>[] = [
    {},
    { hmac: 'HmacSHA512' },
    { hmac: `HmacSHA512 ${hmac.user}:${nonce}:${randomBytes(64).toString('base64')}` },
    { hmac: signed({ ...hmac, user: 'hk_unknown' }) },
    { hmac: signed(hmac, old), 'transmission-time': old },
  ];
  const answers = [];
  for (const headers of wrong) answers.push(await ping(headers));
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  expect(new Set(texts).size).toBe(1);
  expect(Object.keys(JSON.parse(texts[0] ?? ''))).toEqual([
    ...['type', 'title', 'status', 'detail', 'instance', 'sessionId', 'problems'],
  ]);
  const headersOf = ({ headers }: Response) => JSON.stringify([...headers].filter(([name]) => name !== 'date'));
  expect(new Set(answers.map(headersOf)).size).toBe(1);
  for (const { status, headers } of answers) {
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('HmacSHA512 realm="kontor"');
  }

  const further = [];
  for (let count = wrong.length; count <= FAILURES; count++) further.push((await ping({})).status);
  expect(further).toEqual([...Array(FAILURES - wrong.length).fill(401), 429]);
  expect((await ping({ hmac: signed(hmac) })).status).toBe(200);
});
