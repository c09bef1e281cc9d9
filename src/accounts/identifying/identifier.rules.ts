import { maskCardNumber } from '../../kit/cards/card-number.ts';
import { inputError } from '../../kit/errors.ts';
import { Secret } from '../../kit/secret.ts';
import type { MaskedIdentifier, SentCode, SentIdentifier } from '../accounts.types.ts';

/** What stands for a secret in every answer: of one length, whatever was sent (PCI DSS 4.0.1, 3.3.1). */
const HIDDEN = '***';

/** The number and the expiry in track 2 (ISO/IEC 7813): number, separator, YYMM, service code, discretionary data. */
const TRACK_2 = /^([0-9]{8,19})[=D]([0-9]{2})([0-9]{2})/;

/** What a request tells of the card: its number and, where it says so, the month it expires in. */
export interface SentCard {
  readonly number: Secret;
  /** `YYYY-MM`. */
  readonly expiryMonth: string | undefined;
}

/**
 * The card that an identifier names.
 *
 * @throws Refusal `inputerror` where it names none, or two that differ
 */
export function cardOf({ accountKey, track2, expiryDate }: SentIdentifier): SentCard {
  const track = track2 === undefined ? undefined : readTrack2(track2);
  const number = accountKey ?? track?.number;
  if (number === undefined) {
    throw inputError('accountIdentifier.accountKey', 'is required where track2 is absent');
  }
  if (track !== undefined && track.number.reveal() !== number.reveal()) {
    throw inputError('accountIdentifier.track2', 'must be of the card that accountKey names');
  }
  const expiryMonth = expiryDate === undefined ? undefined : monthOfExpiry(expiryDate);
  if (track !== undefined && expiryMonth !== undefined && track.expiryMonth !== expiryMonth) {
    throw inputError('accountIdentifier.track2', 'must have the expiry that expiryDate says');
  }
  return { number, expiryMonth: expiryMonth ?? track?.expiryMonth };
}

function readTrack2(track2: Secret): SentCard & { readonly expiryMonth: string } {
  const [, number, year, month] = TRACK_2.exec(track2.reveal()) ?? [];
  if (number === undefined || year === undefined || month === undefined || month === '00' || month > '12') {
    throw inputError('accountIdentifier.track2', 'must have a number, a separator and an expiry');
  }
  return { number: new Secret(number), expiryMonth: `20${year}-${month}` };
}

/** The month that a request says a card ends in, as `MM/YY`: it may write `12/39`, `12/2039` or `2039-12-31`. */
export function shortExpiry(sent: string): string {
  return sent.includes('-') ? `${sent.slice(5, 7)}/${sent.slice(2, 4)}` : `${sent.slice(0, 2)}/${sent.slice(-2)}`;
}

/** `MM/YY` as `YYYY-MM`. */
function monthOfExpiry(expiryDate: string): string {
  return `20${expiryDate.slice(3)}-${expiryDate.slice(0, 2)}`;
}

/** A code in the length that the card has: one that came as a number gets its leading zeros back. */
export function codeText({ digits, cameAsNumber }: SentCode, number: Secret): string {
  return cameAsNumber ? digits.reveal().padStart(codeLength(number), '0') : digits.reveal();
}

/** American Express has four digits on the front, all other brands three. */
function codeLength(number: Secret): number {
  return /^3[47]/.test(number.reveal()) ? 4 : 3;
}

/** The members that were sent, as answers show them: of the number the first six and last four, of secrets nothing. */
export function maskIdentifier(sent: SentIdentifier): MaskedIdentifier {
  return {
    ...(sent.accountId !== undefined && { accountId: sent.accountId }),
    ...(sent.accountKey !== undefined && { accountKey: maskCardNumber(sent.accountKey.reveal()) }),
    ...(sent.cvc !== undefined && { cvc: HIDDEN }),
    ...(sent.encryptedPin !== undefined && { encryptedPin: HIDDEN }),
    ...(sent.expiryDate !== undefined && { expiryDate: sent.expiryDate }),
    ...(sent.securityCode !== undefined && { securityCode: HIDDEN }),
    ...(sent.track2 !== undefined && { track2: HIDDEN }),
  };
}
