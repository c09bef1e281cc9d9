import type { Read } from '../../../db/transaction.types.ts';
import type { AccountKey } from '../../../ledger/ledger.types.ts';
import { selectHistory } from './history.store.ts';
import type { HistoryEntry } from './history.types.ts';

/** Steps that a card's history shows, and cards that were emptied onto it: some milliseconds of work. */
const SHOWN = 200;

/**
 * What happened to a card beside money, the oldest first: how it began, what was asked of it, who did each of these things, and which
 * cards it stands for.
 */
export function cardHistory(read: Read, card: AccountKey): Promise<readonly HistoryEntry[]> {
  return selectHistory(read, card, SHOWN);
}
