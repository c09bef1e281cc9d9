import type { Transact } from '../../db/transaction.types.ts';
import type { Acquirer } from '../../issuers/acquirers/acquirers.types.ts';
import { businessDayOf } from '../../issuers/acquirers/business-day.rules.ts';
import { type Actor, SERVICE } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { SettlementContext } from '../settlements.types.ts';
import { lastDayToClose } from './business-day.rules.ts';
import { closeDay, findOpenDays } from './close-day.ts';
import { collectAnswers } from './collect-answers.flow.ts';
import type { ClosingDay, DaysAsked } from './days.types.ts';
import { sumInPortions } from './sum-items.flow.ts';

/** Closes all days of an acquirer whose time has come. */
export async function closeDueDays(
  transact: Transact,
  context: SettlementContext,
  acquirer: Acquirer,
  now: Date,
): Promise<void> {
  const asked = { to: lastDayToClose(now.getTime(), acquirer), isOne: false };
  await closeDays(transact, context, { acquirer, asked, actor: SERVICE });
}

/** Who closes which day, and whose. */
export interface CloseByHand extends Pick<Closing, 'payeeId' | 'actor'> {
  readonly day: string;
  readonly now: Date;
}

/**
 * Closes one day of all acquirers, for a person: of all payees, or of one. Twice is as once.
 *
 * @throws Trouble where it has not begun
 */
export async function closeByHand(
  transact: Transact,
  context: SettlementContext,
  { day, payeeId, actor, now }: CloseByHand,
): Promise<readonly ClosingDay[]> {
  const closed: ClosingDay[] = [];
  for (const acquirer of context.hosts.acquirers) {
    if (day > businessDayOf(now.getTime(), acquirer)) throw new Trouble('That day has not begun.');
    const asked = { to: day, isOne: true };
    closed.push(...(await closeDays(transact, context, { acquirer, asked, actor, payeeId })));
  }
  return closed;
}

interface Closing {
  readonly acquirer: Acquirer;
  readonly asked: DaysAsked;
  readonly actor: Actor;
  /** Undefined: of all payees. */
  readonly payeeId?: PayeeId | undefined;
}

/** Closes days, each in a transaction of its own: the first that cannot be closed is told after all others were. */
async function closeDays(
  transact: Transact,
  context: SettlementContext,
  { acquirer, asked, actor, payeeId }: Closing,
): Promise<readonly ClosingDay[]> {
  const { reconciliation: isReconciled } = acquirer;
  await collectAnswers(transact, context, acquirer);
  const open = await transact((transaction) => findOpenDays(transaction, acquirer.id, asked));
  const closed: ClosingDay[] = [];
  const failures: unknown[] = [];
  for (const day of open.filter((one) => payeeId === undefined || one.payeeId === payeeId)) {
    try {
      const summed = await sumInPortions(transact, day);
      const closing = { open: day, summed, isReconciled, actor };
      const one = await transact((transaction) => closeDay(transaction, context, closing));
      if (one !== undefined) closed.push(one);
    } catch (error) {
      // A database that is away or busy is no day's own.
      if (error instanceof Refusal) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return closed;
}
