import type { GuardedCall } from '../db/batch.types.ts';
import type { Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import { type Cause, prepareEffect } from './apply-effect.rules.ts';
import type { Effect } from './ledger.types.ts';
import { nextPaymentNumbers } from './payment-numbers.store.ts';
import { readClock } from './read-ledger.store.ts';
import { type Loaded, openWorkspace } from './workspace.rules.ts';
import { workspaceCalls } from './workspace-calls.ts';

/** Accounts that are opened together, outside of the queue. */
export interface OpenAccounts<Extra> {
  readonly cause: Cause;
  /** How many there are; each payment gets a number. */
  readonly count: number;
  /** What opens one of them, and touches no account beside. */
  readonly effect: (place: number, state: { readonly now: string; readonly paymentNumber: number }) => Effect<Extra>;
  /** Writes the rows of the caller's own tables. */
  readonly save: (extras: readonly Extra[]) => readonly GuardedCall[];
}

/**
 * Opens many accounts in the caller's transaction, with what they hold from the beginning: payments, movements, audit and
 * events as a batch of the queue would write them. Nobody else knows these accounts yet, so nobody waits for them, and
 * there may be more than a batch has.
 *
 * @returns the numbers of their payments
 * @throws BrokenBelief where a number has got an account meanwhile: nothing was done, and the caller may come again
 */
export async function openAccounts<Extra>(
  transaction: Transaction,
  { newId }: { readonly newId: () => string },
  { cause, count, effect, save }: OpenAccounts<Extra>,
): Promise<readonly number[]> {
  const [clock, free] = [readClock(), nextPaymentNumbers(count)];
  const [{ rows: instants }, { rows: numbers }] = await Promise.all([
    transaction.run<{ now: string }>(clock.statement, clock.values),
    transaction.run<{ number: number }>(free.statement, free.values),
  ]);
  const now = instants[0]?.now;
  assert(now !== undefined, 'the clock tells the time');
  const workspace = openWorkspace({ ...NOTHING_LOADED, now }, newId);
  const paymentNumbers = numbers.map(({ number }) => number);
  const effects = paymentNumbers.map((paymentNumber, place) => effect(place, { now, paymentNumber }));
  for (const opening of effects) prepareEffect(workspace, cause, opening).install();
  const calls = [...workspaceCalls(workspace), ...save(effects.flatMap(({ extras }) => extras ?? []))];
  await Promise.all(
    calls.map(async ({ statement, values, expected }) => {
      const written = await transaction.run(statement, values);
      assert(written.count === expected, `${statement.name} adds every row`);
    }),
  );
  return paymentNumbers;
}

const NOTHING_LOADED: Omit<Loaded, 'now'> = {
  accounts: [],
  payments: [],
  holds: new Map(),
  transactions: [],
  references: [],
  claimed: new Set(),
  numbers: new Set(),
  paymentNumbers: new Map(),
};
