import type { Read, Transact } from '../../db/transaction.types.ts';
import { OPERATOR, type PayeeId } from '../../kit/ids.ts';
import type { Background, RowOfWork, WorkOn } from '../../kit/work/background.ts';
import { keepSums } from './keep-sums.ts';
import { selectUnclosed } from './sums.store.ts';

/** Milliseconds between two rounds. */
const INTERVAL_MS = 60_000;
/** Payees that are looked for at once. */
const PAYEES = 100;

/** What the job needs. */
export interface SumsContext {
  readonly background: Background;
  readonly workOn: WorkOn;
  readonly read: Read;
  readonly transact: Transact;
}

/**
 * Starts keeping the sums of what payees owe on stored value, day by day.
 *
 * @returns stops it, and waits for the round under way
 */
export function startKeepingSums(
  { background, ...context }: SumsContext,
  intervalMs = INTERVAL_MS,
): () => Promise<void> {
  return background.repeat('sum-gift-cards', intervalMs, async (isStopped) => {
    // One step for each payee, and again: a payee with millions of cards keeps no other one waiting.
    while ((await stepForAll(context, isStopped)) && !isStopped());
  });
}

async function stepForAll(
  { read, transact, workOn }: Omit<SumsContext, 'background'>,
  isStopped: () => boolean,
): Promise<boolean> {
  let isMore = false;
  let after: PayeeId = OPERATOR;
  let found: readonly RowOfWork[];
  do {
    found = await selectUnclosed(read, after, PAYEES);
    await workOn('sum-gift-cards', found, async (payees) => {
      for (const { payeeId } of payees) isMore = (await transact((one) => keepSums(one, payeeId))) || isMore;
    });
    after = found.at(-1)?.payeeId ?? after;
  } while (found.length === PAYEES && !isStopped());
  return isMore;
}
