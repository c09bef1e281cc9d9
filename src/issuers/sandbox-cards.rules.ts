import type { Secret } from '../kit/secret.ts';

/** First digits of the test cards whose holder has to be authenticated: one range of Visa and one of Mastercard. */
const AUTHENTICATED = ['476173', '522661'];

/** Whether the sandbox authenticates the holder of a card (3-D Secure). */
export function sandboxNeedsAuthentication(number: Secret): boolean {
  return AUTHENTICATED.some((prefix) => number.reveal().startsWith(prefix));
}
