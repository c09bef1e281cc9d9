import { assert } from '../kit/assert.ts';
import { type CharacterSet, spelled } from '../kit/characters.ts';
import type {
  Dialect,
  FieldName,
  MessageForm,
  MessageKind,
  TagName,
  TakeBackReason,
} from './dialects/dialect.types.ts';
import type { Message, Value } from './messages.types.ts';

/** What a message is to say. What its form does not name is left out. */
export interface Composition {
  readonly kind: MessageKind;
  /** A capture or cancel of a part. */
  readonly isOther?: boolean;
  /** Why something is taken back. */
  readonly reason?: TakeBackReason;
  readonly fields: Readonly<Partial<Record<FieldName, Value | undefined>>>;
  readonly tags?: Readonly<Partial<Record<TagName, Value | undefined>>>;
}

/** A message in a dialect's form, with the codes that the form says. */
export function compose(dialect: Dialect, composition: Composition): Message {
  const { kind, isOther = false, reason, fields, tags = {} } = composition;
  const form = dialect.messages[kind];
  assert(form !== undefined, 'an acquirer is asked for what its dialect has a message for');
  const codes = {
    processingCode: form.processingCode ?? fields.processingCode,
    functionCode: (isOther ? form.otherFunctionCode : undefined) ?? form.functionCode ?? fields.functionCode,
    reasonCode: reasonCodeOf(form, reason),
  };
  const known = { ...partsOfTimes(fields), ...fields, ...codes };
  return {
    type: form.type,
    fields: named(form.fields, { ...known, ...ownValues(form, known) }),
    tags: named(form.tags, tags),
  };
}

/** Days and times of day that some dialects have by themselves. */
function partsOfTimes({ sentAt, reconciliationDay }: Composition['fields']): Composition['fields'] {
  return {
    ...(typeof sentAt === 'string' ? { sentDate: sentAt.slice(2, 6), sentTime: sentAt.slice(6) } : {}),
    ...(typeof reconciliationDay === 'string' ? { settlementDate: reconciliationDay.slice(2) } : {}),
  };
}

/** What a kind of message says in place of what others do. */
function ownValues({ values = {} }: MessageForm, known: Composition['fields']): Composition['fields'] {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, 'text' in value ? value.text : known[value.of]]),
  );
}

function reasonCodeOf(
  { reasonCode, reasonCodes }: MessageForm,
  reason: TakeBackReason | undefined,
): string | undefined {
  if (reason === undefined || reasonCodes === undefined) return reasonCode;
  return reasonCodes[reason] ?? reasonCodes.Unusable;
}

function named<Name extends string>(
  names: readonly Name[],
  values: Readonly<Partial<Record<Name, Value | undefined>>>,
): Partial<Record<Name, Value>> {
  return Object.fromEntries(
    names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  ) as Partial<Record<Name, Value>>;
}

/** The type of the answer to one: the third digit is one more, and a repeat is answered like its first (ISO 8583:1993, 4.1). */
export function answerTypeOf(type: string): string {
  const [version = '', category = '', direction = '', origin = ''] = type;
  return `${version}${category}${Number(direction) + 1}${Number(origin) & ~1}`;
}

/** Whether a message of this type wants an answer: its third digit is even, and it is no mere notification. */
export function wantsAnswer(type: string): boolean {
  return type[2] === '0' || type[2] === '2';
}

/** An amount or number as digits. */
export function digitsOf(value: number): string {
  assert(Number.isSafeInteger(value) && value >= 0, 'amounts on the wire are whole and not below 0');
  return String(value);
}

/** How the card came to us, and who says so. */
export interface PointOfService {
  readonly entry: 'ECommerce' | 'Merchant' | 'Mail' | 'Phone';
  /** Whether the card is a stored one; else it was typed. */
  readonly isStored: boolean;
  /** Whether 3-D Secure authenticated its holder. */
  readonly isAuthenticated: boolean;
}

const ENTRIES = { ECommerce: '5', Merchant: '4', Mail: '2', Phone: '3' } as const;

/** The twelve characters of field 22 (ISO 8583:1993, table A.7). */
export function pointOfService({ entry, isStored, isAuthenticated }: PointOfService): string {
  return `1000${ENTRIES[entry]}0${isStored ? 'S' : '1'}${isAuthenticated ? 'S3' : '00'}110`;
}

/** Who takes the money, as the payer reads it on a statement. */
export interface MerchantPlace {
  readonly name: string;
  readonly street: string;
  readonly city: string;
  readonly postalCode: string;
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
}

const NAME_CHARACTERS = 22;
const POSTAL_CODE_CHARACTERS = 10;
/** What 99 characters leave for street and city. */
const STREET_CHARACTERS = 38;
const CITY_CHARACTERS = 20;

/** Field 43: `name\street\city\`, postal code, region, country. What does not fit is cut off. */
export function merchantPlace(
  { name, street, city, postalCode, country }: MerchantPlace,
  characters: CharacterSet,
): string {
  const part = (text: string, most: number) => spelled(text, characters, most).replaceAll('\\', '/');
  const address = `${part(name, NAME_CHARACTERS)}\\${part(street, STREET_CHARACTERS)}\\${part(city, CITY_CHARACTERS)}\\`;
  return address + part(postalCode, POSTAL_CODE_CHARACTERS).padEnd(POSTAL_CODE_CHARACTERS + 3) + country;
}

/** What of an earlier message names it. */
export interface OriginalMessage {
  readonly type: string;
  readonly stan: string;
  readonly sentAt: string;
  readonly acquiringInstitution: string;
}

/** Field 56: type, STAN and time of the message that is meant, and the acquiring institution with its length. */
export function originalField({ type, stan, sentAt, acquiringInstitution }: OriginalMessage): string {
  return type + stan + sentAt + String(acquiringInstitution.length).padStart(2, '0') + acquiringInstitution;
}

/** Field 30: the amount of the message that is meant, and that no reconciliation amount is told. */
export function originalAmounts(amountMinor: number): string {
  return digitsOf(amountMinor).padStart(12, '0') + '0'.repeat(12);
}

/** Field 97: what sales exceed refunds by (`D`), or refunds sales (`C`). */
export function netAmount(netMinor: number): string {
  return (netMinor > 0 ? 'D' : 'C') + digitsOf(Math.abs(netMinor)).padStart(16, '0');
}

/** The tag that says who began a payment, and what of a stored card. */
export interface InitiatorTag {
  readonly by: 'Customer' | 'Merchant';
  readonly use: 'None' | 'Recurring' | 'Unscheduled' | 'OnFile';
  readonly step: 'None' | 'First' | 'Subsequent';
}

const USES = { None: 'N', Recurring: 'R', Unscheduled: 'U', OnFile: 'C' } as const;

/** Tag 06, as in `CRF`. */
export function initiatorTag({ by, use, step }: InitiatorTag): string {
  return `${by.charAt(0)}${USES[use]}${step.charAt(0)}`;
}

/** Tag 19: which capture it is, and of how many; `00` where that is not known yet. */
export function captureSequence(number: number, total: number | undefined): string {
  const two = (value: number) => digitsOf(Math.min(value, 99)).padStart(2, '0');
  return two(number) + two(total ?? 0);
}

/** Tag 11: postal code, blank, street; what does not fit is cut off. */
export function billingAddress(
  postalCode: string | undefined,
  street: string | undefined,
  characters: CharacterSet,
): string | undefined {
  if (postalCode === undefined && street === undefined) return undefined;
  return spelled(`${postalCode ?? ''} ${street ?? ''}`, characters, BILLING_CHARACTERS);
}

const BILLING_CHARACTERS = 40;
