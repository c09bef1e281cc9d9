import type { ProblemKind } from '../errors.ts';

/**
 * Why a card is declined: the registry of the codes under `errordetail/creditcard/`. A decline is an outcome and no HTTP
 * error; `status` is what it says of itself. Append-only, as `PROBLEMS` is.
 */
export const CARD_PROBLEMS = {
  carddeclined: {
    status: 403,
    title: 'The card was declined',
    retryable: false,
    meaning: 'The issuer does not pay with this card. No money was moved.',
    when: 'The card is unknown or blocked, its code or expiry is wrong, it has another currency, it must not be spent on this product, or the issuer gives no reason. From outside these look the same.',
    next: 'Ask the payer to check what they typed, or to pay in another way. A new try needs a new reference.',
  },
  acquirerinsufficientfunds: {
    status: 403,
    title: 'There is not enough money on the card',
    retryable: false,
    meaning: 'The card is good, but less is available on it than was asked for. No money was moved.',
    when: 'The amount is above the balance less what is held for other payments.',
    next: 'Ask for the balance, and split the payment or let the payer pay in another way.',
  },
  acquirercardexpired: {
    status: 403,
    title: 'The card has expired',
    retryable: false,
    meaning: 'The month in which the card expires is over. No money was moved.',
    when: 'The expiry of the card, or the one that was sent with it, lies in the past.',
    next: 'Ask the payer for another card.',
  },
  acquirercardstolen: {
    status: 403,
    title: 'The card is reported as lost or stolen',
    retryable: false,
    meaning: 'The issuer says that this card must not be used for payments. No money was moved.',
    when: 'Its holder has reported the card.',
    next: 'Do not try again. Ask for another card.',
  },
  acquirerpossiblefraud: {
    status: 403,
    title: 'The issuer suspects fraud',
    retryable: false,
    meaning: 'The issuer took this payment for a fraud. No money was moved.',
    when: 'The payment does not look like those that the card usually makes.',
    next: 'Do not try again. The payer can ask the issuer.',
  },
  acquirerinvalidamount: {
    status: 403,
    title: 'The issuer does not accept the amount',
    retryable: false,
    meaning: 'The amount is not one that the issuer works with. No money was moved.',
    when: 'It is too small, too large, or not possible in this currency.',
    next: 'Check the amount and its currency; send it with a new reference.',
  },
  acquirererror: {
    status: 403,
    title: 'The acquirer could not do it',
    retryable: false,
    meaning: 'The acquirer refused for a reason of its own. No money was moved.',
    when: 'The agreement with the acquirer does not cover the card or the operation, or its systems failed.',
    next: 'Try later with a new reference. If it stays, ask the acquirer.',
  },
  acquirergatewayerror: {
    status: 502,
    title: 'The way to the acquirer failed',
    retryable: false,
    meaning: 'The acquirer answered with a fault. No money was moved.',
    when: 'A system between this service and the issuer is out of order.',
    next: 'Try later with a new reference.',
  },
  acquirergatewaytimeout: {
    status: 504,
    title: 'The acquirer did not answer',
    retryable: false,
    meaning: 'No answer came in time, so it was not known what became of the payment. It is reversed.',
    when: 'The acquirer or the issuer is slow or cannot be reached.',
    next: 'Repeat with the same reference to learn the outcome; pay with a new one.',
  },
  '3dsecuredeclined': {
    status: 403,
    title: 'The payer was not authenticated',
    retryable: false,
    meaning: '3-D Secure did not confirm that the payer is the holder of the card. No money was moved.',
    when: 'The challenge was failed or refused.',
    next: 'Let the payer try again, or pay in another way.',
  },
  '3dsecureusercancelled': {
    status: 403,
    title: 'The payer cancelled the authentication',
    retryable: false,
    meaning: 'The payer left 3-D Secure without an answer. No money was moved.',
    when: 'The payer pressed cancel, or closed the challenge.',
    next: 'Let the payer try again, or pay in another way.',
  },
  authenticationrequired: {
    status: 403,
    title: 'The issuer wants the payer to be authenticated',
    retryable: false,
    meaning: 'The issuer pays only once 3-D Secure has confirmed the payer. No money was moved.',
    when: 'The issuer asked for authentication, and the payer was not there: the merchant made the payment.',
    next: 'Let the payer make the payment, on the payment page.',
  },
  checkfailed: {
    status: 403,
    title: 'The security code or the address is not that of the card',
    retryable: false,
    meaning:
      'The acquirer would have paid, and said that the security code or the billing address is wrong. The payee does not take that: what was reserved is given back.',
    when: 'The payment says `rejectCvcMismatch` or `rejectAddressMismatch`, and `cvcResult` or `addressResult` is `N`.',
    next: 'Ask the payer to check the code and the address, or for another card.',
  },
  velocitycheck: {
    status: 429,
    title: 'The card was declined too often',
    retryable: false,
    meaning:
      'This service does not try the card again for a while. That is its own rule: no issuer was asked. No money was moved.',
    when: 'It was declined 20 times within an hour. Or the merchant charges it sooner than its issuer has allowed after a decline, or after as many declines in 30 days as card schemes allow.',
    next: 'Wait, or let the payer pay in another way.',
  },
} as const satisfies Record<string, ProblemKind>;

/** Why a card was declined. */
export type CardProblemCode = keyof typeof CARD_PROBLEMS;

/** Whether a stored text is one of the codes. */
export function isCardProblemCode(text: string): text is CardProblemCode {
  return Object.hasOwn(CARD_PROBLEMS, text);
}
