import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetStale } from '../../src/merchants/attempts/forget-stale.ts';
import { signatureOf, type TestService, testService } from '../support/service.ts';
import type { Browser } from '../support/shop/portal.ts';
import { openBrowser, signedIn } from '../support/shop/portal.ts';

let kontor: TestService;
let browser: Browser;
let here: string;
beforeAll(async () => {
  kontor = await testService();
  browser = await signedIn(kontor);
  here = `/portal/api/payees/${kontor.payeeId}`;
});
afterAll(() => kontor.stop());

const works = async (accessToken: string) => (await kontor.send('GET', '/events', { accessToken })).status === 200;
const revoked = (accessToken: string) => expect.poll(() => works(accessToken), { timeout: 10_000 }).toBe(false);

describe('an access token', () => {
  test('is made, shown once, rotated and revoked', async () => {
    const made = await browser.post(`${here}/access-tokens`, { name: 'Shop', scopes: ['events'], expiresIn: '30d' });
    expect(made.status).toBe(200);
    const { accessTokenId, accessToken } = made.body;
    expect(await works(accessToken)).toBe(true);
    const list = await browser.get(`${here}/access-tokens`);
    expect(list.text).not.toContain(accessToken);
    expect(list.body.accessTokens[0]).toMatchObject({
      accessTokenId,
      name: 'Shop',
      scopes: ['events'],
      state: 'Active',
      createdBy: expect.stringMatching(/^portal-user:/),
    });

    const rotated = await browser.post(`${here}/access-tokens/${accessTokenId}/rotate`, { overlap: '1h' });
    expect(rotated.status).toBe(200);
    expect(Date.parse(rotated.body.oldExpiresAt) - Date.now()).toBeLessThan(61 * 60_000);
    expect([await works(accessToken), await works(rotated.body.accessToken)]).toEqual([true, true]);

    expect((await browser.post(`${here}/access-tokens/${accessTokenId}/revoke`)).status).toBe(200);
    await revoked(accessToken);
    expect(await works(rotated.body.accessToken)).toBe(true);
  });

  test.each([
    ['a scope that does not exist', { name: 'Shop', scopes: ['everything'] }],
    ['a lifetime of its own making', { name: 'Shop', scopes: ['events'], expiresIn: 'for ever' }],
    ['a card number for a name', { name: '4925000000000004', scopes: ['events'] }],
  ])('is refused with %s', async (_what, body) => {
    expect((await browser.post(`${here}/access-tokens`, body)).body.title).toBe(
      'The request breaks the rules of its input',
    );
  });

  test('cannot be rotated once it is revoked, or by another payee', async () => {
    const { body } = await browser.post(`${here}/access-tokens`, { name: 'Shop', scopes: ['events'] });
    const other = await kontor.addPayee();
    const operator = await signedIn(kontor, 'operator');
    const elsewhere = `/portal/api/payees/${other.payeeId}/access-tokens/${body.accessTokenId}`;
    expect((await operator.post(`${elsewhere}/rotate`)).status).toBe(404);
    expect((await operator.post(`${elsewhere}/revoke`)).status).toBe(404);
    await browser.post(`${here}/access-tokens/${body.accessTokenId}/revoke`);
    expect((await browser.post(`${here}/access-tokens/${body.accessTokenId}/rotate`)).status).toBe(404);
  });
});

test('an OAuth client gets access tokens until it is revoked', async () => {
  const made = await browser.post(`${here}/oauth-clients`, { name: 'Till', scopes: ['events'] });
  const { clientId, clientSecret, tokenUrl } = made.body;
  const grant = async () => {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    return fetch(tokenUrl, { method: 'POST', body: new URLSearchParams(form) });
  };
  const { access_token: accessToken } = (await (await grant()).json()) as { access_token: string };
  expect(await works(accessToken)).toBe(true);
  const { body } = await browser.get(`${here}/oauth-clients`);
  expect(body.oauthClients[0]).toMatchObject({ clientId, name: 'Till', state: 'Active' });
  expect((await browser.post(`${here}/oauth-clients/${clientId}/revoke`)).status).toBe(200);
  await revoked(accessToken);
  expect((await grant()).status).toBe(401);
});

describe('an HMAC key', () => {
  const ping = async (hmac: { user: string; secret: string }) =>
    (await kontor.send('POST', '/api/payments/ping', { hmac, body: {} })).status;

  test('signs until it is revoked; a rotated one goes on for a while', async () => {
    const first = (await browser.post(`${here}/hmac-keys`)).body;
    expect(await ping(first)).toBe(200);
    const second = (await browser.post(`${here}/hmac-keys/${first.user}/rotate`, { overlap: '2h' })).body;
    expect([await ping(first), await ping(second)]).toEqual([200, 200]);
    const { hmacKeys } = (await browser.get(`${here}/hmac-keys`)).body;
    const states = Object.fromEntries(hmacKeys.map((key: { user: string; state: string }) => [key.user, key.state]));
    await expect
      .poll(async () => (await browser.get(`${here}/hmac-keys`)).body.hmacKeys[0].lastUsedOn)
      .toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(states).toMatchObject({ [first.user]: 'Expiring', [second.user]: 'Active' });
    await browser.post(`${here}/hmac-keys/${second.user}/revoke`);
    await expect.poll(() => ping(second), { timeout: 10_000 }).toBe(401);
  });

  test('and what is signed with it can be looked at', async () => {
    const body = '{"amount":100}';
    const request = { method: 'POST', path: '/api/payments/ping', body: Buffer.from(body) };
    const hmac = signatureOf(kontor.hmac, request);
    const check = (change: object, headers: object = {}) =>
      browser.post(`${here}/hmac-check`, { ...request, headers: { hmac, ...headers }, body, ...change });
    const right = (await check({})).body;
    expect(right).toMatchObject({ isRight: true, line: null, causes: [] });
    expect(right.signedText).toContain(`POST\n/api/payments/ping\n${kontor.hmac.user}\n`);
    expect(right.signedText).not.toContain(body);
    expect((await check({ method: 'PUT' })).body).toMatchObject({ isRight: false, causes: ['wrong-secret-or-body'] });
    expect((await check({ body: '{"amount":101}' })).body.isRight).toBe(false);
    expect((await check({}, { hmac: 'HmacSHA512 unknown' })).body.causes).toContain('other-fields');
    const old = { transmissionTime: '2020-01-01T00:00:00Z' };
    const signedLongAgo = signatureOf(kontor.hmac, { ...request, ...old });
    expect((await check({}, { ...old, hmac: signedLongAgo })).body.isRight).toBe(true);
    const others = await kontor.addPayee();
    expect((await check({}, { hmac: signatureOf(others.hmac, request) })).body.causes).toEqual(['unknown-user']);
  });
});

describe('what the page calls the API with', () => {
  test('is listed nowhere, and cannot be rotated', async () => {
    const { body } = await browser.post(`${here}/session-credentials`);
    const lists = [await browser.get(`${here}/access-tokens`), await browser.get(`${here}/hmac-keys`)];
    for (const { text } of lists) expect(text).not.toContain('Portal');
    expect(lists[1]?.text).not.toContain(body.hmac.user);
    expect((await browser.post(`${here}/hmac-keys/${body.hmac.user}/rotate`)).status).toBe(404);
  });

  test('ends with the session, in its own browser and everywhere', async () => {
    const [one, two] = [await signedIn(kontor), await signedIn(kontor)];
    const tokens = [];
    for (const each of [one, two]) tokens.push((await each.post(`${here}/session-credentials`)).body.accessToken);
    const [first = '', second = ''] = tokens;
    expect([await works(first), await works(second)]).toEqual([true, true]);
    await one.post('/portal/api/session/end');
    await revoked(first);
    expect(await works(second)).toBe(true);
    const three = await signedIn(kontor);
    await three.post('/portal/api/session/end', { everywhere: true });
    await revoked(second);
    expect((await two.get('/portal/api/session')).status).toBe(401);
    browser = await signedIn(kontor);
  });

  test('is deleted a day after it is over, and nothing else is', async () => {
    await browser.post(`${here}/session-credentials`);
    const rows = async (table: string, column: string) =>
      (
        await kontor.database.read<{ count: number }>(
          {
            name: `test-count-${table}-${column}`,
            text: `select count(*) as count from ${table} where ${column} is not null`,
          },
          [],
        )
      ).rows[0]?.count;
    expect(await rows('hmac_key', 'portal_session_id')).toBeGreaterThan(0);
    for (const table of ['access_token', 'hmac_key']) {
      await kontor.database.asAdmin(
        `update ${table} set created_at = created_at - interval '2 days', expires_at = expires_at - interval '2 days'
         where portal_session_id is not null`,
      );
    }
    await kontor.service.database.transact(forgetStale);
    expect([await rows('hmac_key', 'portal_session_id'), await rows('access_token', 'portal_session_id')]).toEqual([
      0, 0,
    ]);
    expect(await rows('hmac_key', 'key_id')).toBeGreaterThan(0);
    expect(await works(kontor.accessToken)).toBe(true);
  });

  test('names the user in the audit trail for what is done with it', async () => {
    const { body } = await browser.post(`${here}/session-credentials`);
    const { userId } = (await browser.get('/portal/api/session')).body;
    const made = await kontor.send('POST', '/webhooks', {
      accessToken: body.accessToken,
      body: { url: 'https://example.com/hook' },
    });
    expect(made.status).toBe(200);
    const { rows } = await kontor.database.read<{ actor: string }>(
      {
        name: 'test-audit-of-webhook',
        text: `select concat_ws(':', actor_kind, actor_id) as actor from audit where action = 'create-webhook'`,
      },
      [],
    );
    expect(rows).toEqual([{ actor: `portal-user:${userId}` }]);
  });

  test('changes no webhook, unless the password was given a moment ago', async () => {
    await kontor.database.asAdmin(
      `update portal_session set authenticated_at = authenticated_at - interval '6 minutes'`,
    );
    const { body } = await browser.post(`${here}/session-credentials`);
    expect(body.scopes).toContain('deliveries');
    expect(body.scopes).not.toContain('webhooks');
    const { accessToken } = body;
    expect((await kontor.send('GET', '/webhooks', { accessToken })).status).toBe(200);
    const refused = await kontor.send('POST', '/webhooks', { accessToken, body: { url: 'https://example.com/' } });
    expect(refused.status).toBe(403);
    // By this the page knows that the password is wanted.
    expect(refused.headers.get('www-authenticate')).toContain('scope="webhooks"');
    await browser.post('/portal/api/session/reauthenticate', { password: kontor.portal.password });
    expect((await browser.post(`${here}/session-credentials`)).body.scopes).toContain('webhooks');
  });
});

test('without a session there are none', async () => {
  const stranger = openBrowser(kontor.baseUrl);
  expect((await stranger.post(`${here}/access-tokens`, { name: 'x', scopes: ['events'] })).status).toBe(401);
});
