import { brandOf } from '../../src/kit/cards/brands.ts';
import { Secret } from '../../src/kit/secret.ts';
import type { TestCard } from '../../src/payments/payments.types.ts';

/** First digits of the test cards whose holder has to be authenticated: one range of Visa and one of Mastercard. */
const AUTHENTICATED = ['476173', '522661'];

/** Whether the sandbox authenticates the holder of a card (3-D Secure). */
export function sandboxNeedsAuthentication(number: Secret): boolean {
  return AUTHENTICATED.some((prefix) => number.reveal().startsWith(prefix));
}

const NUMBERS = [
  '4925000000000004',
  '4581097032723517',
  '5226600159865967',
  '5226603115488031',
  '377601000000000',
  '5019994016316467',
  '6764429999947470',
  '3569990010082211',
  '36148201829798',
  '4761739001010416',
  '5226612199533406',
];

/**
 * The sandbox's test cards, those whose holder has to be authenticated last. Any other date that is not past, and any other code
 * of this length, does as well.
 */
export const SANDBOX_TEST_CARDS: readonly TestCard[] = NUMBERS.map((number) => ({
  number,
  brand: brandOf(number) ?? 'Unknown',
  expiry: '12/39',
  cvc: number.startsWith('37') ? '1234' : '123',
  needsAuthentication: sandboxNeedsAuthentication(new Secret(number)),
}));
