import { SCOPES, type Scope } from '../../kit/caller.ts';
import type { CardPrefixes } from '../../kit/cards/card-number.ts';
import { containsCardNumber } from '../../kit/cards/find-card-numbers.ts';
import { forbidden, inputError } from '../../kit/errors.ts';
import { NAME_CHARACTERS } from '../../kit/limits.ts';
import type { Lifetime } from '../merchants.types.ts';

/** Months that a credential from the portal or the command line may live at most. */
const ACCESS_TOKEN_MONTHS = 12;
/** Hours that the old HMAC key goes on working beside its successor: a day to change the shops' settings. */
const HMAC_KEY_OVERLAP_HOURS = 24;
/** Days that an old credential goes on beside its successor at most: a secret that was replaced is one that may be known. */
const MOST_OVERLAP_DAYS = 90;

const CONTROL_CHARACTER = /\p{Cc}/u;
const LIFETIME = /^([1-9]\d{0,3})(h|d|m)$/;
/** Twelve months have at least this many days, whatever the month they begin in. */
const DAYS = 365;
const NEVER: Lifetime = { months: 0, days: 0, hours: 0, seconds: 0 };

/** How long a credential lives where the request says nothing. */
export const LONGEST_LIFETIME: Lifetime = { ...NEVER, months: ACCESS_TOKEN_MONTHS };

/** A lifetime of so many seconds. */
export function seconds(count: number): Lifetime {
  return { ...NEVER, seconds: count };
}

/**
 * The name of a payee or a credential, trimmed.
 *
 * @param prefixes of the installation's cards, beside the schemes'
 * @throws Refusal `inputerror` where it is empty, longer than 100 characters, or holds control characters or a card number
 */
export function checkName(text: string, prefixes: CardPrefixes): string {
  return checkLine('name', text, prefixes);
}

/** Why the state of a payee changes, trimmed: by the same rules. */
export function checkReason(text: string, prefixes: CardPrefixes): string {
  return checkLine('reason', text, prefixes);
}

function checkLine(member: string, text: string, prefixes: CardPrefixes): string {
  const line = text.trim();
  if (line === '') throw inputError(member, 'must not be empty');
  if (line.length > NAME_CHARACTERS) throw inputError(member, `must have at most ${NAME_CHARACTERS} characters`);
  if (CONTROL_CHARACTER.test(line)) throw inputError(member, 'must not have control characters');
  if (containsCardNumber(line, prefixes)) throw inputError(member, 'must not hold a card number');
  return line;
}

/**
 * The scopes of a new credential, each once, in the order of the registry. A user cannot give away what they do not
 * have (OWASP ASVS 5, 8.2.3): a credential would be a way around a role.
 *
 * @param grantable what the maker has
 * @throws Refusal `inputerror` that lists the scopes, where one does not exist or none is given
 * @throws Refusal `forbidden` whose problem is named `scopes`, where the maker lacks one
 */
export function checkScopes(texts: readonly string[], grantable: readonly Scope[] = SCOPES): readonly Scope[] {
  const known: readonly string[] = SCOPES;
  if (texts.length === 0 || !texts.every((text) => known.includes(text))) {
    throw inputError('scopes', `must be one or more of ${SCOPES.join(', ')}`);
  }
  const scopes = SCOPES.filter((scope) => texts.includes(scope));
  const lacking = scopes.filter((scope) => !grantable.includes(scope));
  if (lacking.length > 0) throw forbidden('scopes', `Your role cannot give ${lacking.join(', ')}.`);
  return scopes;
}

/** Those of the stored scopes that this version of the service knows; a later one may have stored more. */
export function knownScopes(texts: readonly string[]): readonly Scope[] {
  return SCOPES.filter((scope) => texts.includes(scope));
}

/**
 * A lifetime as people write it: `90d` or `12m`; undefined is the longest.
 *
 * @throws Refusal `inputerror` where it has another form or is longer than twelve months
 */
export function readLifetime(text: string | undefined): Lifetime {
  if (text === undefined) return LONGEST_LIFETIME;
  const [, digits = '', unit] = LIFETIME.exec(text) ?? [];
  const count = Number(digits);
  if (unit === 'd' && count <= DAYS) return { ...NEVER, days: count };
  if (unit === 'm' && count <= ACCESS_TOKEN_MONTHS) return { ...NEVER, months: count };
  throw inputError('expires-in', `must be days or months, as in 90d or 12m, and at most ${ACCESS_TOKEN_MONTHS} months`);
}

const HOURS_OF_DAY = 24;

/**
 * How long the old credential goes on beside the new one, as people write it: `24h` or `7d`; undefined is a day.
 *
 * @throws Refusal `inputerror` where it has another form or is longer than 90 days
 */
export function readOverlap(text: string | undefined): Lifetime {
  if (text === undefined) return { ...NEVER, hours: HMAC_KEY_OVERLAP_HOURS };
  const [, digits = '', unit] = LIFETIME.exec(text) ?? [];
  const count = Number(digits);
  if (unit === 'h' && count <= MOST_OVERLAP_DAYS * HOURS_OF_DAY) return { ...NEVER, hours: count };
  if (unit === 'd' && count <= MOST_OVERLAP_DAYS) return { ...NEVER, days: count };
  throw inputError('overlap', `must be hours or days, as in 24h or 7d, and at most ${MOST_OVERLAP_DAYS} days`);
}
