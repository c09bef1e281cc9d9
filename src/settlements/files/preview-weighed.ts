import type { Transaction } from '../../db/transaction.types.ts';
import type { SettlementContext } from '../settlements.types.ts';
import type { BatchSums, PreviewedFile } from './files.types.ts';
import { findFile } from './import.store.ts';
import { type Sorting, sortBatches } from './sort-batches.ts';

/** Says what would become of the batches of a file. It changes nothing. */
export async function previewWeighed(
  transaction: Transaction,
  context: SettlementContext,
  given: Sorting,
): Promise<PreviewedFile> {
  const { digest, lines, unread, unreadLines } = given.weighed;
  const isKnown = await findFile(transaction, given.acquirer.id, digest);
  const { sound, known, refused } = await sortBatches(transaction, context, given);
  return {
    digest,
    lines,
    isKnown,
    batches: [
      ...refused.map(({ sums, reason }) => ({ ...shown(sums), state: 'Refused' as const, reason })),
      ...sound.map((batch) => ({ ...shown(batch), state: 'New' as const, reason: null })),
      ...known.map((batch) => ({ ...shown(batch), state: 'Known' as const, reason: null })),
    ],
    unread,
    hasMoreUnread: unreadLines > unread.length,
  };
}

function shown({ name, merchantId, lines, currency, gross, fee, payout }: BatchSums) {
  return { batch: name, merchantId, lines, currency: lines === 0 ? null : currency, gross, fee, payout };
}
