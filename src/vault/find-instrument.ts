import type { Transaction } from '../db/transaction.types.ts';
import type { KeyRing } from '../keys/keys.types.ts';
import { loadWriteKeys } from '../keys/ring/load-write-keys.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { Secret } from '../kit/secret.ts';
import { identityOf } from './content.rules.ts';
import { selectByFingerprint } from './instruments.store.ts';
import type { InstrumentId } from './vault.types.ts';

/**
 * The stored card of a payee with a number; undefined where there is none. It is not locked: who deletes tokens locks payers first and
 * then their cards, and would wait for a caller that did it the other way round.
 */
export async function findCard(
  transaction: Transaction,
  keyRing: KeyRing,
  payeeId: PayeeId,
  number: Secret,
): Promise<InstrumentId | undefined> {
  const { live } = await loadWriteKeys(transaction, keyRing);
  const content = identityOf({ kind: 'Card', number });
  const fingerprints = live.fingerprint.map((keyId) => keyRing.digest(keyId, payeeId, content));
  return selectByFingerprint(transaction, payeeId, fingerprints);
}
