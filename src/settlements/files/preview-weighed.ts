import type { Transaction } from '../../db/transaction.types.ts';
import type { SettlementContext } from '../settlements.types.ts';
import type { BatchSums, FileFault, PreviewedFile } from './files.types.ts';
import { takeBatches, type Weighed } from './import-weighed.ts';
import { selectOutcomes } from './outcomes.store.ts';
import { sortBatches } from './sort-batches.ts';

/**
 * Takes the sound batches of a file as its import does, and says what became of them. The caller rolls the transaction back.
 *
 * @throws RefusedFile as the import does
 */
export async function previewWeighed(
  transaction: Transaction,
  context: SettlementContext,
  given: Weighed,
): Promise<PreviewedFile> {
  const { digest, lines, unread, unreadLines } = given.weighed;
  const taken = await takeBatches(transaction, context, given);
  const { sound, known, refused } = taken?.sorted ?? (await sortBatches(transaction, context, given));
  return {
    digest,
    lines,
    isKnown: taken === undefined,
    batches: [
      ...refused.map(({ sums, reason }) => ({ ...shown(sums, reason), state: 'Refused' as const, reason })),
      ...sound.map((batch) => ({ ...shown(batch), state: 'New' as const, reason: null })),
      ...known.map((batch) => ({ ...shown(batch), state: 'Known' as const, reason: null })),
    ],
    outcomes: taken === undefined ? [] : await selectOutcomes(transaction, sound),
    unread,
    hasMoreUnread: unreadLines > unread.length,
  };
}

/** Where a line of it is wrong, its sums are of the others alone, or of several currencies. */
function shown({ name, merchantId, lines, currency, gross, fee, payout }: BatchSums, reason?: FileFault) {
  const isSummed = lines > 0 && reason?.line === undefined;
  return { batch: name, merchantId, lines, currency: isSummed ? currency : null, gross, fee, payout };
}
