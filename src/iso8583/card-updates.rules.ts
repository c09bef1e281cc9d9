import { passesLuhn } from '../kit/cards/card-number.ts';
import { Secret } from '../kit/secret.ts';
import { textOf } from './answers.rules.ts';
import type { Dialect } from './dialects/dialect.types.ts';
import type { CardUpdate, Message, Value } from './messages.types.ts';

/** The card update in an answer; undefined where the answer has none, or a code that the dialect does not name. */
export function cardUpdateIn({ cardUpdates }: Pick<Dialect, 'cardUpdates'>, { tags }: Message): CardUpdate | undefined {
  const code = textOf(tags.updateCode).trim();
  if (cardUpdates === undefined || code === '') return undefined;
  if (cardUpdates.closed.includes(code)) return { kind: 'Closed' };
  if (!cardUpdates.replaced.includes(code)) return undefined;
  const number = numberIn(tags.updatedNumber);
  const expiryDate = expiryIn(tags.updatedExpiry);
  const isUnreadable = number === null || expiryDate === null || (number === undefined && expiryDate === undefined);
  return isUnreadable ? { kind: 'Unreadable' } : { kind: 'Replaced', number, expiryDate };
}

/** Undefined: the answer has none. Null: it is no card number. Zeros on the left fill its place up. */
function numberIn(value: Value | undefined): Secret | undefined | null {
  const digits = (value instanceof Secret ? value.reveal() : (value ?? '')).trim().replace(/^0+/, '');
  if (digits === '') return undefined;
  return /^[0-9]{13,19}$/.test(digits) && passesLuhn(digits) ? new Secret(digits) : null;
}

/** `YYMM` as `MM/YYYY`; undefined and null likewise. */
function expiryIn(value: Value | undefined): string | undefined | null {
  const text = textOf(value).trim();
  if (text === '') return undefined;
  return /^[0-9]{2}(0[1-9]|1[0-2])$/.test(text) ? `${text.slice(2)}/20${text.slice(0, 2)}` : null;
}
