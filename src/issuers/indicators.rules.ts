import { brandOf } from '../kit/cards/brands.ts';
import type { Secret } from '../kit/secret.ts';

// Electronic commerce indicators: how a scheme is told what came of 3-D Secure (EMV 3-D Secure, and the schemes' own rules).

/** Brands whose schemes have the same indicators. */
const MASTERCARD_LIKE = ['Mastercard', 'Maestro'];

/** Indicators of a scheme: who was authenticated, where only an attempt was made, and where neither. */
interface Indicators {
  readonly full: string;
  readonly attempted: string;
  readonly none: string;
  readonly exempted: string;
  /** All that leave the risk with the merchant, as a directory server may say them. */
  readonly unshifted: readonly string[];
}
const VISA: Indicators = { full: '05', attempted: '06', none: '07', exempted: '07', unshifted: ['07'] };
const MASTERCARD: Indicators = { full: '02', attempted: '01', none: '00', exempted: '06', unshifted: ['00', '04'] };

/** The indicators of a brand's scheme. */
export function indicatorsOf(scheme: string): Indicators {
  return MASTERCARD_LIKE.includes(scheme) ? MASTERCARD : VISA;
}

/** Those of a card's scheme, by how its number begins. */
export function indicatorsOfCard(number: Secret): Indicators {
  return indicatorsOf(brandOf(number.reveal()) ?? '');
}

/** Whether a card is Mastercard's or Maestro's, by how its number begins. */
export function isMastercardLike(number: Secret): boolean {
  return indicatorsOfCard(number) === MASTERCARD;
}
