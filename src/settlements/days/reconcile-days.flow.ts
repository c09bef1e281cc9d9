import type { Transact } from '../../db/transaction.types.ts';
import { actionCodeOf } from '../../iso8583/answers.rules.ts';
import { compose } from '../../iso8583/compose.rules.ts';
import { currencyNumber } from '../../iso8583/currency.rules.ts';
import type { Message } from '../../iso8583/messages.types.ts';
import { timesOf } from '../../iso8583/times.ts';
import type { SettlementContext } from '../settlements.types.ts';
import type { DueDay } from './days.types.ts';
import { nameTotals, noteAnswer, noteSent, noteSilence } from './tell-totals.ts';
import { totalsFields } from './totals.rules.ts';

/** What telling totals needs. */
export interface ReconcileContext {
  readonly transact: Transact;
  readonly context: SettlementContext;
}

/** Tells acquirers the totals of closed days that were taken for it; what is not answered is told again later. */
export async function reconcileDays(given: ReconcileContext, due: readonly DueDay[]): Promise<void> {
  await Promise.all(due.map((day) => reconcileDay(given, day)));
}

async function reconcileDay({ transact, context }: ReconcileContext, day: DueDay): Promise<void> {
  const answer = await tell({ transact, context }, day);
  await transact(async (transaction) => {
    const isNoted = answer !== undefined && (await noteAnswer(transaction, context, { day, answer }));
    if (!isNoted) await noteSilence(transaction, day);
  });
}

/** The answer; undefined where none came, or there is no line to the acquirer. */
async function tell({ transact, context }: ReconcileContext, day: DueDay): Promise<Message | undefined> {
  const { hosts } = context;
  const link = hosts.link(day.acquirer);
  const acquirer = hosts.acquirers.find(({ id }) => id === day.acquirer);
  const agreement = hosts.agreement(day.payeeId, day.agreement);
  if (link === undefined || acquirer === undefined || agreement === undefined) return undefined;
  const named = await nameOf(day, () => hosts.newExchange(agreement));
  await transact((transaction) => nameTotals(transaction, day, named));
  const dialect = hosts.dialect(day.acquirer);
  const first = compose(dialect, {
    kind: 'Reconcile',
    fields: {
      ...timesOf(new Date(named.sentAt), dialect.timeZone),
      stan: named.stan,
      acquiringInstitution: acquirer.acquiringInstitution,
      forwardingInstitution: acquirer.forwardingInstitution,
      merchantId: day.merchantId,
      reconciliationDay: day.day.slice(2).replaceAll('-', ''),
      reconciliationNumber: '001',
      reconciliationCurrency: currencyNumber(day.currency),
      ...totalsFields(day),
    },
  });
  const type = day.wasSent ? first.type.slice(0, -1) + dialect.repeatDigit : first.type;
  const { sendMs, answerMs } = acquirer;
  let noted: Promise<void> | undefined;
  const handedOver = () => {
    // Where it cannot be noted, the message is sent as the first again: the acquirer knows it by its name.
    noted = transact((transaction) => noteSent(transaction, day)).catch(() => undefined);
  };
  const asked = await link.ask({ message: { ...first, type }, sendMs, answerMs, handedOver });
  await noted;
  return asked.outcome === 'Answered' && actionCodeOf(asked.answer) !== '' ? asked.answer : undefined;
}

async function nameOf(
  { stan, sentAt }: DueDay,
  newExchange: () => Promise<{ readonly stan: string; readonly sentAt: string }>,
): Promise<{ readonly stan: string; readonly sentAt: string }> {
  return stan === null || sentAt === null ? newExchange() : { stan, sentAt };
}
