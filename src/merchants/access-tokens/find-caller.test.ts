import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database/database.ts';
import { counting, findingBy, merchantsContext } from '../../../test/support/shop/merchants.ts';
import type { Database } from '../../db/server/database.types.ts';
import type { Find } from '../../db/transaction.types.ts';
import { type Caller, COMMAND_LINE } from '../../kit/caller.ts';
import { OPERATOR, type PayeeId } from '../../kit/ids.ts';
import { ACCESS_TOKEN_CACHE_MS } from '../../kit/limits.ts';
import { randomSecret } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import type { AccessTokenKey, TokenDigest, ValidToken } from '../merchants.types.ts';
import { createPayee } from '../payees/create-payee.ts';
import { composeAccessToken } from './access-tokens.rules.ts';
import { VALID_TOKENS } from './access-tokens.store.ts';
import { createAccessToken, revokeAccessToken } from './access-tokens.ts';
import { ACCESS_TOKEN_CACHE_ENTRIES, findCaller } from './find-caller.ts';

const actor = COMMAND_LINE;
let database: TestDatabase;
let context: Kontor;
let payeeId: PayeeId;

beforeAll(async () => {
  database = await testDatabase();
  context = await merchantsContext(database);
  payeeId = await database.transact((transaction) => createPayee(transaction, context, { name: 'Shop', actor }));
});
afterAll(() => database.drop());

async function newToken(owner = payeeId): Promise<{ accessTokenId: string; accessToken: string }> {
  const command = { payeeId: owner, name: 'test', scopes: ['tokens:read', 'payments'], actor };
  const fresh = await database.transact((transaction) => createAccessToken(transaction, context, command));
  return { accessTokenId: fresh.accessTokenId, accessToken: fresh.accessToken.reveal() };
}

/** A look-up on the real database whose clock stands still, and which counts what it asks. */
function observed(find?: Database['find']) {
  const seen = { now: 0, asked: 0, used: [] as AccessTokenKey[] };
  const looking = findingBy(context, find ?? counting(database, () => seen.asked++));
  return { seen, find: findCaller(looking, { now: () => seen.now, noteUse: (token) => seen.used.push(token) }) };
}

describe('who sends a request', () => {
  it('is found by the access token', async () => {
    const { accessTokenId, accessToken } = await newToken();
    expect(await observed().find(accessToken)).toEqual<Caller>({
      payeeId,
      credential: { kind: 'access-token', id: accessTokenId },
      scopes: new Set(['tokens:read', 'payments']),
    });
  });

  it('may be the operator', async () => {
    const { accessToken } = await newToken(OPERATOR);
    expect(await observed().find(accessToken)).toMatchObject({ payeeId: OPERATOR });
  });

  it('is known at once for a while, without a question', async () => {
    const { accessToken } = await newToken();
    const { seen, find } = observed();
    const first = await find(accessToken);
    seen.now = ACCESS_TOKEN_CACHE_MS - 1;
    expect(find(accessToken)).toBe(first);
    seen.now = ACCESS_TOKEN_CACHE_MS;
    expect(find(accessToken)).toBeInstanceOf(Promise);
    expect(await find(accessToken)).toEqual(first);
    expect(seen.asked).toBe(2);
  });

  it('is asked for once by many who wait', async () => {
    const { accessToken } = await newToken();
    const { seen, find } = observed();
    const found = await Promise.all(Array.from({ length: 100 }, () => find(accessToken)));
    expect(seen.asked).toBe(1);
    expect(new Set(found).size).toBe(1);
  });

  it('is asked for again by those who come when a slow look-up has grown old', async () => {
    const answers: ((row: ValidToken | undefined) => void)[] = [];
    const slow: Find<TokenDigest, ValidToken> = () => new Promise((resolve) => answers.push(resolve));
    const { seen, find } = observed(() => slow as never);
    const accessToken = composeAccessToken('sandbox', payeeId, randomSecret());
    const early = find(accessToken);
    seen.now = ACCESS_TOKEN_CACHE_MS;
    const late = find(accessToken);
    expect(answers).toHaveLength(2);
    answers[0]?.({
      accessTokenId: 'id',
      scopes: ['payments'],
      usedToday: true,
      actsAs: null,
      oauthClientId: null,
      role: null,
      isReauthenticated: false,
      payeeState: 'Active',
    });
    answers[1]?.(undefined);
    expect(await early).toMatchObject({ credential: { kind: 'access-token', id: 'id' } });
    expect(await late).toBeUndefined();
    expect(find(accessToken)).toBeInstanceOf(Promise);
  });

  it('is unknown once the token is revoked, within a second', async () => {
    const { accessTokenId, accessToken } = await newToken();
    const { seen, find } = observed();
    await find(accessToken);
    await database.transact((transaction) => revokeAccessToken(transaction, { payeeId, accessTokenId, actor }));
    seen.now = 1_000;
    expect(await find(accessToken)).toBeUndefined();
    expect(find(accessToken)).toBeInstanceOf(Promise);
  });

  it('is unknown once the token has expired, by the clock of the database', async () => {
    const { accessTokenId, accessToken } = await newToken();
    const { find } = observed();
    await database.asAdmin(
      `update access_token set created_at = kontor_now() - interval '2 days', expires_at = kontor_now() - interval '1 second'
       where access_token_id = '${accessTokenId}'`,
    );
    expect(await find(accessToken)).toBeUndefined();
  });

  it('is unknown for a token that was never made, and that is never remembered', async () => {
    const { seen, find } = observed();
    const secret = randomSecret();
    const accessToken = composeAccessToken('sandbox', payeeId, secret);
    expect(await find(accessToken)).toBeUndefined();
    const newSecret = () => secret;
    const command = { payeeId, name: 'late', scopes: ['payments'], actor };
    await database.transact((transaction) => createAccessToken(transaction, { ...context, newSecret }, command));
    expect(await find(accessToken)).toMatchObject({ payeeId });
    expect(seen.asked).toBe(2);
  });

  it('is unknown for a text of another form, without a question', async () => {
    const { seen, find } = observed();
    const { accessToken } = await newToken();
    for (const text of ['', 'x', accessToken.slice(1), composeAccessToken('production', payeeId, randomSecret())]) {
      expect(await find(text)).toBeUndefined();
    }
    expect(seen.asked).toBe(0);
  });

  it('is unknown where the secret belongs to another payee', async () => {
    const { accessToken } = await newToken();
    const secret = accessToken.split('_')[3] ?? '';
    expect(await observed().find(composeAccessToken('sandbox', OPERATOR, secret))).toBeUndefined();
  });

  it('stays unknown while the database is away, and is found when it is back', async () => {
    let isAway = true;
    const { accessToken } = await newToken();
    const { find } = observed((statement) => {
      const ask = database.find(statement);
      return (key) => (isAway ? Promise.reject(new Error('away')) : ask(key)) as never;
    });
    await expect(find(accessToken)).rejects.toThrow('away');
    isAway = false;
    expect(await find(accessToken)).toMatchObject({ payeeId });
  });

  it('is forgotten, the oldest first, where there are too many', async () => {
    const every: Find<TokenDigest, ValidToken> = async (key) => ({
      accessTokenId: key.hash,
      scopes: ['payments'],
      usedToday: true,
      actsAs: null,
      oauthClientId: null,
      role: null,
      isReauthenticated: false,
      payeeState: 'Active',
    });
    const { find } = observed(() => every as never);
    const tokens = Array.from({ length: ACCESS_TOKEN_CACHE_ENTRIES + 1 }, () =>
      composeAccessToken('sandbox', payeeId, randomSecret()),
    );
    for (const token of tokens) await find(token);
    expect(find(tokens[1] ?? '')).not.toBeInstanceOf(Promise);
    expect(find(tokens.at(-1) ?? '')).not.toBeInstanceOf(Promise);
    expect(find(tokens[0] ?? '')).toBeInstanceOf(Promise);
  });
});

describe('the day of last use', () => {
  it('is noted by the first look-up of a day only', async () => {
    const { accessTokenId, accessToken } = await newToken();
    const first = observed();
    await first.find(accessToken);
    expect(first.seen.used).toEqual([{ payeeId, accessTokenId }]);
    await database.asAdmin(
      `update access_token set last_used_on = (kontor_now() at time zone 'UTC')::date where access_token_id = '${accessTokenId}'`,
    );
    const second = observed();
    await second.find(accessToken);
    expect(second.seen.used).toEqual([]);
  });
});

describe('the statement', () => {
  const insert = (count: number) => `
    insert into access_token (payee_id, access_token_id, secret_hash, name, scopes, created_by, expires_at)
    select '${OPERATOR}', gen_random_uuid(), sha256(n::text::bytea), 'x', '{payments}', 'x', kontor_now() + interval '1 day'
    from generate_series(1, ${count}) n`;

  it.each([
    ['is empty', ''],
    ['is empty and analysed', 'analyze access_token'],
    ['was analysed while it was empty', `analyze access_token; ${insert(5000)}`],
    ['has one row', `${insert(1)}; analyze access_token`],
    ['has many rows of one payee', `${insert(5000)}; analyze access_token`],
  ])('goes by the digest where the table %s', async (_, prepare) => {
    const other = await testDatabase();
    if (prepare !== '') await other.asAdmin(prepare);
    const plan = await other.read<Record<string, string>>(
      { name: 'test-explain', text: `explain ${VALID_TOKENS.text}` },
      [[OPERATOR], ['\\x00']],
    );
    await other.drop();
    const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(lines).toContain('Index Scan using secret_hash_is_known_once');
    expect(lines).not.toContain('Seq Scan');
  });
});
