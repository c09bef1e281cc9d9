import type { Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { type Cause, prepareEffect } from '../apply-effect.rules.ts';
import type { Effect, LedgerContext, PaymentNumber } from '../ledger.types.ts';
import { requireNumber } from '../numbers.rules.ts';
import { takeNumbers } from '../payment-numbers.store.ts';
import { type Loaded, openWorkspace } from '../workspace.rules.ts';
import { workspaceCalls } from '../workspace-calls.ts';
import { readClock } from './read-ledger.store.ts';

/**
 * Numbers for payments that are about to be made outside of the queue, rising. The transaction must be for them alone, and
 * end before the one that uses them begins: see `takeNumbers`.
 *
 * @throws Refusal `unavailable` where the payee's numbers are used up
 */
export async function takePaymentNumbers(
  transaction: Transaction,
  payeeId: PayeeId,
  count: number,
): Promise<readonly number[]> {
  const { statement, values } = takeNumbers(new Map([[payeeId, count]]));
  const { rows } = await transaction.run<Pick<PaymentNumber, 'number'>>(statement, values);
  return Array.from({ length: count }, (_, place) => requireNumber(rows[place]?.number));
}

/** Accounts that are opened together, outside of the queue. */
export interface OpenAccounts {
  readonly cause: Cause;
  /** Of their payments, one for each: see `takePaymentNumbers`. */
  readonly paymentNumbers: readonly number[];
  /** What opens one of them, and touches no account beside. */
  readonly effect: (place: number, state: { readonly now: string; readonly paymentNumber: number }) => Effect;
}

/**
 * Opens many accounts in the caller's transaction, with what they hold from the beginning: payments, movements, audit and
 * events as a batch of the queue would write them. No other transaction knows these accounts yet, so none waits for
 * them, and there may be more than a batch has.
 *
 * @throws AssertionFailure where a number has got an account meanwhile: nothing was done, and the caller may come again
 */
export async function openAccounts(
  transaction: Transaction,
  context: LedgerContext,
  { cause, paymentNumbers, effect }: OpenAccounts,
): Promise<void> {
  const clock = readClock();
  const { rows } = await transaction.run<{ now: string }>(clock.statement, clock.values);
  const now = rows[0]?.now;
  assert(now !== undefined, 'the clock tells the time');
  const workspace = openWorkspace({ ...NOTHING_LOADED, now }, context);
  const effects = paymentNumbers.map((paymentNumber, place) => effect(place, { now, paymentNumber }));
  for (const opening of effects) prepareEffect(workspace, cause, opening).install();
  const calls = workspaceCalls(workspace, context);
  await Promise.all(
    calls.map(async ({ statement, values, expected }) => {
      const written = await transaction.run(statement, values);
      assert(written.count === expected, `${statement.name} adds every row`);
    }),
  );
}

const NOTHING_LOADED: Omit<Loaded, 'now'> = {
  accounts: [],
  rows: new Map(),
  held: new Map(),
  references: [],
  claimed: new Set(),
  numbers: new Set(),
  paymentNumbers: new Map(),
};
