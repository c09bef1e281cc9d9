import { type CardPrefixes, passesLuhn } from '../../kit/cards/card-number.ts';
import { CARDHOLDER_CHARACTERS } from '../../kit/cards/card-payment-limits.ts';
import { containsCardNumber } from '../../kit/cards/find-card-numbers.ts';
import { isUuid } from '../../kit/ids.ts';
import { oldestMonthOf } from '../../kit/instants.ts';
import { Secret } from '../../kit/secret.ts';
import { codeLength, expiryMonthOf, expiryMonthOfDate, issuerExpiryOf } from '../cards/card.rules.ts';
import type { CardPayment, TryType } from '../payments.types.ts';
import { consentOf } from '../terms.rules.ts';
import type { Faults, FieldFault, Menu, OpenedPage, PaidWith, ReadForm, StoredCard } from './page.types.ts';

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
}: Pick<OpenedPage, 'state' | 'transactions' | 'storedCards'>): ReadonlyMap<string, string> {
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
    ['name', card.cardholderName ?? ''],
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
  const number = plainDigits(fields.get('number'));
  const expiry = (fields.get('expiry') ?? '').trim();
  const cvc = (fields.get('cvc') ?? '').trim();
  const name = (fields.get('name') ?? '').trim();
  const parts = expiryParts(expiry);
  const wanted = payment.terms.cards.noCvc === true ? undefined : codeLength(number);
  const found = {
    number: numberFault(number),
    expiry: expiryFault(expiry, parts, now),
    cvc: codeFault(cvc, wanted),
    name: nameFault(name, cardPrefixes),
  };
  const faults = Object.fromEntries(Object.entries(found).filter(([, fault]) => fault !== undefined)) as Faults;
  if (parts === undefined) return { faults, paidWith: undefined };
  const code = wanted === undefined ? undefined : { digits: new Secret(cvc), cameAsNumber: false };
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
  const cvc = (fields.get('cvc') ?? '').trim();
  const wanted = payment.terms.cards.noCvc === true ? undefined : storedCodeLength(card);
  const fault = codeFault(cvc, wanted);
  return {
    faults: fault === undefined ? {} : { cvc: fault },
    paidWith: { kind: 'Stored', token: card.token, cvc: wanted === undefined ? undefined : new Secret(cvc) },
  };
}

function storedCodeLength({ brand }: StoredCard): 3 | 4 {
  return brand === 'Amex' ? 4 : 3;
}

/** Digits as people type or paste them: blanks and dashes between them mean nothing. */
function plainDigits(text = ''): string {
  return text.replace(/[\s\u00a0\u2010-\u2015-]/g, '');
}

function numberFault(number: string): FieldFault | undefined {
  if (number === '') return 'numberMissing';
  return /^\d{12,19}$/.test(number) && passesLuhn(number) ? undefined : 'numberWrong';
}

/** Month and year of `MM/YY`, as people type it: `8/29`, `0829`, `08 / 2029`. */
function expiryParts(text: string): { readonly month: string; readonly year: string } | undefined {
  const [, month, year] = /^(0?[1-9]|1[0-2])\s*(?:[/.-]\s*)?((?:20)?\d{2})$/.exec(text) ?? [];
  return month === undefined || year === undefined ? undefined : { month, year };
}

function expiryFault(text: string, parts: ReturnType<typeof expiryParts>, now: string): FieldFault | undefined {
  if (text === '') return 'expiryMissing';
  if (parts === undefined) return 'expiryWrong';
  return expiryMonthOf(parts) < oldestMonthOf(now) ? 'expiryPast' : undefined;
}

/** @param wanted digits of the code; undefined where none is asked for */
function codeFault(cvc: string, wanted: 3 | 4 | undefined): FieldFault | undefined {
  if (wanted === undefined || (/^\d+$/.test(cvc) && cvc.length === wanted)) return undefined;
  if (cvc === '') return 'cvcMissing';
  return wanted === 4 ? 'cvcWrongAmex' : 'cvcWrong';
}

/** A payer who types the card number into the wrong field must not have it stored. */
function nameFault(name: string, prefixes: CardPrefixes): FieldFault | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this refuses
  const isPlain = name.length <= CARDHOLDER_CHARACTERS && !/[\u0000-\u001f\u007f-\u009f]/.test(name);
  return isPlain && !containsCardNumber(name, prefixes) && !NUMBER_IN_NAME.test(name) ? undefined : 'nameWrong';
}
