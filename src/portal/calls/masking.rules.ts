import { CARD_NUMBER_CHARACTERS } from '../../kit/cards/find-card-numbers.ts';
import type { LoggedForm } from '../../kit/work/finished-call.ts';
import type { Masked } from './calls.types.ts';

/** Values and objects of a body that the log keeps, and characters of a text. */
const LOGGED_BODY_PARTS = 300;
const LOGGED_TEXT_CHARACTERS = 200;

/** Digits of a number that is shown at most: a card's has more. */
const SHOWN_DIGITS = 12;

/** What stands in the place of a value that is not shown. */
export const HIDDEN = '***';

/**
 * A body with every value hidden but those that its schema says are `logged`, and every name that the schema does not have:
 * a caller may have written anything in the place of one.
 *
 * @param body as JSON was read
 * @param form its schema; undefined: nothing is known of it
 * @param maskCardNumbers for the texts that are shown: a caller may have written a number where none belongs
 */
export function maskedBody(
  body: unknown,
  form: LoggedForm | undefined,
  maskCardNumbers: (text: string) => string,
): Masked {
  const parts = { left: LOGGED_BODY_PARTS };
  const mask = (value: unknown, inside: LoggedForm | undefined, isShown: boolean): Masked => {
    parts.left -= 1;
    if (parts.left < 0) return HIDDEN;
    if (value === null) return null;
    if (Array.isArray(value)) return value.map((item) => mask(item, inside?.items, isShown));
    if (typeof value !== 'object') return isShown ? scalar(value, maskCardNumbers) : HIDDEN;
    // A loop: every call passes here, and lists of its members were a twentieth of all that a payment allocates.
    const members: Record<string, Masked> = {};
    for (const name of Object.keys(value)) {
      const member: unknown = value[name as keyof typeof value];
      if (member === undefined) continue;
      const declared = declaredMember(inside, name);
      if (declared === undefined) members[HIDDEN] = HIDDEN;
      else members[name] = mask(member, declared, declared.logged === true);
    }
    return members;
  };
  return mask(body, form, false);
}

function declaredMember({ properties }: LoggedForm = {}, name: string): LoggedForm | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** A number may be a card's, or what follows one, with a point anywhere: it is shown only where it has too few digits for that. */
function scalar(value: unknown, maskCardNumbers: (text: string) => string): Masked {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return String(value).replace(/\D/g, '').length <= SHOWN_DIGITS ? value : HIDDEN;
  if (typeof value !== 'string') return HIDDEN;
  // Cut first, with room for a card number that the end would cut in two.
  const masked = maskCardNumbers(value.slice(0, LOGGED_TEXT_CHARACTERS + CARD_NUMBER_CHARACTERS));
  return masked.length > LOGGED_TEXT_CHARACTERS ? `${masked.slice(0, LOGGED_TEXT_CHARACTERS)}…` : masked;
}

/** Parameters of addresses whose values are shown. A token pays, and a payer's reference tells who they are. */
const SHOWN_PARAMETERS: ReadonlySet<string> = new Set([
  'payeeId',
  'paymentId',
  'paymentAccountId',
  'transactionId',
  'operationId',
  'webhookId',
  'deliveryId',
  '$expand',
  'after',
  'before',
  'limit',
  'state',
  'tokenType',
]);

/** An id, a number or a word: nothing else is taken for one. */
const PLAIN_PARAMETER = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{1,12}|[A-Za-z]{1,20})$/;

/** The address of a call: its template with what may be shown. */
export function maskedAddress({ route, params, query }: AddressParts): string {
  const shown = (name: string, value: unknown) =>
    SHOWN_PARAMETERS.has(name) && typeof value === 'string' && PLAIN_PARAMETER.test(value) ? value : HIDDEN;
  const path = route.replace(/:(\w+)/g, (_, name: string) => shown(name, params[name]));
  const names = Object.entries(query).map(
    ([name, value]) => `${SHOWN_PARAMETERS.has(name) ? name : HIDDEN}=${shown(name, value)}`,
  );
  return names.length === 0 ? path : `${path}?${names.join('&')}`;
}

/** What an address is made of. */
export interface AddressParts {
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Media types as programs write them to us: no place for anything else. */
const MEDIA_TYPE =
  /^(\*\/\*|text\/plain|application\/(\*|json|[a-z]{1,20}\+json))(; ?(version=[0-9]\.[0-9]|charset=utf-8))*$/i;

/** The headers that say in which form a call was made, where they do. */
export function maskedHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ['accept', 'content-type'].flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, MEDIA_TYPE.test(value) ? value : HIDDEN]] : [];
    }),
  );
}
