import { type AskedSeries, lastDayOf } from '../issuers/authentication/requests.rules.ts';
import { namesUser, normalAddress } from '../kit/addresses/address.ts';
import { URL_OF_PAYEE_CHARACTERS } from '../kit/cards/card-payment-limits.ts';
import { inputError, notFound } from '../kit/errors.ts';
import { isDay } from '../kit/instants.ts';
import { RECEIVER_PORTS } from '../kit/limits.ts';
import { type Currency, parseCurrencyInUse } from '../kit/money.ts';
import type { TokenType } from '../tokens/tokens.types.ts';
import { brandName, CARD_BRANDS } from '../vault/brands.rules.ts';
import type { CreateRequest, NewPayment } from './new-payment.types.ts';
import type {
  Cardholder,
  CardPayment,
  CardRules,
  Intent,
  PaymentTerms,
  PaymentUrls,
  Price,
  TokenConsent,
} from './payments.types.ts';

/** What a request asks for, once it is found to make sense. */
export interface ReadTerms {
  readonly currency: Currency;
  readonly intent: Intent | null;
  readonly terms: PaymentTerms;
  /** Kept sealed, apart from the terms. */
  readonly cardholder: Cardholder | undefined;
}

/**
 * Reads a request for a payment: whether its members belong together, and what they mean.
 *
 * @param isSandbox whether addresses may be plain `http`
 * @throws Refusal `inputerror`, and `notfound` where it names another payee
 */
export function readTerms({ payment, cards, userAgent, payeeId }: CreateRequest, isSandbox: boolean): ReadTerms {
  const currency = parseCurrencyInUse(payment.currency);
  if (currency === undefined)
    throw inputError('payment.currency', 'must be a code of ISO 4217 that is in use, as in NOK');
  const urls = readUrls(payment.urls ?? {}, { root: 'payment', isSandbox });
  const { payeeInfo = {}, description, language = 'en-US', metadata = {}, cardholder, recurring } = payment;
  if (payeeInfo.payeeId !== undefined && payeeInfo.payeeId.toLowerCase() !== payeeId) {
    throw notFound();
  }
  const token = tokenOf(payment);
  const payerReference = payment.payerReference ?? payment.payer?.payerReference;
  const terms: PaymentTerms = {
    prices: pricesOf(payment),
    ...(description !== undefined && { description }),
    ...(payment.userAgent !== undefined && { userAgent: payment.userAgent }),
    language,
    ...(payerReference !== undefined && { payerReference }),
    generate: tokensToMake(payment),
    ...(payment.tokenConsent !== undefined && { tokenConsent: payment.tokenConsent }),
    ...(recurring !== undefined && { recurring: readSeries(recurring) }),
    ...(token !== undefined && { token }),
    urls,
    payeeInfo,
    metadata,
    ...(cardholder !== undefined && { hasCardholder: true as const }),
    cards,
    ...(userAgent !== undefined && { initiatingSystemUserAgent: userAgent }),
  };
  return {
    currency,
    intent: payment.operation === 'Verify' ? null : (payment.intent ?? 'Authorization'),
    terms,
    cardholder,
  };
}

/** Leaves out what a request says beside. */
function readSeries({ until, everyDays }: AskedSeries): AskedSeries {
  if (!isDay(until)) throw inputError('payment.recurring.until', 'must be a day of the calendar, YYYY-MM-DD');
  return { until, everyDays };
}

/**
 * The series of payments that a try begins, as the payer's bank is told (EMV 3-D Secure 2.2.0, table A.1, recurring members):
 * as the payee has said it, else every day until the card expires. Undefined where none begins, and of a verification, which
 * pays nothing.
 *
 * @param expiryDate of the card, `MM/YY`
 */
export function seriesOf(
  { operation, terms }: Pick<CardPayment, 'operation' | 'terms'>,
  tokenTypes: readonly TokenType[],
  expiryDate: string,
): AskedSeries | undefined {
  if (operation === 'Verify' || !tokenTypes.includes('Recurrence')) return undefined;
  return terms.recurring ?? { until: lastDayOf(expiryDate), everyDays: 1 };
}

/** Whether a payer must agree to having the card stored, may, or is not asked because nothing is stored. */
export function consentOf({ tokenConsent, generate }: PaymentTerms): TokenConsent | undefined {
  if (generate.length === 0) return undefined;
  const isCharged = generate.includes('Recurrence') || generate.includes('Unscheduled');
  return tokenConsent ?? (isCharged ? 'Required' : 'Optional');
}

/**
 * The tokens that a stored card becomes. Its payer is not asked again: they have agreed to choose it. That it is charged
 * later without them the page says where the payment does not go on without it, and else it is not.
 */
export function tokensOfStored(terms: PaymentTerms): readonly TokenType[] {
  return consentOf(terms) === 'Required' ? terms.generate : terms.generate.filter((type) => type === 'Payment');
}

/** Types of the tokens that a request wants to have made. */
export function tokensToMake(
  asked: Readonly<Partial<Record<(typeof TOKENS_TO_MAKE)[number][0], boolean>>>,
): readonly TokenType[] {
  return TOKENS_TO_MAKE.filter(([member]) => asked[member] === true).map(([, type]) => type);
}

const TOKENS_TO_MAKE = [
  ['generatePaymentToken', 'Payment'],
  ['generateRecurrenceToken', 'Recurrence'],
  ['generateTransactionOnFileToken', 'TransactionOnFile'],
  ['generateUnscheduledToken', 'Unscheduled'],
] as const satisfies readonly (readonly [keyof NewPayment, TokenType])[];

/** The token that a request pays with, or fills the page in with. */
function tokenOf({ operation, paymentToken, recurrenceToken, unscheduledToken }: NewPayment): string | undefined {
  const sent = {
    Purchase: paymentToken,
    Verify: undefined,
    Recur: recurrenceToken,
    UnscheduledPurchase: unscheduledToken ?? paymentToken,
  }[operation];
  if (sent !== undefined) return sent.toLowerCase();
  if (operation === 'Recur') throw inputError('payment.recurrenceToken', 'is required');
  if (operation === 'UnscheduledPurchase') throw inputError('payment.unscheduledToken', 'is required');
  return undefined;
}

/** Types of the tokens that each operation can be paid with, or filled in with. */
export const USABLE_TOKENS: Readonly<Record<NewPayment['operation'], readonly TokenType[]>> = {
  Purchase: ['Payment'],
  Verify: [],
  Recur: ['Recurrence'],
  UnscheduledPurchase: ['Unscheduled', 'TransactionOnFile'],
};

/** What a card is to pay: the price of its brand, or else that of any card. A verification costs nothing. */
export function priceFor(prices: readonly Price[], brand: string | undefined): Price | undefined {
  return (
    prices.find(({ type }) => type.toLowerCase() === brand?.toLowerCase()) ??
    prices.find(({ type }) => type.toLowerCase() === 'creditcard')
  );
}

function pricesOf(payment: NewPayment): Price[] {
  if (payment.operation === 'Verify') return [];
  if (payment.operation !== 'Purchase') return [price('payment', { ...payment, type: 'CreditCard' })];
  const { prices = [] } = payment;
  if (prices.length === 0) throw inputError('payment.prices', 'is required, with at least one price');
  const read = prices.map((sent, index) => price(`payment.prices[${index}]`, sent));
  for (const [index, { type }] of read.entries()) {
    if (read.findIndex((other) => other.type === type) !== index) {
      throw inputError(`payment.prices[${index}].type`, 'must not be there twice');
    }
  }
  return read;
}

interface SentPrice {
  readonly type: string;
  readonly amount?: number;
  readonly vatAmount?: number;
}

function price(name: string, { type, amount, vatAmount = 0 }: SentPrice): Price {
  if (amount === undefined) throw inputError(`${name}.amount`, 'is required');
  if (vatAmount > amount) throw inputError(`${name}.vatAmount`, 'must not be above the amount');
  return { type: priceType(name, type), amount, vatAmount };
}

/** Cards of these brands are of one kind alone. */
const ONLY: Readonly<Record<string, keyof CardRules>> = {
  Amex: 'rejectCreditCards',
  Diners: 'rejectCreditCards',
  Dankort: 'rejectDebitCards',
  Maestro: 'rejectDebitCards',
};

/** Brands of which a payment takes cards: not those without a price, nor those of a kind that the payee does not take. */
export function brandsTaken({ prices, cards }: Pick<PaymentTerms, 'prices' | 'cards'>): readonly string[] {
  const types = prices.map(({ type }) => type);
  const hasAny = types.length === 0 || types.includes('CreditCard');
  return CARD_BRANDS.filter((brand) => {
    const rejected = ONLY[brand];
    return (hasAny || types.includes(brand)) && (rejected === undefined || cards[rejected] !== true);
  });
}

/** Whether a stored card can be one that is taken. */
export function isTaken(brand: string, taken: readonly string[]): boolean {
  return taken.includes(brand) || !CARD_BRANDS.includes(brand);
}

function priceType(name: string, sent: string): string {
  if (sent.toLowerCase() === 'creditcard') return 'CreditCard';
  const brand = brandName(sent);
  if (CARD_BRANDS.includes(brand)) return brand;
  throw inputError(`${name}.type`, `must be CreditCard or one of ${CARD_BRANDS.join(', ')}`);
}

/**
 * The addresses of a payment in their normal form.
 *
 * @param from what the body calls the payment, for the problem; and whether addresses may be plain `http`
 * @throws Refusal `inputerror`
 */
export function readUrls(
  urls: PaymentUrls,
  { root, isSandbox }: { readonly root: string; readonly isSandbox: boolean },
): PaymentUrls {
  return mapUrls(urls, (name, text) => {
    const wrong = wrongUrl(name, text, isSandbox);
    if (wrong !== undefined) throw inputError(`${root}.urls.${name}`, wrong);
    return normalAddress(text, URL_OF_PAYEE_CHARACTERS) ?? text;
  });
}

/** Puts another text in the place of each address; `change` gets its name as well. */
function mapUrls({ hostUrls, ...single }: PaymentUrls, change: (name: string, text: string) => string): PaymentUrls {
  return {
    ...(hostUrls !== undefined && { hostUrls: hostUrls.map((text, index) => change(`hostUrls[${index}]`, text)) }),
    ...Object.fromEntries(Object.entries(single).map(([name, text]) => [name, change(name, text)])),
  };
}

/**
 * A scheme with two slashes, and nothing that readers of addresses drop or turn round. `https:shop` is absolute by itself,
 * and on a page of ours it is one of our own addresses.
 */
const WRITTEN_OUT = /^[a-z]+:\/\/[^\s\\/]+[^\s\\]*$/i;

/**
 * The name of one host, or its address. Others may stand in a URL (WHATWG forbids neither `*` nor `;`): in a content security
 * policy these would name every host, or begin another directive.
 */
const ONE_HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/** What is wrong with an address of the payee's: others follow it, so it must lead where it says. */
function wrongUrl(name: string, text: string, isSandbox: boolean): string | undefined {
  const address = WRITTEN_OUT.test(text) ? normalAddress(text, URL_OF_PAYEE_CHARACTERS) : undefined;
  if (address === undefined) return 'must be an absolute address';
  const url = new URL(address);
  const { protocol, hostname, hash, port } = url;
  if (protocol !== 'https:' && !(isSandbox && protocol === 'http:')) return 'must begin with https://';
  if (!ONE_HOST.test(hostname)) return 'must name one whole host, without wildcards';
  if (namesUser(url)) return 'must not hold a user name or password';
  if (name !== 'callbackUrl') return undefined;
  if (hash !== '') return 'must not have a fragment';
  if (!isSandbox && !RECEIVER_PORTS.includes(port)) return 'must use the port 443 or 8443';
  return undefined;
}

/** The channel of the terminal that an agreement needs for a payment; undefined where any terminal does. */
export function channelWanted({ orderedBy }: CardRules): 'MailOrPhone' | undefined {
  return orderedBy && 'MailOrPhone';
}

/**
 * Whether a request asks for the same as a stored one. Where a request came from is no part of that, who pays is compared apart, and
 * what has ended is compared with nothing.
 */
export function sameTerms(sent: PaymentTerms, stored: PaymentTerms): boolean {
  if (stored.areCircumstancesEnded) return inOrder(lasting(sent)) === inOrder(lasting(stored));
  return inOrder(content(sent)) === inOrder(content(stored));
}

function lasting({ userAgent: _, metadata: __, areCircumstancesEnded: ___, ...terms }: PaymentTerms): unknown {
  return content({ ...terms, metadata: {} });
}

/** Payments of before may have addresses that are not in their normal form. */
function content({ initiatingSystemUserAgent: _, urls, cardholder, ...terms }: PaymentTerms): unknown {
  return {
    ...terms,
    ...(cardholder !== undefined && { hasCardholder: true }),
    urls: mapUrls(urls, (_name, text) => normalAddress(text, URL_OF_PAYEE_CHARACTERS) ?? text),
  };
}

/** A JSON text whose members are sorted by name, so that equal values have equal texts. */
export function inOrder(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
