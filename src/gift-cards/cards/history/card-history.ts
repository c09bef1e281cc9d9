import type { Read } from '../../../db/transaction.types.ts';
import type { AccountKey } from '../../../ledger/ledger.types.ts';
import { selectActorNames, selectHistory } from './history.store.ts';
import type { HistoryEntry } from './history.types.ts';

/** Steps that a card's history shows, and cards that were emptied onto it: some milliseconds of work. */
const SHOWN = 200;

/**
 * What happened to a card beside money, the oldest first: how it began, what was asked of it, who did each of these things, and which
 * cards it stands for.
 */
export async function cardHistory(read: Read, card: AccountKey): Promise<readonly HistoryEntry[]> {
  const entries = await selectHistory(read, card, SHOWN);
  const actors = new Set(entries.flatMap(({ actor }) => actor ?? []));
  const names = await selectActorNames(read, card.payeeId, [...actors]);
  return entries.map((entry) => ({ ...entry, actorName: names.get(entry.actor ?? '') ?? null }));
}
