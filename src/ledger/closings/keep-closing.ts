import type { Closing, ClosingStep, Closings } from '../../db/closings.types.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import type { PayeeId } from '../../kit/ids.ts';

/** Entries, movements or sums that one transaction looks at: some tenths of a second of work. */
const PORTION = 10_000;

/** What is summed, and how far it is known. */
export interface Summing<Known extends Closing> {
  readonly closings: Closings<Known>;
  /** Sums the next so many rows from the beginning on, and notes how far they go; whether these were the last ones. */
  readonly fill: (transaction: Transaction, closing: Known, portion: number) => Promise<boolean>;
  /** Sums what has happened since the sums were closed, up to an instant. */
  readonly close: (transaction: Transaction, closing: Known, to: string) => Promise<void>;
}

type Step<Known extends Closing> = (transaction: Transaction, closing: Known, portion: number) => Promise<unknown>;

function stepsOf<Known extends Closing>(
  summing: Summing<Known>,
): Readonly<Record<Exclude<ClosingStep, 'rest'>, Step<Known>>> {
  const { closings, fill, close } = summing;
  return {
    move: (transaction, closing) => closings.reopenClosing(transaction, closing),
    mark: (transaction, closing) => closings.markClosing(transaction, closing),
    advance: (transaction, closing) => closings.advanceClosing(transaction, closing),
    async forget(transaction, closing, portion) {
      const deleted = await closings.deleteSums(transaction, closing, portion);
      if (deleted < portion) await closings.beginClosing(transaction, closing);
    },
    async fill(transaction, closing, portion) {
      const isWhole = await fill(transaction, closing, portion);
      if (isWhole) await closings.noteClosed(transaction, closing, closing.closingTo ?? '');
    },
    async close(transaction, closing, portion) {
      const to = await closings.selectNextEnd(transaction, closing, portion);
      await close(transaction, closing, to);
      await closings.noteClosed(transaction, closing, to);
    },
  };
}

/**
 * Takes the sums of a payee's days one step further. Nothing that is written later with an earlier time is lost: the database has the sums
 * made anew then, and each portion waits until all that write know what is being closed.
 *
 * @returns whether there may be more to do at once
 */
export async function keepClosing<Known extends Closing>(
  transaction: Transaction,
  summing: Summing<Known>,
  payeeId: PayeeId,
  portion = PORTION,
): Promise<boolean> {
  await summing.closings.insertClosing(transaction, payeeId);
  const closing = await summing.closings.lockClosing(transaction, payeeId);
  if (closing === undefined) return false;
  const step = nextStep(closing);
  if (step === 'rest') return false;
  assert(portion > 0, 'each step does something');
  await stepsOf(summing)[step](transaction, closing, portion);
  return true;
}

/** What is to be done next for the sums of a payee. Each step is done by one transaction; any may be the last one of a process. */
function nextStep(closing: Closing): ClosingStep {
  const { hasMoved, closedTo, closingTo, isMarked, isSettled, latest } = closing;
  if (closingTo === null) return 'forget';
  if (hasMoved) return 'move';
  if (closedTo === closingTo) return closingTo < latest ? 'advance' : 'rest';
  if (!isMarked) return 'mark';
  if (!isSettled) return 'rest';
  return closedTo === null ? 'fill' : 'close';
}
