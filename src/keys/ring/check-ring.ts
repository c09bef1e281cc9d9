import type { Transaction } from '../../db/transaction.types.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { selectKeys } from '../keys.store.ts';
import type { KeyStorage, KnownKey } from '../keys.types.ts';
import { describeMisfit, fitRing, type RingFit } from './ring.rules.ts';

/** What the database knows, and how the ring fits it. */
export interface CheckedRing extends RingFit {
  readonly known: readonly KnownKey[];
}

/**
 * Loads the ring anew and holds it against the database. For a caller that holds `lockKeys`: without it, either may
 * change before the other is read.
 *
 * @throws Trouble where a key is missing or another one has its name
 */
export async function checkRing(transaction: Transaction, { keyRing, keyProvider }: KeyStorage): Promise<CheckedRing> {
  const known = await selectKeys(transaction);
  await keyRing.refresh();
  const held = keyRing.held();
  const fit = fitRing(known, held);
  const misfit = describeMisfit(fit, keyProvider.location, held.length > 0);
  if (misfit !== undefined) throw new Trouble(misfit);
  return { ...fit, known };
}
