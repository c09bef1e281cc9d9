import type { Transaction } from '../../db/transaction.types.ts';
import { holdKeys } from '../../keys/ring/hold-keys.ts';
import { ACCESS_TOKEN_CACHE_MS } from '../../kit/limits.ts';
import type { Secret } from '../../kit/secret.ts';
import { type Recall, rememberBriefly } from '../../kit/work/brief-memory.ts';
import type { Kontor } from '../../kontor.types.ts';
import type { HmacKeyName, LookUpGiven } from '../merchants.types.ts';
import { associatedDataOfSecret, isKeyName } from './hmac-keys.rules.ts';
import { selectSealedSecret, updateKeysLastUsed, VALID_SECRETS } from './hmac-keys.store.ts';

/** HMAC secrets that are kept opened at once, for as long as an access token: a payee has one or two. */
export const HMAC_SECRET_CACHE_ENTRIES = 10_000;

/** The secret of an HMAC key, at once where it is known; undefined where the payee has no such key that is valid. */
export type FindHmacSecret = Recall<HmacKeyName, Secret>;

/**
 * Makes the look-up of the secrets that requests are signed with. A secret stays opened in memory for less than a second,
 * so that a key which is revoked or has expired stops within a second on every instance.
 *
 * The returned function rejects with a Refusal `unavailable` where the database is away.
 */
export function findHmacSecret(
  { database, keyRing }: Kontor,
  { now, noteUse }: LookUpGiven<HmacKeyName>,
): FindHmacSecret {
  const find = database.find<HmacKeyName, { sealed: Buffer; isNoted: boolean }>(VALID_SECRETS);
  return rememberBriefly({
    now,
    maxAgeMs: ACCESS_TOKEN_CACHE_MS,
    entries: HMAC_SECRET_CACHE_ENTRIES,
    nameOf: ({ payeeId, keyId }) => `${payeeId}:${keyId}`,
    ask: async (key) => {
      // No key has a name of another form, and a grouped read takes well-formed keys only.
      if (!isKeyName(key.keyId)) return undefined;
      const found = await find({ payeeId: key.payeeId, keyId: key.keyId });
      if (found === undefined) return undefined;
      if (!found.isNoted) noteUse({ payeeId: key.payeeId, keyId: key.keyId });
      await holdKeys(keyRing, [found.sealed]);
      return keyRing.open(associatedDataOfSecret(key), found.sealed);
    },
  });
}

/** The secret of an HMAC key that is valid now, or undefined where the payee has no such key. */
export async function openHmacSecret(
  transaction: Transaction,
  context: Kontor,
  key: HmacKeyName,
): Promise<Secret | undefined> {
  const { rows } = await selectSealedSecret(transaction, key);
  const [found] = rows;
  if (found === undefined) return undefined;
  await holdKeys(context.keyRing, [found.sealed]);
  return context.keyRing.open(associatedDataOfSecret(key), found.sealed);
}

/**
 * Notes that these keys were used today: at most one write for each key and day, however many instances see it.
 *
 * @returns how many of them were not noted yet
 */
export function noteKeyUse(transaction: Transaction, keys: readonly HmacKeyName[]): Promise<number> {
  return updateKeysLastUsed(transaction, keys);
}
