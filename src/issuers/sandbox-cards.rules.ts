import { Secret } from '../kit/secret.ts';

/** First digits of the test cards whose holder has to be authenticated: one range of Visa and one of Mastercard. */
const AUTHENTICATED = ['476173', '522661'];

/** Whether the sandbox authenticates the holder of a card (3-D Secure). */
export function sandboxNeedsAuthentication(number: Secret): boolean {
  return AUTHENTICATED.some((prefix) => number.reveal().startsWith(prefix));
}

/** A card to try a sandbox with. */
export interface SandboxTestCard {
  readonly number: string;
  /** `MM/YY`; any other that is not past does as well. */
  readonly expiryDate: string;
  /** Any other of this length does as well. */
  readonly cvc: string;
  readonly threeDSecure: boolean;
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

/** The sandbox's test cards, those whose holder has to be authenticated last. */
export const SANDBOX_TEST_CARDS: readonly SandboxTestCard[] = NUMBERS.map((number) => ({
  number,
  expiryDate: '12/39',
  cvc: number.startsWith('37') ? '1234' : '123',
  threeDSecure: sandboxNeedsAuthentication(new Secret(number)),
}));
