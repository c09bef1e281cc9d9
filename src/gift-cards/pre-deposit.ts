import type { Payment } from '../accounts/account-payments.types.ts';
import type { Circumstances, SentCode } from '../accounts/accounts.types.ts';
import { isWrong } from '../accounts/identifying/decline.rules.ts';
import { cardOf, maskIdentifier, shortExpiry } from '../accounts/identifying/identifier.rules.ts';
import { decoyAccount, judgeCard } from '../accounts/identifying/judge-card.ts';
import { checkLookUps, countLookUp, type LookingUp } from '../accounts/identifying/limit-look-ups.ts';
import { overLimit, turnoversOf } from '../accounts/turnover/turnover.rules.ts';
import type { Transaction } from '../db/transaction.types.ts';
import { maskCardNumber } from '../kit/cards/card-number.ts';
import { inputError } from '../kit/errors.ts';
import { amountMinor, type Currency, parseCurrencyInUse, ZERO_MINOR } from '../kit/money.ts';
import type { Secret } from '../kit/secret.ts';
import { currentDigest, findAccountByNumber } from '../ledger/accounts/account-number.ts';
import type { AccountId, KnownAccount, PaymentId } from '../ledger/ledger.types.ts';
import { PRE_DEPOSIT } from './gift-card-kinds.ts';
import type { PreDepositCommand } from './gift-cards.types.ts';
import type { GiftCardsContext } from './gift-cards-context.types.ts';

/** A request for a deposit. */
export interface PreDeposit extends LookingUp {
  readonly amount: number;
  readonly currency: string;
  readonly description: string | undefined;
  readonly orderRef: string;
  readonly transactionRef: string | undefined;
  readonly card: {
    readonly accountKey: Secret;
    readonly cvc: SentCode | undefined;
    /** As it was sent. */
    readonly expiryDate: string | undefined;
  };
  readonly circumstances: Circumstances;
}

/**
 * The account behind the number; undefined where there is none.
 *
 * @throws Refusal `toomanyrequests` as `checkLookUps`
 */
export async function findForDeposit(
  transaction: Transaction,
  context: GiftCardsContext,
  request: PreDeposit,
): Promise<KnownAccount | undefined> {
  await checkLookUps(transaction, request);
  return findAccountByNumber(transaction, context.keyRing, {
    payeeId: request.payeeId,
    number: request.card.accountKey,
  });
}

/**
 * Deposits on a card, or tells what an earlier request with this reference did. A number that is unknown goes the same way
 * as a card whose code is wrong, to the last statement: from outside these look the same, and take the same time.
 *
 * @returns the payment that the deposit is; undefined where the number is unknown or its card blocked, or the cvc or expiry is
 * wrong, which is for the caller to count
 * @throws Refusal as `decidePreDeposit`, and `forbidden`, problem `Deposit`, where a limit of the product would be passed
 */
export async function preDeposit(
  context: GiftCardsContext,
  request: PreDeposit,
  account: KnownAccount | undefined,
): Promise<Payment | undefined> {
  const { payeeId } = request;
  const currency = currencyOf(request.currency);
  const judged = account ?? decoyAccount(context.keyRing, payeeId);
  const command = commandOf(context, request, judged);
  const accountId = account?.accountId ?? (context.newId() as AccountId);
  const limits = await context.findLimits({ payeeId, accountId });
  const turnovers = turnoversOf({ payeeId, accountId }, limits);
  const asked = { ...command, accountId: account?.accountId, currency, limits, turnovers };
  const result = await context.submit(PRE_DEPOSIT, asked);
  if (result.kind === 'Limited') {
    const { actor, amount } = command;
    await context.noteLimitReached({ payeeId, actor, accountId, limit: result.limit, amount, currency });
    throw overLimit('Deposit', result.limit);
  }
  return result.kind === 'Failed' ? undefined : result.payment;
}

/**
 * A currency as it was written.
 *
 * @throws Refusal `inputerror`
 */
export function currencyOf(text: string): Currency {
  const currency = parseCurrencyInUse(text);
  if (currency === undefined) throw inputError('currency', 'must be a code of ISO 4217 that is in use, as in NOK');
  return currency;
}

/** Counts a deposit that found no card; throws as `countLookUp`. */
export function countFailedDeposit(transaction: Transaction, request: PreDeposit): Promise<void> {
  return countLookUp(transaction, request);
}

function commandOf(
  context: GiftCardsContext,
  request: PreDeposit,
  account: KnownAccount,
): Omit<PreDepositCommand, 'accountId' | 'currency' | 'limits' | 'turnovers'> {
  const { payeeId, actor, amount, orderRef, transactionRef, description, circumstances } = request;
  const { expiryDate } = request.card;
  const identifier = { ...NOT_SENT, ...request.card, expiryDate: expiryDate && shortExpiry(expiryDate) };
  const verdict = judgeCard(context.keyRing, account, identifier, cardOf(identifier));
  return {
    payeeId,
    actor,
    commandId: context.newId(),
    numberDigest: currentDigest(context.keyRing, { payeeId, number: request.card.accountKey }),
    isWrong: isWrong(verdict, account),
    paymentId: context.newId() as PaymentId,
    amount: amountMinor(amount),
    paymentOrderRef: orderRef,
    paymentTransactionRef: transactionRef ?? orderRef,
    referenceName: transactionRef === undefined ? 'orderRef' : 'transactionRef',
    verdict,
    echo: {
      accountIdentifier: maskIdentifier(identifier),
      words: { ...(description !== undefined && { description }) },
      circumstances,
      allowedProductIds: account.allowedProductIds,
      issuer: account.issuer,
      card: {
        matches: true,
        numberMasked: maskCardNumber(request.card.accountKey.reveal()),
        expiryMonth: verdict.expiryMonth ?? null,
      },
      hasTransactionRef: transactionRef !== undefined,
      balance: ZERO_MINOR,
    },
  };
}

/** What a deposit does not take of a card. */
const NOT_SENT = { accountId: undefined, securityCode: undefined, encryptedPin: undefined, track2: undefined };
