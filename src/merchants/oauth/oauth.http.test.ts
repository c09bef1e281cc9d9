import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database/database.ts';
import { merchantsContext } from '../../../test/support/shop/merchants.ts';
import { until } from '../../../test/support/until.ts';
import type { RouteGiven } from '../../http/edge/edge.types.ts';
import type { OpenAnswer } from '../../http/route.types.ts';
import { COMMAND_LINE, SCOPES } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import { OPERATOR, type PayeeId, uuidV4 } from '../../kit/ids.ts';
import { randomSecret } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import { composeAccessToken } from '../access-tokens/access-tokens.rules.ts';
import { createAccessToken } from '../access-tokens/access-tokens.ts';
import { findCaller } from '../access-tokens/find-caller.ts';
import { forgetStale } from '../attempts/forget-stale.ts';
import { createPayee } from '../payees/create-payee.ts';
import { issueOAuthToken } from './issue-oauth-token.ts';
import { oauthRoutes } from './oauth.http.ts';
import { composeClientId } from './oauth.rules.ts';
import { createOAuthClient, revokeOAuthClient } from './oauth-clients.ts';

const actor = COMMAND_LINE;
const FORM = 'application/x-www-form-urlencoded';
const GRANT = 'grant_type=client_credentials';
const LOOPBACK = '127.0.0.1';
let database: TestDatabase;
let context: Kontor;
let payeeId: PayeeId;
let client: Client;

interface Client {
  readonly clientId: string;
  readonly secret: string;
}

beforeAll(async () => {
  database = await testDatabase();
  context = await merchantsContext(database);
  payeeId = await newPayee();
  client = await newClient(payeeId, ['tokens:read', 'payments']);
});
afterAll(() => database.drop());

function newPayee(): Promise<PayeeId> {
  return database.transact((transaction) => createPayee(transaction, context, { name: 'Shop', actor }));
}

async function newClient(owner: PayeeId, scopes: readonly string[]): Promise<Client> {
  const command = { payeeId: owner, name: 'test', scopes, actor };
  const fresh = await database.transact((transaction) => createOAuthClient(transaction, context, command));
  return { clientId: fresh.clientId, secret: fresh.clientSecret.reveal() };
}

const basic = ({ clientId, secret }: Client) => `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;

interface Sent {
  readonly as?: Client;
  readonly authorization?: string;
  readonly contentType?: string;
  readonly from?: string;
}

/** What a request is sent with, and the error that it gets. */
interface Refused extends Omit<Sent, 'as'> {
  readonly as?: 'client';
  readonly error: string;
}

async function send(path: string, form: string, sent: Sent = {}): Promise<OpenAnswer & { json: never }> {
  const given = {
    baseUrl: () => 'https://pay.example',
    isExempt: (address: string) => address === LOOPBACK,
    noteRefused: () => undefined,
  } as unknown as RouteGiven;
  const route = oauthRoutes(context, given).find((candidate) => candidate.path === path);
  const authorization = sent.authorization ?? (sent.as && basic(sent.as));
  const answer = await route?.handle({
    params: {},
    query: {},
    headers: { 'content-type': sent.contentType ?? FORM, ...(authorization !== undefined && { authorization }) },
    body: Buffer.from(form),
    remoteAddress: sent.from ?? LOOPBACK,
    isLocal: true,
    sessionId: uuidV4(),
  });
  if (answer === undefined) throw new Error(`no route ${path}`);
  return { ...answer, json: JSON.parse(String(answer.body)) as never };
}

async function issue(as = client): Promise<string> {
  const { json } = await send('/oauth/token', GRANT, { as });
  return (json as { access_token: string }).access_token;
}

/** Valid tokens of another payee, of another client of this payee, and one that a person made. */
async function tokensOfOthers(): Promise<readonly string[]> {
  const foreign = await issue(await newClient(await newPayee(), ['payments']));
  const beside = await issue(await newClient(payeeId, ['payments']));
  const command = { payeeId, name: 'by hand', scopes: ['payments'], actor };
  const made = await database.transact((transaction) => createAccessToken(transaction, context, command));
  return [foreign, beside, made.accessToken.reveal()];
}

const revokeClient = ({ clientId }: Client) =>
  database.transact((transaction) => revokeOAuthClient(transaction, { payeeId, clientId, actor }));

/** How many sessions wait for a lock. */
async function waiting(): Promise<number> {
  const text = `select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const { rows } = await database.read<{ count: number }>({ name: 'test-waiting', text }, []);
  return rows[0]?.count ?? 0;
}

const callerOf = async (accessToken: string) =>
  findCaller(context, { now: () => 0, noteUse: () => undefined })(accessToken);

describe('POST /oauth/token', () => {
  it('issues a bearer token for an hour, with all scopes of the client', async () => {
    const { status, headers, json } = await send('/oauth/token', GRANT, { as: client });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect(json).toEqual({
      access_token: expect.stringMatching(/^kt_test_/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'tokens:read payments',
    });
    const caller = await callerOf((json as { access_token: string }).access_token);
    expect(caller).toMatchObject({ payeeId, scopes: new Set(['tokens:read', 'payments']) });
  });

  it('takes the credentials in the form too, and fewer scopes', async () => {
    const form = `${GRANT}&scope=payments&client_id=${client.clientId}&client_secret=${client.secret}`;
    const { status, json } = await send('/oauth/token', form, { contentType: `${FORM}; charset=UTF-8` });
    expect(status).toBe(200);
    expect(json).toMatchObject({ scope: 'payments' });
  });

  it('takes a word of the client for all of its scopes, and the word of another client for none', async () => {
    const command = { payeeId, name: 'older', scopes: ['tokens:read', 'payments'], scopeAliases: ['publicapi'], actor };
    const fresh = await database.transact((transaction) => createOAuthClient(transaction, context, command));
    const older = { clientId: fresh.clientId, secret: fresh.clientSecret.reveal() };
    const { status, json } = await send('/oauth/token', `${GRANT}&scope=publicapi`, { as: older });
    expect([status, json]).toEqual([200, expect.objectContaining({ scope: 'tokens:read payments' })]);
    const refused = await send('/oauth/token', `${GRANT}&scope=publicapi`, { as: client });
    expect([refused.status, refused.json]).toEqual([400, expect.objectContaining({ error: 'invalid_scope' })]);
  });

  it('serves the operator', async () => {
    const operator = await newClient(OPERATOR, SCOPES);
    expect(await callerOf(await issue(operator))).toMatchObject({ payeeId: OPERATOR });
  });

  it.each<[string, string, Refused]>([
    ['no grant type', '', { as: 'client', error: 'invalid_request' }],
    ['another grant type', 'grant_type=password', { as: 'client', error: 'unsupported_grant_type' }],
    ['an unknown scope', `${GRANT}&scope=publicapi`, { as: 'client', error: 'invalid_scope' }],
    ['a scope that the client has not', `${GRANT}&scope=accounts`, { as: 'client', error: 'invalid_scope' }],
    ['a repeated parameter', `${GRANT}&scope=payments&scope=payments`, { as: 'client', error: 'invalid_request' }],
    ['two ways to authenticate', `${GRANT}&client_secret=x`, { as: 'client', error: 'invalid_request' }],
    ['JSON', '{}', { as: 'client', contentType: 'application/json', error: 'invalid_request' }],
    ['no credentials', GRANT, { error: 'invalid_client' }],
    ['a bearer token', GRANT, { authorization: 'Bearer x', error: 'invalid_client' }],
    ['a malformed client id', `${GRANT}&client_id=x&client_secret=y`, { error: 'invalid_client' }],
    ['NUL', `${GRANT}&client_id=x%00&client_secret=y`, { error: 'invalid_request' }],
    ['wrong credentials first', 'grant_type=password&client_id=x&client_secret=y', { error: 'invalid_client' }],
  ])('refuses %s', async (_, form, { as, error, ...sent }) => {
    const answer = await send('/oauth/token', form, as === undefined ? sent : { ...sent, as: client });
    const status = error === 'invalid_client' ? 401 : 400;
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({ error, error_description: expect.stringMatching(/^[A-Z][ -~]+\.$/) });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Basic realm="kontor"' : undefined);
  });

  it('answers a wrong secret, an unknown client, another payee’s id and a revoked client in the same way', async () => {
    const revoked = await newClient(payeeId, ['payments']);
    await revokeClient(revoked);
    const other = composeClientId(await newPayee(), randomSecret());
    const wrong = [
      { clientId: client.clientId, secret: `${client.secret}x` },
      { clientId: client.clientId, secret: '' },
      { clientId: composeClientId(payeeId, randomSecret()), secret: client.secret },
      { clientId: other, secret: client.secret },
      { clientId: 'legacy', secret: client.secret },
      revoked,
    ];
    const answers = await Promise.all(wrong.map((as) => send('/oauth/token', GRANT, { as })));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.status).toBe(401);
  });

  it('writes who got which token', async () => {
    const accessToken = await issue();
    const { credential } = (await callerOf(accessToken)) ?? {};
    const { rows } = await database.read<{ actor: string }>(
      {
        name: 'test-audit-oauth',
        text: `select concat_ws(':', actor_kind, actor_id) as actor from audit
          where payee_id = $1::uuid and object_id = $2::text`,
      },
      [payeeId, credential?.id],
    );
    expect(rows).toEqual([{ actor: `oauth-client:${client.clientId}` }]);
  });
});

describe('failed client authentications', () => {
  const wrong = `${GRANT}&client_id=x&client_secret=y`;
  const codeOf = (error: unknown) => (error instanceof Refusal ? error.code : error);

  it('are limited to 20 for each network, over all OAuth endpoints and from all sides at once', async () => {
    const paths = ['/oauth/token', '/oauth/revoke', '/oauth/introspect'];
    const from = (count: number) => `2001:db8:0:1::${count.toString(16)}`;
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, count) =>
        send(paths[count % 3] ?? '', wrong, { from: from(count + 1) }).then(({ status }) => status, codeOf),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 401)).toHaveLength(20);
    expect(outcomes.filter((outcome) => outcome === 'toomanyrequests')).toHaveLength(10);
    const right = await send('/oauth/token', GRANT, { as: client, from: from(99) }).catch(codeOf);
    expect(right).toBe('toomanyrequests');
    const elsewhere = await send('/oauth/token', wrong, { from: '2001:db8:0:2::1' });
    expect(elsewhere.status).toBe(401);
  });

  it('are not counted where nothing was guessed, nor for this machine', async () => {
    for (let attempt = 0; attempt < 25; attempt++) {
      expect((await send('/oauth/token', GRANT, { from: '192.0.2.7' })).status).toBe(401);
      expect((await send('/oauth/token', wrong)).status).toBe(401);
    }
    expect((await send('/oauth/token', wrong, { from: '192.0.2.7' })).status).toBe(401);
  });

  it('keep no address', async () => {
    await send('/oauth/token', wrong, { from: '198.51.100.9' });
    const { rows } = await database.read<{ text: string }>(
      { name: 'test-attempts', text: `select coalesce(string_agg(attempt::text, ' '), '') as text from attempt` },
      [],
    );
    expect(rows[0]?.text).not.toContain(Buffer.from('198.51.100.9').toString('hex'));
    expect(rows[0]?.text).toContain('oauth-client-authentication');
  });
});

describe('POST /oauth/revoke', () => {
  it('ends a token that was issued to the client', async () => {
    const accessToken = await issue();
    const form = `token=${accessToken}&token_type_hint=access_token`;
    expect(await send('/oauth/revoke', form, { as: client })).toMatchObject({ status: 200, json: {} });
    expect(await callerOf(accessToken)).toBeUndefined();
    expect((await send('/oauth/revoke', form, { as: client })).status).toBe(200);
  });

  it('answers 200 for a token that was not issued to the client, and leaves it alone', async () => {
    const others = await tokensOfOthers();
    const unknown = composeAccessToken('sandbox', payeeId, randomSecret());
    const answers = [];
    for (const token of [...others, unknown, 'nonsense']) {
      answers.push(await send('/oauth/revoke', `token=${token}`, { as: client }));
    }
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.status).toBe(200);
    for (const token of others) expect(await callerOf(token)).toBeDefined();
  });

  it('wants a token, and a client', async () => {
    expect((await send('/oauth/revoke', '', { as: client })).json).toMatchObject({ error: 'invalid_request' });
    expect((await send('/oauth/revoke', `token=${await issue()}`)).status).toBe(401);
  });
});

describe('POST /oauth/introspect', () => {
  it('tells what a token may do', async () => {
    const accessToken = await issue();
    const now = Math.floor(Date.now() / 1000);
    const { status, headers, json } = await send('/oauth/introspect', `token=${accessToken}`, { as: client });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(json).toEqual({
      active: true,
      scope: 'tokens:read payments',
      client_id: client.clientId,
      token_type: 'Bearer',
      exp: expect.any(Number),
      iat: expect.any(Number),
      sub: payeeId,
    });
    const { exp, iat } = json as { exp: number; iat: number };
    expect(exp - iat).toBe(3600);
    expect(Math.abs(iat - now)).toBeLessThan(60);
  });

  it('says no more than inactive of every other', async () => {
    const revoked = await issue();
    await send('/oauth/revoke', `token=${revoked}`, { as: client });
    const expired = await issue();
    const { credential } = (await callerOf(expired)) ?? {};
    await database.asAdmin(
      `update access_token set created_at = kontor_now() - interval '2 hours', expires_at = kontor_now() - interval '1 hour'
       where access_token_id = '${credential?.id}'`,
    );
    const unknown = composeAccessToken('sandbox', payeeId, randomSecret());
    for (const token of [revoked, expired, ...(await tokensOfOthers()), unknown, 'nonsense']) {
      const answer = await send('/oauth/introspect', `token=${token}`, { as: client });
      expect(answer).toMatchObject({ status: 200, body: '{"active":false}' });
    }
  });

  it('wants a token, and a client', async () => {
    expect((await send('/oauth/introspect', '', { as: client })).json).toMatchObject({ error: 'invalid_request' });
    expect((await send('/oauth/introspect', `token=${await issue()}`)).status).toBe(401);
  });
});

describe('GET /.well-known/oauth-authorization-server', () => {
  it('names what there is, below the issuer', async () => {
    const { status, json } = await send('/.well-known/oauth-authorization-server', '');
    expect(status).toBe(200);
    const metadata: Record<string, unknown> = json;
    expect(metadata['issuer']).toBe('https://pay.example');
    for (const [name, value] of Object.entries(metadata)) {
      if (name.endsWith('_endpoint')) expect(value).toMatch(/^https:\/\/pay\.example\/oauth\//);
    }
    expect(metadata['response_types_supported']).toEqual([]);
    expect(metadata['scopes_supported']).toEqual(SCOPES);
  });
});

describe('an OAuth client', () => {
  it('takes its tokens with it when it is revoked', async () => {
    const doomed = await newClient(payeeId, ['payments']);
    const accessToken = await issue(doomed);
    await revokeClient(doomed);
    expect(await callerOf(accessToken)).toBeUndefined();
  });

  it('takes a token with it that is being issued at the same moment', async () => {
    const doomed = await newClient(payeeId, ['payments']);
    const request = { authorization: basic(doomed), form: GRANT, network: undefined, sessionId: uuidV4() };
    let revoked: Promise<void> | undefined;
    const issued = await database.transact(async (transaction) => {
      const issuing = await issueOAuthToken(transaction, context, request);
      revoked = revokeClient(doomed);
      await until(async () => (await waiting()) === 1);
      return issuing;
    });
    await revoked;
    expect(issued).toHaveProperty('accessToken');
    if ('accessToken' in issued) expect(await callerOf(issued.accessToken.reveal())).toBeUndefined();
  });

  it('leaves no tokens behind that expired long ago', async () => {
    const accessToken = await issue();
    const { credential } = (await callerOf(accessToken)) ?? {};
    const age = (hours: number) =>
      database.asAdmin(
        `update access_token set created_at = kontor_now() - interval '${hours} hours', expires_at = kontor_now() - interval '${hours - 1} hours'
         where access_token_id = '${credential?.id}'`,
      );
    await age(20);
    expect((await database.transact(forgetStale)).accessTokens).toBe(0);
    await age(26);
    expect((await database.transact(forgetStale)).accessTokens).toBe(1);
  });
});
