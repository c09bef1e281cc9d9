import { OPERATOR, type PayeeId } from '../ids.ts';
import type { Background, BackgroundWork, RowOfWork, WorkOn } from './background.ts';

/** Milliseconds between two rounds. */
const INTERVAL_MS = 60_000;
/** Payees that are looked for at once. */
const PAYEES = 100;

/** What is to be done for payees, step by step. */
export interface Steps {
  readonly work: BackgroundWork;
  /** The next so many payees behind one, of those for whom something is to be done. */
  readonly find: (after: PayeeId, limit: number) => Promise<readonly RowOfWork[]>;
  /** Does the next step for one; whether there may be more to do at once. */
  readonly step: (payeeId: PayeeId) => Promise<boolean>;
}

/**
 * Does one step for each payee, and again: a payee with millions of rows keeps no other one waiting.
 *
 * @returns stops it, and waits for the round under way
 */
export function repeatSteps(background: Background, workOn: WorkOn, steps: Steps): () => Promise<void> {
  return background.repeat(steps.work, INTERVAL_MS, async (isStopped) => {
    while ((await stepForAll(workOn, steps, isStopped)) && !isStopped());
  });
}

async function stepForAll(workOn: WorkOn, { work, find, step }: Steps, isStopped: () => boolean): Promise<boolean> {
  let isMore = false;
  let after: PayeeId = OPERATOR;
  let found: readonly RowOfWork[];
  do {
    found = await find(after, PAYEES);
    await workOn(work, found, async (payees) => {
      for (const { payeeId } of payees) isMore = (await step(payeeId)) || isMore;
    });
    after = found.at(-1)?.payeeId ?? after;
  } while (found.length === PAYEES && !isStopped());
  return isMore;
}
