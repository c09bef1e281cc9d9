import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database/database.ts';
import { merchantsContext } from '../../../test/support/shop/merchants.ts';
import type { KeyId, KeyStorage } from '../../keys/keys.types.ts';
import { switchKey } from '../../keys/switch-key.ts';
import { AssertionFailure } from '../../kit/assert.ts';
import { COMMAND_LINE } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Kontor } from '../../kontor.types.ts';
import { createPayee } from '../payees/create-payee.ts';
import { openHmacSecret } from './find-hmac-secret.ts';
import { selectHmacKeys } from './hmac-keys.store.ts';
import { createHmacKey, HMAC_KEY_USE, revokeHmacKey, rotateHmacKey } from './hmac-keys.ts';

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
const open = async (keyId: string, owner = payeeId) =>
  (await database.transact((transaction) => openHmacSecret(transaction, context, { payeeId: owner, keyId })))?.reveal();
const rotate = (keyId: string, more: { overlap?: string; owner?: PayeeId } = {}) =>
  database.transact((transaction) =>
    rotateHmacKey(transaction, context, { payeeId: more.owner ?? payeeId, keyId, overlap: more.overlap, actor }),
  );
const revoke = (keyId: string, owner = payeeId) =>
  database.transact((transaction) => revokeHmacKey(transaction, { payeeId: owner, keyId, actor }));

describe('an HMAC key', () => {
  it('opens to the secret that was shown, for its own payee only', async () => {
    const { user, secret } = await create();
    expect(user).toMatch(/^hk_[A-Za-z0-9]{16}$/);
    expect(secret.reveal()).toMatch(/^hs_[A-Za-z0-9]{43}$/);
    expect(await open(user)).toBe(secret.reveal());
    expect(await open(user, await newPayee())).toBeUndefined();
    expect(await open('hk_unknown')).toBeUndefined();
  });

  it('has a secret that opens in no other row', async () => {
    const [one, other] = [await create(), await create()];
    await database.asAdmin(
      `update hmac_key set secret_sealed = (select secret_sealed from hmac_key where key_id = '${one.user}')
       where key_id = '${other.user}'`,
    );
    await expect(open(other.user)).rejects.toBeInstanceOf(AssertionFailure);
    expect(await open(one.user)).toBe(one.secret.reveal());
    await database.asAdmin(`delete from hmac_key where key_id = '${other.user}'`);
  });

  it('may be one of several', async () => {
    const owner = await newPayee();
    const users = [await create(owner), await create(owner)].map(({ user }) => user);
    const { rows: listed } = await database.transact((transaction) => selectHmacKeys(transaction, owner));
    expect(listed.map((key) => key.keyId).sort()).toEqual([...users].sort());
    expect(Object.keys(listed[0] ?? {})).toEqual([
      ...['payeeId', 'keyId', 'createdAt', 'expiresAt', 'revokedAt', 'lastUsedOn', 'state'],
    ]);
  });

  it('works on beside its successor for the overlap, then no more', async () => {
    const old = await create();
    const fresh = await rotate(old.user, { overlap: '2h' });
    expect(fresh.user).not.toBe(old.user);
    expect(await open(old.user)).toBe(old.secret.reveal());
    expect(await open(fresh.user)).toBe(fresh.secret.reveal());
    const hours = (Date.parse(fresh.oldExpiresAt) - Date.now()) / 3_600_000;
    expect(Math.abs(hours - 2)).toBeLessThan(0.01);
    await database.asAdmin(
      `update hmac_key set created_at = kontor_now() - interval '2 days', expires_at = kontor_now() - interval '1 day' where key_id = '${old.user}'`,
    );
    expect(await open(old.user)).toBeUndefined();
  });

  it('has an overlap of a day where the request says nothing', async () => {
    const { oldExpiresAt } = await rotate((await create()).user);
    expect(Math.abs((Date.parse(oldExpiresAt) - Date.now()) / 3_600_000 - 24)).toBeLessThan(0.01);
  });

  it('is rotated once: the second time nothing is made', async () => {
    const { user } = await create();
    const outcomes = await Promise.allSettled([rotate(user), rotate(user), rotate(user)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(rotate((await create()).user, { owner: await newPayee() })).rejects.toBeInstanceOf(Refusal);
  });

  it('stops at once when it is revoked, also in its overlap', async () => {
    const old = await create();
    const fresh = await rotate(old.user);
    await revoke(old.user);
    await revoke(old.user);
    expect(await open(old.user)).toBeUndefined();
    expect(await open(fresh.user)).toBe(fresh.secret.reveal());
    await expect(revoke(fresh.user, await newPayee())).rejects.toMatchObject({ code: 'notfound' });
  });

  it('is sealed anew when the key ring is rotated, and opens as before', async () => {
    const { user, secret } = await create();
    const change = await database.transact((transaction) => switchKey(transaction, context, 'secrets'));
    const later = await create();
    const left = (keyId: KeyId) => database.transact((transaction) => HMAC_KEY_USE.count(transaction, keyId));
    const before = await left(change.from);
    expect(before).toBeGreaterThan(0);
    expect(await left(change.to)).toBe(1);
    const move = () => database.transact((transaction) => HMAC_KEY_USE.move(transaction, context.keyRing, change));
    expect(await move()).toBe(before);
    expect(await move()).toBe(0);
    expect([await left(change.from), await left(change.to)]).toEqual([0, before + 1]);
    expect(await open(user)).toBe(secret.reveal());
    expect(await open(later.user)).toBe(later.secret.reveal());
  });
});
