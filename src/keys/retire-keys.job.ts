import type { JobContext } from '../db/job-context.types.ts';
import type { Transaction } from '../db/transaction.types.ts';
import { selectKeys } from './keys.store.ts';
import type { KeyId } from './keys.types.ts';
import { endRotation, type RotationKeys } from './rotate-key.ts';

/** Milliseconds between two looks: an hour, days are what counts. */
const RETIRE_INTERVAL_MS = 3_600_000;

/** Starts retiring keys whose rotation waits for rows to end, as soon as none is left. */
export function startRetiringKeys(
  { background, transact }: JobContext,
  keys: Pick<RotationKeys, 'keyUses' | 'audit'>,
): () => Promise<void> {
  return background.repeat('retire-keys', RETIRE_INTERVAL_MS, () =>
    transact((transaction) => retireEndedKeys(transaction, keys)),
  );
}

/** Retires the previous keys that no row uses any more, of purposes whose rows end by themselves; answers which. */
export async function retireEndedKeys(
  transaction: Transaction,
  keys: Pick<RotationKeys, 'keyUses' | 'audit'>,
): Promise<readonly KeyId[]> {
  const retired: KeyId[] = [];
  for (const { id: from, purpose, state } of await selectKeys(transaction)) {
    const ends = keys.keyUses.some((use) => use.purpose === purpose && use.endsByItself === true);
    if (state !== 'Previous' || !ends) continue;
    if (await endRotation(transaction, keys, { purpose, change: { from, to: from } })) retired.push(from);
  }
  return retired;
}
