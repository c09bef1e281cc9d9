import type { Circumstances, SentCode } from '../accounts/accounts.types.ts';
import { UNKNOWN_NUMBER_LIMIT } from '../accounts/ask-balance.ts';
import { LOOK_UP } from '../accounts/command-kinds.ts';
import { cardOf, maskIdentifier } from '../accounts/identifier.rules.ts';
import { judgeCard } from '../accounts/judge-card.ts';
import type { Transaction } from '../db/transaction.types.ts';
import type { Actor } from '../kit/caller.ts';
import { maskCardNumber } from '../kit/card-number.ts';
import { inputError, notFound } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { amountMinor, type Currency, parseCurrency, ZERO_MINOR } from '../kit/money.ts';
import { type Secret, sha256 } from '../kit/secret.ts';
import { findAccountByNumber } from '../ledger/account-number.ts';
import type { KnownAccount, Payment, PaymentId } from '../ledger/ledger.types.ts';
import { checkAttempts, countAttempt } from '../merchants/count-attempt.ts';
import { PRE_DEPOSIT } from './gift-card-kinds.ts';
import type { GiftCardsWorld, PreDepositCommand } from './gift-cards.types.ts';

/** A request for a deposit. */
export interface PreDeposit {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  readonly amount: number;
  readonly currency: string;
  readonly description: string | undefined;
  readonly orderRef: string;
  readonly transactionRef: string | undefined;
  readonly card: {
    readonly accountKey: Secret;
    readonly cvc: SentCode | undefined;
    /** `MM/YY`. */
    readonly expiryDate: string | undefined;
  };
  readonly circumstances: Circumstances;
  /** Whether unknown numbers count against a limit of whoever asks. */
  readonly isLimited: boolean;
}

/**
 * The account behind the number; undefined where there is none, which counts.
 *
 * @throws Refusal `toomanyrequests` where the credential has tried too many unknown numbers
 */
export async function findForDeposit(
  transaction: Transaction,
  world: GiftCardsWorld,
  { payeeId, actor, isLimited, card }: PreDeposit,
): Promise<KnownAccount | undefined> {
  const subject = { payeeId, digest: sha256(actor.name) };
  if (isLimited) await checkAttempts(transaction, subject, UNKNOWN_NUMBER_LIMIT);
  const account = await findAccountByNumber(transaction, world, { payeeId, number: card.accountKey });
  if (account === undefined && isLimited) await countAttempt(transaction, subject, UNKNOWN_NUMBER_LIMIT);
  return account;
}

/**
 * Deposits on a card, or tells what an earlier request with this reference did.
 *
 * @returns the payment that the deposit is
 * @throws Refusal `notfound` where the number is unknown or its card blocked, or the cvc or expiry is wrong: from outside
 * these look the same, and take the same work
 * @throws Refusal as `decidePreDeposit`
 */
export async function preDeposit(
  world: GiftCardsWorld,
  request: PreDeposit,
  account: KnownAccount | undefined,
): Promise<Payment> {
  const currency = currencyOf(request.currency);
  if (account === undefined) return asLongAsAWrongCode(world, request);
  const limits = await world.findLimits({ payeeId: request.payeeId, accountId: account.accountId });
  const result = await world.submit(PRE_DEPOSIT, { ...commandOf(world, request, account), currency, limits });
  if (result.kind === 'WrongCode') throw notFound();
  return result.payment;
}

/**
 * A currency as it was written.
 *
 * @throws Refusal `inputerror`
 */
export function currencyOf(text: string): Currency {
  const currency = parseCurrency(text);
  if (currency === undefined) throw inputError('currency', 'must be a code of ISO 4217, as in NOK');
  return currency;
}

/** A wrong code is written down, in a batch. So an unknown number has one as well, which takes a reference and gives it back. */
async function asLongAsAWrongCode({ submit, newId }: GiftCardsWorld, { payeeId, actor }: PreDeposit): Promise<never> {
  const unusedId = newId() as PaymentId;
  await submit(LOOK_UP, { payeeId, actor, commandId: newId(), reference: unusedId, unusedId });
  throw notFound();
}

function commandOf(
  world: GiftCardsWorld,
  request: PreDeposit,
  account: KnownAccount,
): Omit<PreDepositCommand, 'currency' | 'limits'> {
  const { payeeId, actor, amount, orderRef, transactionRef, description, circumstances } = request;
  const identifier = { ...NOT_SENT, ...request.card };
  const verdict = judgeCard(world.keyRing, account, identifier, cardOf(identifier));
  return {
    payeeId,
    actor,
    commandId: world.newId(),
    accountId: account.accountId,
    paymentId: world.newId() as PaymentId,
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
