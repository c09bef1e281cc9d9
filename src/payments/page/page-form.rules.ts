import { brandOf, codeLengthOf, isCodeOptional, numberLengthsOf } from '../../kit/cards/brands.ts';
import { type CardPrefixes, passesLuhn } from '../../kit/cards/card-number.ts';
import { CARDHOLDER_CHARACTERS } from '../../kit/cards/card-payment-limits.ts';
import { containsCardNumber } from '../../kit/cards/find-card-numbers.ts';
import { plainDigits, type TypedExpiry, typedExpiry, typedName } from '../../kit/cards/typed-card.ts';
import { isUuid } from '../../kit/ids.ts';
import { oldestMonthOf } from '../../kit/instants.ts';
import { Secret } from '../../kit/secret.ts';
import { expiryMonthOf, expiryMonthOfDate, issuerExpiryOf } from '../cards/card.rules.ts';
import type { CardPayment, TryType } from '../payments.types.ts';
import { consentOf } from '../terms.rules.ts';
import type { Faults, FieldFault, Menu, OpenedPage, PaidWith, ReadForm } from './page.types.ts';

/**
 * As many digits as the shortest card number, of any script: no name has them. A number that is mistyped is none for
 * the scanner, and tells nearly as much.
 */
const NUMBER_IN_NAME = /(?:\p{N}\P{N}*){12}/u;

/**
 * Reads what a payer has filled in: a card that was typed, or one of those that the page has offered.
 *
 * @param fields by their names on the page; others are let be
 */
export function readPayForm(
  fields: ReadonlyMap<string, string>,
  page: Pick<OpenedPage, 'payment' | 'storedCards' | 'now'> & Partial<Pick<OpenedPage, 'consent'>> & Prefixes,
): ReadForm {
  const { terms } = page.payment;
  const wanted = page.consent ?? consentOf(terms);
  const chosen = fields.get('card') ?? 'new';
  const read = chosen === 'new' ? readTyped(fields, page) : readStored(fields, page, chosen);
  // A payer who chooses a stored card has agreed when it was stored.
  const isAsked = chosen === 'new' && wanted !== 'Stated' && fields.get('consent') === undefined;
  const consent: Faults = isAsked && wanted === 'Required' ? { consent: 'consentMissing' } : {};
  const faults = { ...read.faults, ...consent };
  if (read.paidWith === undefined || Object.keys(faults).length > 0) return { faults };
  return { faults: undefined, paidWith: read.paidWith, tokenTypes: isAsked ? [] : terms.generate };
}

/**
 * How a payer agrees to having the card stored. On the page of an order the payee vouches for it, and the payer is told; a box
 * is shown where the payee says so, for a card that is to be chosen again.
 */
export function consentOnPage(
  terms: CardPayment['terms'],
  menu: Pick<Menu, 'asksConsent'> | undefined,
): OpenedPage['consent'] {
  const asked = consentOf(terms);
  if (menu === undefined || asked === undefined) return asked;
  return menu.asksConsent && asked === 'Optional' ? 'Optional' : 'Stated';
}

/** What names the try of a form, so that the same form sent twice is one, and one that was left is none. */
export function keyOfForm(fields: ReadonlyMap<string, string>): string | undefined {
  const attempt = fields.get('attempt') ?? '';
  return isUuid(attempt) ? `page-${attempt.toLowerCase()}` : undefined;
}

/** What a try to pay on the page is. */
export function typeOfTry({ operation }: Pick<CardPayment, 'operation'>): TryType {
  return operation === 'Verify' ? 'Verification' : 'Authorization';
}

/** What a form begins with after a try that came to nothing: as it was, but without what must be typed anew. */
export function keptOf({
  state,
  transactions,
  storedCards,
  holderName,
}: Pick<OpenedPage, 'state' | 'transactions' | 'storedCards'> & {
  /** The name on the last card. */
  readonly holderName: () => string | undefined;
}): ReadonlyMap<string, string> {
  const card = transactions.at(-1)?.card;
  if (state !== 'declined' || card == null) return new Map();
  const expiry = issuerExpiryOf(expiryMonthOfDate(card.expiryDate));
  const stored = storedCards.find(
    ({ lastFour, expiry: of }) => of === expiry && lastFour === card.maskedPan.slice(-lastFour.length),
  );
  if (stored !== undefined) return new Map([['card', stored.token]]);
  return new Map([
    ['card', 'new'],
    ['expiry', expiry],
    ['name', holderName() ?? ''],
    ...((transactions.at(-1)?.tokenTypes ?? []).length > 0 ? ([['consent', 'yes']] as const) : []),
  ]);
}

interface Prefixes {
  /** Of the installation's cards, beside the schemes'. */
  readonly cardPrefixes: CardPrefixes;
}

interface ReadCard {
  readonly faults: Faults;
  readonly paidWith: PaidWith | undefined;
}

function readTyped(
  fields: ReadonlyMap<string, string>,
  { payment, now, cardPrefixes }: Pick<OpenedPage, 'payment' | 'now'> & Prefixes,
): ReadCard {
  const number = plainDigits(fields.get('number') ?? '');
  const expiry = fields.get('expiry') ?? '';
  const cvc = plainDigits(fields.get('cvc') ?? '');
  const name = typedName(fields.get('name') ?? '');
  const parts = typedExpiry(expiry);
  const brand = brandOf(number);
  const wantsCode = payment.terms.cards.noCvc !== true;
  const found = {
    number: numberFault(number, brand),
    expiry: expiryFault(expiry, parts, now),
    cvc: wantsCode ? codeFault(cvc, brand) : undefined,
    name: nameFault(name, cardPrefixes),
  };
  const faults = Object.fromEntries(Object.entries(found).filter(([, fault]) => fault !== undefined)) as Faults;
  if (parts === undefined) return { faults, paidWith: undefined };
  const code = wantsCode && cvc !== '' ? { digits: new Secret(cvc), cameAsNumber: false } : undefined;
  const sent = { number: new Secret(number), ...parts, code, holderName: name === '' ? undefined : name };
  return { faults, paidWith: { kind: 'Typed', sent } };
}

function readStored(
  fields: ReadonlyMap<string, string>,
  { payment, storedCards }: Pick<OpenedPage, 'payment' | 'storedCards'>,
  chosen: string,
): ReadCard {
  const card = storedCards.find(({ token }) => token === chosen);
  if (card === undefined) return { faults: { card: 'cardGone' }, paidWith: undefined };
  const cvc = plainDigits(fields.get('cvc') ?? '');
  const wantsCode = payment.terms.cards.noCvc !== true;
  const fault = wantsCode ? codeFault(cvc, card.brand) : undefined;
  return {
    faults: fault === undefined ? {} : { cvc: fault },
    paidWith: { kind: 'Stored', token: card.token, cvc: wantsCode && cvc !== '' ? new Secret(cvc) : undefined },
  };
}

function numberFault(number: string, brand: string | undefined): FieldFault | undefined {
  if (number === '') return 'numberMissing';
  const isRight = /^\d+$/.test(number) && numberLengthsOf(brand).includes(number.length) && passesLuhn(number);
  return isRight ? undefined : 'numberWrong';
}

function expiryFault(text: string, typed: TypedExpiry | undefined, now: string): FieldFault | undefined {
  if (text.trim() === '') return 'expiryMissing';
  if (typed === undefined) return 'expiryWrong';
  return expiryMonthOf(typed) < oldestMonthOf(now) ? 'expiryPast' : undefined;
}

function codeFault(cvc: string, brand: string | undefined): FieldFault | undefined {
  const length = codeLengthOf(brand);
  if (cvc === '') return isCodeOptional(brand) ? undefined : 'cvcMissing';
  if (/^\d+$/.test(cvc) && cvc.length === length) return undefined;
  return length === 4 ? 'cvcWrongAmex' : 'cvcWrong';
}

/** A payer who types the card number into the wrong field must not have it stored. */
function nameFault(name: string, prefixes: CardPrefixes): FieldFault | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
  const isPlain = name.length <= CARDHOLDER_CHARACTERS && !/[\u0000-\u001f\u007f-\u009f]/.test(name);
  return isPlain && !containsCardNumber(name, prefixes) && !NUMBER_IN_NAME.test(name) ? undefined : 'nameWrong';
}
