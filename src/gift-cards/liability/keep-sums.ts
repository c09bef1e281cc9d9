import type { Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { nextStep } from './sums.rules.ts';
import {
  advanceClosing,
  beginClosing,
  closeSums,
  deleteSums,
  fillSums,
  insertClosing,
  lockClosing,
  markClosing,
  noteClosed,
  noteFilled,
  reopenClosing,
  selectNextEnd,
} from './sums.store.ts';
import type { Closing, ClosingStep } from './sums.types.ts';

/** Entries, movements or sums that one transaction looks at: some tenths of a second of work. */
const PORTION = 10_000;

type Step = (transaction: Transaction, closing: Closing, portion: number) => Promise<unknown>;

const STEPS: Readonly<Record<Exclude<ClosingStep, 'rest'>, Step>> = {
  move: reopenClosing,
  mark: markClosing,
  advance: advanceClosing,
  async forget(transaction, closing, portion) {
    if ((await deleteSums(transaction, closing, portion)) < portion) await beginClosing(transaction, closing);
  },
  async fill(transaction, closing, portion) {
    const filled = await fillSums(transaction, closing, portion);
    if (filled.entries === portion) await noteFilled(transaction, closing, filled);
    else await noteClosed(transaction, closing, closing.closingTo ?? '');
  },
  async close(transaction, closing, portion) {
    const to = await selectNextEnd(transaction, closing, portion);
    await closeSums(transaction, closing, to);
    await noteClosed(transaction, closing, to);
  },
};

/**
 * Takes the sums of what a payee owes on stored value one step further. Nothing that is written later with an earlier time is lost: the
 * database has the sums made anew then, and each portion waits until all that write know what is being closed.
 *
 * @returns whether there may be more to do at once
 */
export async function keepSums(transaction: Transaction, payeeId: PayeeId, portion = PORTION): Promise<boolean> {
  await insertClosing(transaction, payeeId);
  const closing = await lockClosing(transaction, payeeId);
  if (closing === undefined) return false;
  const step = nextStep(closing);
  if (step === 'rest') return false;
  assert(portion > 0, 'each step does something');
  await STEPS[step](transaction, closing, portion);
  return true;
}
