import { PAYMENTS, type Payment } from '../accounts/account-payments.types.ts';
import { lacksCode } from '../accounts/identifying/decline.rules.ts';
import { failure, isBlocked, isKeptOff } from '../accounts/identifying/strikes.rules.ts';
import { hasRoomFor } from '../accounts/new-payment.rules.ts';
import { counted, limitPassed, turnoversIn } from '../accounts/turnover/turnover.rules.ts';
import type { Turnover } from '../accounts/turnover/turnover.types.ts';
import { assert } from '../kit/assert.ts';
import { countedAs } from '../kit/caller.ts';
import { forbidden, inputError, Refusal } from '../kit/errors.ts';
import { amountMinor } from '../kit/money.ts';
import type { Account, Decision, LedgerState } from '../ledger/ledger.types.ts';
import { requireNumber } from '../ledger/numbers.rules.ts';
import { depositOn } from './bulk/issue.rules.ts';
import type { DepositEcho, PreDepositCommand, PreDepositResult } from './gift-cards.types.ts';
import { refuseAmountOutside } from './products/products.rules.ts';

type Deciding = Decision<PreDepositResult>;

/**
 * Decides on a deposit. A known reference has its answer already, whatever the card is like by now. An unknown number, a
 * blocked card and a wrong code look the same; each is written down, and leaves the reference free.
 *
 * @throws Refusal `referencereused` where the reference came with other content
 * @throws Refusal `inputerror` for another currency, or an amount outside of the product's limits
 * @throws Refusal `forbidden`, problem `Deposit`, where the card has expired or may not hold so much
 * @throws Refusal `unavailable` where no number is left
 */
export function decidePreDeposit(state: LedgerState, command: PreDepositCommand): Deciding {
  const { taken, now } = state;
  if (taken !== undefined) return known(state.row(PAYMENTS, taken.objectId), taken.commandId, command);
  const account = command.accountId && state.account(command.accountId);
  if (account === undefined || !isOpenTo(account, command, now)) {
    return { answer: () => ({ kind: 'Failed' }), effect: failure(command, account, now) };
  }
  refuseImpossible(command, account, now);
  const turnovers = turnoversIn(state, command.turnovers);
  const limit = limitPassed(turnovers, 'Loaded', command.amount);
  if (limit !== undefined) return { answer: () => ({ kind: 'Limited', limit }) };
  return deposited(command, { account, now, turnovers, paymentNumber: requireNumber(state.paymentNumber) });
}

function known(payment: Payment | undefined, takenBy: string, command: PreDepositCommand): Deciding {
  assert(payment !== undefined, 'a reference of a deposit stands for its payment');
  if (takenBy !== command.commandId && !sameDeposit(command, payment)) {
    throw new Refusal('referencereused', 'transactionRef or orderRef stands for another deposit.', {
      problems: [{ name: command.referenceName, description: 'must be new, or come with the content that it had' }],
    });
  }
  return { answer: () => ({ kind: 'Done', payment }) };
}

/** Field by field, but for the code: one that is wrong this time tells the caller nothing. */
function sameDeposit(
  { accountId, amount, currency, paymentOrderRef, echo }: PreDepositCommand,
  payment: Payment,
): boolean {
  const stored = payment.echo as DepositEcho;
  return (
    accountId === payment.accountId &&
    amount === payment.amount &&
    currency === payment.currency &&
    paymentOrderRef === payment.paymentOrderRef &&
    echo.hasTransactionRef === stored.hasTransactionRef &&
    echo.words.description === stored.words.description &&
    echo.card.expiryMonth === stored.card.expiryMonth
  );
}

function isOpenTo(account: Account, { actor, amount, isWrong, verdict }: PreDepositCommand, now: string): boolean {
  if (account.kind !== 'StoredValue' || isWrong) return false;
  // Without money it is a question for the balance, and needs what that needs.
  if (amount === 0 && lacksCode(verdict, account)) return false;
  return !isBlocked(account, now) && !isKeptOff(account, countedAs(actor), now);
}

function refuseImpossible({ currency, amount, limits }: PreDepositCommand, account: Account, now: string): void {
  if (account.currency !== currency) throw inputError('currency', 'must be the currency of the card');
  if (limits !== undefined) refuseAmountOutside(limits, amount);
  if (account.expiresAt !== null && account.expiresAt <= now) throw forbidden('Deposit', 'The card has expired.');
  if (!hasRoomFor(account, amount)) throw forbidden('Deposit', 'The card may not hold so much.');
}

interface Loaded {
  readonly account: Account;
  readonly now: string;
  readonly turnovers: readonly Turnover[];
  readonly paymentNumber: number;
}

function deposited(command: PreDepositCommand, { account, now, turnovers, paymentNumber }: Loaded): Deciding {
  const { paymentId, amount, paymentOrderRef, paymentTransactionRef } = command;
  const balance = amountMinor(account.available + amount);
  const echo: DepositEcho = { ...command.echo, paymentNumber, balance };
  const { payment, effect, object } = depositOn(account, {
    deposit: { paymentId, amount, paymentOrderRef, paymentTransactionRef, echo },
    now,
    ...(amount > 0 && { event: 'payment.deposited' }),
  });
  return {
    answer: () => ({ kind: 'Done', payment }),
    effect: {
      ...effect,
      rows: [...effect.rows, ...counted(turnovers, 'Loaded', amount)],
      object,
      action: 'deposit-on-gift-card',
    },
  };
}
