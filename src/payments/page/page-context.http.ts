import type { PageLocale, PageTexts } from '../../../locales/page-texts.types.ts';
import type { OpenRequest } from '../../http/route.types.ts';
import { uuidV4 } from '../../kit/ids.ts';
import type { PaymentRoutesOptions } from '../payments-context.types.ts';
import type { From, OpenedPage, OrderPages, PageAssets, StoredCard } from './page.types.ts';
import { fill, localeAsked, localeFor, textsIn, type Words, writeAmount } from './page-language.http.ts';

/** What the routes of the page are made with. */
export interface PageRoutesOptions extends PaymentRoutesOptions {
  /** Who knows the orders that card payments pay parts of; undefined where there are none. */
  readonly orders?: (() => OrderPages) | undefined;
  /** What was built for browsers. Read at the first look. */
  readonly assets: () => PageAssets;
  /** Where a payer comes from, as entries of gift cards are counted. */
  readonly from: (address: string) => From;
  /** Whether declined cards from this address are not counted. */
  readonly isExempt: (address: string) => boolean;
}

/** What pages are drawn with. */
export interface PageContext {
  readonly page: OpenedPage;
  readonly locale: PageLocale;
  readonly texts: PageTexts;
  /** The page's own path, without a query. */
  readonly path: string;
  /** What keeps the language that the payer has chosen, as in `?language=fi-FI`; empty where it is the payment's. */
  readonly query: string;
  /** Names its forms: the same one sent twice is one try. */
  readonly attempt: string;
  /** Whether it stands inside a page of the payee's. */
  readonly isFramed: boolean;
  readonly isSandbox: boolean;
  /** Where banks are that may be shown in frames (CSP 3, sources); none where there is no 3-D Secure. */
  readonly banks: readonly string[];
  /** What the browser has asked for the page with; empty where it has not said. */
  readonly accept: string;
  readonly assets: PageAssets;
}

/** How a page is reached: by itself, or inside a page of the payee's. */
export interface Framing {
  readonly isFramed: boolean;
}

/** What a page is drawn with, whatever it shows. */
export type PageFrame = Omit<PageContext, 'page'>;

/** Puts together what a page is drawn with. */
export function pageFrame(
  { context, assets, baseUrl }: PageRoutesOptions,
  { params, query, headers }: Pick<OpenRequest, 'params' | 'query' | 'headers'>,
  { payment, isFramed }: Pick<OpenedPage, 'payment'> & Framing,
): PageFrame {
  const asked = localeAsked(query['language']);
  const locale = asked ?? localeFor(payment.terms.language);
  return {
    locale,
    texts: textsIn(locale),
    path: `/pay/${params['payeeId']}/${params['secret']}${isFramed ? '/frame' : ''}`,
    query: asked === undefined ? '' : `?language=${asked}`,
    attempt: uuidV4(),
    accept: typeof headers['accept'] === 'string' ? headers['accept'] : '',
    isFramed,
    isSandbox: context.isSandbox,
    banks: context.threeDS() === undefined ? [] : ['https:', ...(isPlain(baseUrl()) ? [TEST_BANKS] : [])],
    assets: assets(),
  };
}

/** The test bank, on this machine alone. */
const TEST_BANKS = 'http://127.0.0.1:*';

/** Whether the service speaks in the clear, and so to this machine alone, or behind a proxy on it. */
function isPlain(baseUrl: string): boolean {
  return baseUrl.startsWith('http://');
}

/** An address of the page, which keeps the language. */
export function addressOf({ path, query }: Pick<PageContext, 'path' | 'query'>, suffix = ''): string {
  return `${path}${suffix}${query}`;
}

/** The same page by itself: what a form shows that leads the whole window out of a frame. */
export function alone<Context extends PageFrame>(context: Context): Context {
  return { ...context, isFramed: false, path: context.path.replace(/\/frame$/, '') };
}

/** A text with its merchant, its amount, and further words. */
export function say(context: PageContext, text: keyof PageTexts, words: Words = {}): string {
  const { page, texts } = context;
  return fill(texts[text], { merchant: page.merchantName, amount: amountShown(context), ...words });
}

/** An amount of the payment's currency. */
export function amountIn({ page, locale }: PageContext, minor: number): string {
  return writeAmount(locale, { minor, currency: page.payment.currency });
}

/** What was paid and not let go again, or what any card is to pay; where each brand has its price, the first one. */
export function amountShown(context: PageContext): string {
  const { payment, menu } = context.page;
  if (menu !== undefined) return amountIn(context, menu.total);
  const { prices } = payment.terms;
  const price = prices.find(({ type }) => type === 'CreditCard') ?? prices[0];
  return amountIn(context, payment.paidBy === null ? (price?.amount ?? 0) : payment.amount - payment.cancelled);
}

/** Whether what is to be paid depends on the card. */
export function isPricedByCard({ page }: PageContext): boolean {
  return new Set(page.payment.terms.prices.map(({ amount }) => amount)).size > 1;
}

/** A stored card as it is named: its brand and last digits. */
export function nameOf({ brand, lastFour }: Pick<StoredCard, 'brand' | 'lastFour'>): string {
  return `${brand} •••• ${lastFour}`.trim();
}
