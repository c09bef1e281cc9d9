import { inputError, notFound } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { type AmountMinor, amountMinor, type Currency, parseCurrencyInUse, ZERO_MINOR } from '../../kit/money.ts';
import type { CardRules, PayeeInfo } from '../../payments/payments.types.ts';
import { readUrls, tokensToMake } from '../../payments/terms.rules.ts';
import { takesGiftCards } from '../answers/order-state.rules.ts';
import type { OrderInstrument, OrderTerms, OrderVersion } from '../orders.types.ts';
import type { ReadOrder, SentNewOrder } from './new-order.types.ts';
import { instrumentOf, refuseBadItems, refuseOtherSum } from './order-items.rules.ts';
import { readPayer } from './payer.rules.ts';

/** What the body of a request calls the order. */
const ROOT = 'paymentorder';
/** What a Verify is in that names no currency: it moves nothing. */
const CURRENCY_OF_VERIFY = 'NOK' as Currency;
/** What a payer pays for where the payee has not said it and has no name. */
const NOTHING_SAID = 'Payment';

/** Who asks for an order, and where. */
export interface OrderAsker {
  readonly payeeId: PayeeId;
  /** As operators have registered the payee; needed where `needsPayeeName`. */
  readonly payeeName: string | undefined;
  /** The calling system. */
  readonly userAgent: string | undefined;
  /** Whether addresses may be plain `http`. */
  readonly isSandbox: boolean;
}

/** Whether a request leaves unsaid what is paid for, and whom. */
export function needsPayeeName({ description, payeeInfo }: SentNewOrder): boolean {
  return description === undefined && payeeInfo?.payeeName === undefined;
}

/**
 * Reads a request for an order: whether its members belong together, and what they mean.
 *
 * @throws Refusal `inputerror`, and `notfound` where it names another payee
 */
export function readNewOrder(sent: SentNewOrder, asker: OrderAsker): ReadOrder {
  const payeeInfo = readPayeeInfo(sent.payeeInfo ?? {}, asker.payeeId);
  const { operation, orderItems = [] } = sent;
  const hasPage = operation === 'Purchase' || operation === 'Verify';
  const money = operation === 'Verify' ? moneyOfVerify(sent) : readMoney(sent);
  refuseBadItems(`${ROOT}.orderItems`, orderItems);
  if (operation !== 'Verify') refuseOtherSum(`${ROOT}.orderItems`, orderItems, money);
  const urls = readUrls(sent.urls ?? {}, { root: ROOT, isSandbox: asker.isSandbox });
  if (hasPage && urls.completeUrl === undefined) throw missing('urls.completeUrl');
  const token = tokenOf(sent);
  return {
    operation,
    intent: operation === 'Verify' ? null : (sent.intent ?? 'Authorization'),
    ...money,
    instrument: onlyInstrument(sent),
    orderItems,
    payer: readPayer(sent.payer),
    terms: {
      description: sent.description?.trim() ?? payeeInfo.payeeName ?? (asker.payeeName?.slice(0, 40) || NOTHING_SAID),
      ...present({ userAgent: sent.userAgent, productName: sent.productName }),
      language: sent.language ?? 'en-US',
      ...menuOf(sent),
      generate: tokensToMake(sent),
      ...present({ token, payerReference: sent.payer?.payerReference }),
      urls,
      payeeInfo,
      metadata: sent.metadata ?? {},
      cards: cardRulesOf(sent),
      ...present({
        buysGiftCards: sent.riskIndicator?.giftCardPurchase === true ? true : undefined,
        initiatingSystemUserAgent: asker.userAgent,
      }),
    },
  };
}

/** The view that an order is made in, where the request names none: it decides the form of its callbacks. */
export function madeIn(
  asked: OrderVersion | undefined,
  { productName }: Pick<SentNewOrder, 'productName'>,
): OrderVersion {
  return asked ?? (productName?.toLowerCase() === 'checkout3' ? '3.0' : '2.0');
}

function readPayeeInfo(sent: PayeeInfo, payeeId: PayeeId): PayeeInfo {
  if (sent.payeeId !== undefined && sent.payeeId.toLowerCase() !== payeeId) throw notFound();
  if (sent.payeeReference === undefined) throw missing('payeeInfo.payeeReference');
  return sent;
}

interface Money {
  readonly currency: Currency;
  readonly amount: AmountMinor;
  readonly vatAmount: AmountMinor;
}

function readMoney({ operation, currency, amount, vatAmount = 0 }: SentNewOrder): Money {
  if (currency === undefined) throw missing('currency');
  if (amount === undefined) throw missing('amount');
  if (amount < 1) throw inputError(`${ROOT}.amount`, `must be at least 1 for a ${operation}`);
  if (vatAmount > amount) throw inputError(`${ROOT}.vatAmount`, 'must not be above the amount');
  return { currency: currencyOf(currency), amount: amountMinor(amount), vatAmount: amountMinor(vatAmount) };
}

function moneyOfVerify({ currency }: SentNewOrder): Money {
  const known = currency === undefined ? CURRENCY_OF_VERIFY : currencyOf(currency);
  return { currency: known, amount: ZERO_MINOR, vatAmount: ZERO_MINOR };
}

function currencyOf(text: string): Currency {
  const currency = parseCurrencyInUse(text);
  if (currency === undefined)
    throw inputError(`${ROOT}.currency`, 'must be a code of ISO 4217 that is in use, as in NOK');
  return currency;
}

/** The only means of payment, where the order has no menu. */
function onlyInstrument(sent: SentNewOrder): OrderInstrument | null {
  const { instrument, disablePaymentMenu, operation } = sent;
  if (instrument === undefined) return disablePaymentMenu === true ? 'CreditCard' : null;
  const known = instrumentOf(instrument);
  const isPossible = known !== 'GiftCard' || takesGiftCards({ operation, terms: { generate: tokensToMake(sent) } });
  if (known === undefined || !isPossible) throw notOffered('instrument');
  return known;
}

/** What decides how the page looks. */
function menuOf(sent: SentNewOrder): Partial<OrderTerms> {
  const { restrictedToInstruments = [], disableStoredPaymentDetails, enablePaymentDetailsConsentCheckbox } = sent;
  const offered = restrictedToInstruments.map(instrumentOf).filter((name) => name !== undefined);
  if (restrictedToInstruments.length > 0 && offered.length === 0) throw notOffered('restrictedToInstruments');
  if (enablePaymentDetailsConsentCheckbox === true && disableStoredPaymentDetails !== true) {
    throw inputError(
      `${ROOT}.enablePaymentDetailsConsentCheckbox`,
      'must not be true without disableStoredPaymentDetails',
    );
  }
  return present({
    restrictedToInstruments: offered.length === 0 ? undefined : [...new Set(offered)],
    expandFirstInstrument: sent.expandFirstInstrument,
    disablePaymentMenu: sent.disablePaymentMenu,
    disableStoredPaymentDetails,
    enablePaymentDetailsConsentCheckbox,
  });
}

/** The token that an order is paid with, or that its page is filled in with. */
function tokenOf(sent: SentNewOrder): string | undefined {
  const { paymentToken } = sent;
  switch (sent.operation) {
    case 'Purchase':
      return paymentToken?.toLowerCase();
    case 'Verify':
      return undefined;
    case 'Recur':
      return required('recurrenceToken', sent.recurrenceToken);
    case 'UnscheduledPurchase':
      return required('unscheduledToken', sent.unscheduledToken ?? paymentToken);
  }
}

function required(name: string, token: string | undefined): string {
  if (token === undefined) throw missing(name);
  return token.toLowerCase();
}

/** Which cards are taken, by all entries of `items` together. */
function cardRulesOf({ items = [] }: SentNewOrder): CardRules {
  return Object.assign({}, ...items.map(({ creditCard }) => creditCard)) as CardRules;
}

function missing(name: string): Error {
  return inputError(`${ROOT}.${name}`, 'is required');
}

function notOffered(name: string): Error {
  return inputError(`${ROOT}.${name}`, 'must name a means of payment of this service: CreditCard or GiftCard');
}

/** The members that are there. */
function present<Members extends object>(members: Members): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
