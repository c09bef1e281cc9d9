import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database/database.ts';
import { counting, findingBy, merchantsContext } from '../../../test/support/shop/merchants.ts';
import type { KeyStorage } from '../../keys/keys.types.ts';
import { switchKey } from '../../keys/switch-key.ts';
import { COMMAND_LINE } from '../../kit/caller.ts';
import { OPERATOR, type PayeeId } from '../../kit/ids.ts';
import { ACCESS_TOKEN_CACHE_MS } from '../../kit/limits.ts';
import { Secret } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import { createPayee } from '../payees/create-payee.ts';
import { findHmacSecret, HMAC_SECRET_CACHE_ENTRIES } from './find-hmac-secret.ts';
import { updateKeysLastUsed, VALID_SECRETS } from './hmac-keys.store.ts';
import { createHmacKey, revokeHmacKey, rotateHmacKey } from './hmac-keys.ts';

const actor = COMMAND_LINE;
let database: TestDatabase;
let context: Kontor & KeyStorage;
let payeeId: PayeeId;

beforeAll(async () => {
  database = await testDatabase();
  context = await merchantsContext(database);
  payeeId = await newPayee();
});
afterAll(() => database.drop());

function newPayee(): Promise<PayeeId> {
  return database.transact((transaction) => createPayee(transaction, context, { name: 'Shop', actor }));
}

const create = (owner = payeeId) =>
  database.transact((transaction) => createHmacKey(transaction, context, { payeeId: owner, actor }));

/** A look-up on the real database whose clock stands still, and which counts what it asks. */
function observed(others: Partial<Kontor> = {}) {
  const seen = { now: 0, asked: 0, used: [] as string[] };
  const looking = {
    ...findingBy(
      context,
      counting(database, () => seen.asked++),
    ),
    ...others,
  };
  const find = findHmacSecret(looking, { now: () => seen.now, noteUse: (key) => seen.used.push(key.keyId) });
  const reveal = async (keyId: string, owner = payeeId) => (await find({ payeeId: owner, keyId }))?.reveal();
  return { seen, find, reveal };
}

describe('the secret of an HMAC key', () => {
  it('is found for its own payee', async () => {
    const { user, secret } = await create();
    const { reveal } = observed();
    expect(await reveal(user)).toBe(secret.reveal());
    expect(await reveal(user, await newPayee())).toBeUndefined();
    expect(await reveal(user, OPERATOR)).toBeUndefined();
    expect(await reveal('hk_unknown')).toBeUndefined();
  });

  it('is known at once for a while, without a question', async () => {
    const { user: keyId, secret } = await create();
    const { seen, find, reveal } = observed();
    const first = await find({ payeeId, keyId });
    seen.now = ACCESS_TOKEN_CACHE_MS - 1;
    expect(find({ payeeId, keyId })).toBe(first);
    seen.now = ACCESS_TOKEN_CACHE_MS;
    expect(await reveal(keyId)).toBe(secret.reveal());
    expect(seen.asked).toBe(2);
  });

  it('is asked for once by many who wait', async () => {
    const { user } = await create();
    const { seen, reveal } = observed();
    expect(new Set(await Promise.all(Array.from({ length: 50 }, () => reveal(user)))).size).toBe(1);
    expect(seen.asked).toBe(1);
  });

  it('has its first use of the day noted, and no later one', async () => {
    const { user: keyId } = await create();
    const { seen, reveal } = observed();
    await reveal(keyId);
    expect(seen.used).toEqual([keyId]);
    await database.transact((transaction) => updateKeysLastUsed(transaction, [{ payeeId, keyId }]));
    seen.now = ACCESS_TOKEN_CACHE_MS;
    await reveal(keyId);
    expect(seen.used).toEqual([keyId]);
  });

  it('stops within a second once the key is revoked', async () => {
    const { user } = await create();
    const { seen, reveal } = observed();
    await reveal(user);
    await database.transact((transaction) => revokeHmacKey(transaction, { payeeId, keyId: user, actor }));
    seen.now = 1_000;
    expect(await reveal(user)).toBeUndefined();
  });

  it('works beside its successor for the overlap, then no more, by the clock of the database', async () => {
    const old = await create();
    const fresh = await database.transact((transaction) =>
      rotateHmacKey(transaction, context, { payeeId, keyId: old.user, overlap: '2h', actor }),
    );
    const { seen, reveal } = observed();
    expect(await reveal(old.user)).toBe(old.secret.reveal());
    expect(await reveal(fresh.user)).toBe(fresh.secret.reveal());
    await database.asAdmin(
      `update hmac_key set created_at = kontor_now() - interval '1 day', expires_at = kontor_now() where key_id = '${old.user}'`,
    );
    seen.now = 1_000;
    expect(await reveal(old.user)).toBeUndefined();
    expect(await reveal(fresh.user)).toBe(fresh.secret.reveal());
  });

  it('opens after the key ring was rotated by another process', async () => {
    const { reveal } = observed();
    await database.transact((transaction) => switchKey(transaction, context, 'secrets'));
    const { user, secret } = await create();
    expect(await reveal(user)).toBe(secret.reveal());
  });

  it('is not looked for under a name that no key can have, and that name harms no other', async () => {
    const { user, secret } = await create();
    const { seen, reveal } = observed();
    const names = ['', 'a:b', 'x'.repeat(65), '\0', "';--", '{}', 'é'];
    const [found, ...others] = await Promise.all([reveal(user), ...names.map((name) => reveal(name))]);
    expect(found).toBe(secret.reveal());
    expect(others).toEqual(names.map(() => undefined));
    expect(seen.asked).toBe(1);
  });

  it('makes room, the oldest first, where there are too many', async () => {
    const sealed = Buffer.from('sealed');
    const keyRing = { sealedWith: () => undefined, open: () => new Secret('opened') };
    const { find } = observed({
      ...findingBy(context, () => (async () => ({ sealed })) as never),
      keyRing: keyRing as never,
    });
    const names = Array.from({ length: HMAC_SECRET_CACHE_ENTRIES + 1 }, (_, index) => `k${index}`);
    for (const keyId of names) await find({ payeeId, keyId });
    expect(find({ payeeId, keyId: names.at(-1) ?? '' })).not.toBeInstanceOf(Promise);
    expect(find({ payeeId, keyId: names[1] ?? '' })).not.toBeInstanceOf(Promise);
    expect(find({ payeeId, keyId: names[0] ?? '' })).toBeInstanceOf(Promise);
  });
});

describe('the statement', () => {
  const insert = (count: number) => `
    insert into hmac_key (payee_id, key_id, secret_sealed, sealed_with, created_by)
    select '${OPERATOR}', 'k' || n, '\\x00', 'secrets-1', 'x' from generate_series(1, ${count}) n`;

  it.each([
    ['is empty', ''],
    ['was analysed while it was empty', `analyze hmac_key; ${insert(5000)}`],
    ['has one row', `${insert(1)}; analyze hmac_key`],
    ['has many rows of one payee', `${insert(5000)}; analyze hmac_key`],
  ])('goes by payee and key where the table %s', async (_, prepare) => {
    const other = await testDatabase();
    if (prepare !== '') await other.asAdmin(prepare);
    const plan = await other.read<Record<string, string>>(
      { name: 'test-explain', text: `explain ${VALID_SECRETS.text}` },
      [[OPERATOR], ['k1']],
    );
    await other.drop();
    const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(lines).toContain('Index Scan using hmac_key_pkey');
    expect(lines).not.toContain('Seq Scan');
  });
});
