import type { Transaction } from '../../db/transaction.types.ts';
import { keyAbsent } from '../../kit/errors.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { lockKeysForWriting } from '../keys.store.ts';
import type { KeyRing, KnownKey, WriteKeys } from '../keys.types.ts';
import { fetchKeys } from './hold-keys.ts';
import { describeMisfit, fitRing, writeKeys } from './ring.rules.ts';

/**
 * The keys to seal and digest with, which hold until the transaction ends: a rotation waits for it, and after the switch
 * every writer gets the new key here. A key that this process has not seen yet is fetched from where the ring is kept.
 *
 * @throws Refusal `unavailable` where the ring lacks one of the keys, or has another one under its name
 */
export async function loadWriteKeys(transaction: Transaction, keyRing: KeyRing): Promise<WriteKeys> {
  const known = await lockKeysForWriting(transaction);
  if (!known.every((key) => keyRing.trusts(key.id))) await confirm(known, keyRing);
  const inUse = writeKeys(known);
  keyRing.trust(known, inUse);
  return inUse;
}

async function confirm(known: readonly KnownKey[], keyRing: KeyRing): Promise<void> {
  if (!known.every((key) => keyRing.holds(key.id))) await fetchKeys(keyRing);
  const held = keyRing.held();
  const misfit = describeMisfit(fitRing(known, held), 'the key ring of this instance', held.length > 0);
  if (misfit !== undefined) throw keyAbsent(new Trouble(misfit));
}
