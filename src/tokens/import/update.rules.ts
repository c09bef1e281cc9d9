import { passesLuhn } from '../../kit/cards/card-number.ts';
import type { LineOutcome, Rejection } from '../../kit/imports/import.types.ts';
import { Secret } from '../../kit/secret.ts';
import type { Instrument } from '../../vault/vault.types.ts';
import type { TokenRecord } from '../tokens.types.ts';
import type { UpdateLineInput } from './import.wire.ts';

/** What a line gives a token that is there. */
export interface TokenUpdate {
  readonly token: TokenRecord;
  /** Undefined: it stays, as the expiry does. */
  readonly number: Secret | undefined;
  readonly expiryDate: string | undefined;
}

/**
 * Reads a line about a token that is there. A deleted one stays deleted. What else the line says of the token has to be so already; its
 * display name and its state are left as they are.
 */
export function readUpdate(line: UpdateLineInput, token: TokenRecord): TokenUpdate | LineOutcome {
  const { payerReference, tokenType, instrument, pan, expiryDate } = line;
  const isAnother =
    (payerReference !== undefined && payerReference !== token.payerReference) ||
    (tokenType !== undefined && tokenType !== token.tokenType) ||
    (instrument !== undefined && instrument !== token.instrument);
  if (isAnother) return reject('token', 'is the GUID of a token of another payer, type or instrument');
  if (token.state === 'Deleted') return 'unchanged';
  if (token.instrument !== 'CreditCard') return reject('token', 'is the GUID of a token that is no card');
  if (pan === undefined && expiryDate === undefined) return reject('pan', 'or expiryDate is required for an update');
  if (pan !== undefined && !passesLuhn(pan)) {
    return reject('pan', 'must be a card number whose check digit is right (Luhn)');
  }
  return { token, number: pan === undefined ? undefined : new Secret(pan), expiryDate };
}

function reject(member: string, reason: string): Rejection {
  return { member, reason };
}

/** A token with what is new of its card; undefined where nothing is. */
export function asUpdated<Token extends TokenRecord>(
  token: Token,
  { expiryDate, instrument }: { readonly expiryDate: string | undefined; readonly instrument: Instrument | undefined },
): Token | undefined {
  const isSame =
    (instrument === undefined || instrument.instrumentId === token.instrumentId) &&
    (expiryDate === undefined || expiryDate === token.expiryDate);
  if (isSame) return undefined;
  return {
    ...token,
    expiryDate: expiryDate ?? token.expiryDate,
    ...(instrument !== undefined && {
      instrumentId: instrument.instrumentId,
      cardBrand: instrument.brand,
      lastFour: instrument.lastFour,
    }),
  };
}

/** Whether the first of two months, `MM/YYYY`, is the later one. One that there is not is the earliest. */
export function isLater(one: string | null | undefined, other: string | null | undefined): boolean {
  return asOrdered(one) > asOrdered(other);
}

function asOrdered(month: string | null | undefined): string {
  return month === null || month === undefined ? '' : month.slice(3) + month.slice(0, 2);
}
