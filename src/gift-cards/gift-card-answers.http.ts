import { linksOf, type Operation, operation, path } from '../http/operations.ts';
import { GIFT_CARD_PATH } from './cards/life-answers.http.ts';
import type { ShownCard } from './get-new-gift-card.ts';
import type { DepositEcho } from './gift-cards.types.ts';
import type { NewGiftCardAnswer, PreDepositAnswer } from './gift-cards.wire.ts';

type Payment = ShownCard['payment'];

/** A new card with its number and code: shown in this answer, and for a day in those to its repetitions. */
export function newGiftCardAnswer(card: ShownCard, baseUrl: string): NewGiftCardAnswer {
  const { payment, paymentNumber, accountKey, cvc, currency, expiresOn } = card;
  const possible = [...depositOperations(card.payment, baseUrl), ...cardOperations(payment.accountId, baseUrl)];
  return {
    _links: linksOf(depositHref(payment, baseUrl), possible),
    operations: possible,
    accountSummaryGiftCard: {
      accountId: payment.accountId,
      accountKey,
      balance: (payment.echo as DepositEcho).balance,
      currency,
      cvc,
      expiryDate: expiresOn,
    },
    paymentId: paymentNumber,
  };
}

/** A deposit, as it was when it was made. */
export function preDepositAnswer(payment: Payment, baseUrl: string): PreDepositAnswer {
  const { balance, paymentNumber } = payment.echo as DepositEcho;
  const possible = [...depositOperations(payment, baseUrl), ...cardOperations(payment.accountId, baseUrl)];
  return {
    _links: linksOf(depositHref(payment, baseUrl), possible),
    operations: possible,
    balance,
    paymentId: paymentNumber,
  };
}

/** A deposit is an account payment too: there it is read, and taken back. */
function depositHref({ accountId, echo }: Payment, baseUrl: string): string {
  const { paymentNumber } = echo as DepositEcho;
  return `${baseUrl}${path`/api/payments/payment-account/${accountId}/payment/${String(paymentNumber)}`}`;
}

function depositOperations(payment: Payment, baseUrl: string): Operation[] {
  const href = depositHref(payment, baseUrl);
  const canBeTakenBack = payment.state === 'OK' && payment.captured > payment.reversed;
  return [
    operation('GET', 'get-payment', href),
    ...(canBeTakenBack ? [operation('POST', 'create-reversal', `${href}/reversal`)] : []),
  ];
}

/** Where the card tells what can be done in its life, and what can be done with its money. */
function cardOperations(accountId: string, baseUrl: string): Operation[] {
  const href = `${baseUrl}${path`/api/payments/payment-account/${accountId}/payment`}`;
  return [
    operation('GET', 'get-gift-card', `${baseUrl}${path`/api/payments/gift-card/${accountId}`}`),
    operation('POST', 'create-authorization', `${href}/authorize`),
    operation('POST', 'create-purchase', `${href}/purchase`),
    operation('POST', 'create-deposit', `${baseUrl}${GIFT_CARD_PATH}/pre-deposit`),
  ];
}
