import { answerBank, formIn, type Verdict } from '../issuer/three-ds.ts';
import type { Answer, TestService } from '../service.ts';
import { cardPaymentsShop, type Members, VISA } from '../shop/card-payments-shop.ts';

/** The page of a payment, as a browser without script meets it. */
export interface PayPage {
  /** Of the payment, as the payee knows it. */
  readonly id: string;
  /** Of the page: the payee's link without the service's address. */
  readonly path: string;
  open(options?: PageOptions): Promise<Answer>;
  /** Sends the form as it stands on the page, filled in with a good card unless the fields say something else. */
  pay(fields?: Fields, options?: PageOptions): Promise<Answer>;
  /** Sends a form to an address below the page's. */
  post(below: string, fields: Fields, options?: PageOptions): Promise<Answer>;
  /** Goes to the bank, chooses there, and comes back. */
  confirm(verdict: Verdict, options?: PageOptions): Promise<Answer>;
  /** Where an answer leads a browser without a script: to another page here, or through one to the payee. */
  leadsTo(answer: Answer): Promise<string | null>;
  payment(): Promise<Answer>;
}

export type Fields = Readonly<Record<string, string | undefined>>;

export interface PageOptions {
  /** Below the page's own address, as in `/frame`. */
  readonly below?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A card as payers type it. */
export const TYPED: Fields = {
  number: VISA.replace(/(\d{4})(?=\d)/g, '$1 '),
  expiry: '12/39',
  cvc: '123',
  name: 'Olivia Nyhuus',
};

/** Makes a payment and gives its page. */
export async function payPage(
  kontor: Pick<TestService, 'send' | 'baseUrl'>,
  members: Members = {},
  cards?: Members,
): Promise<PayPage> {
  const made = await cardPaymentsShop(kontor).create(members, cards === undefined ? {} : { cards });
  if (made.status !== 200) throw new Error(`a payment was refused: ${made.text}`);
  const href = linkIn(made);
  const { id } = made.body.payment;
  return { id, ...pageAt(kontor, href), payment: () => kontor.send('GET', id) };
}

/** The address of the page in the answer of a payment. */
export function linkIn({ body }: Answer): string {
  const found = body.operations.find(({ rel }: { readonly rel: string }) => rel.startsWith('redirect-'));
  if (found === undefined) throw new Error('the payment has no page');
  return found.href;
}

/** The page at an address. */
export function pageAt(kontor: Pick<TestService, 'send' | 'baseUrl'>, href: string): Omit<PayPage, 'id' | 'payment'> {
  const path = new URL(href).pathname;
  const open: PayPage['open'] = ({ below = '', query = '', headers = {} } = {}) =>
    kontor.send('GET', `${path}${below}${query}`, { accessToken: null, headers });
  const post: PayPage['post'] = (below, fields, { query = '', headers = {} } = {}) =>
    kontor.send('POST', `${path}${below}${query}`, {
      accessToken: null,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        origin: 'null',
        ...headers,
      },
      body: new URLSearchParams(
        Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
      ).toString(),
    });
  return {
    path,
    open,
    post,
    confirm: async (verdict, { below = '', ...options } = {}) => {
      const leading = await open({ ...options, below: `${below}/challenge` });
      if (leading.status !== 200) return leading;
      const back = await answerBank(formIn(leading.text, 'lead'), verdict);
      return kontor.send('POST', new URL(back.action).pathname, {
        accessToken: null,
        headers: {
          ...options.headers,
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'cross-site',
          origin: 'null',
        },
        body: new URLSearchParams(back.fields).toString(),
      });
    },
    leadsTo: async ({ headers }) => {
      const location = headers.get('location');
      if (location?.split('?')[0] !== `${path}/back`) return location;
      const { text } = await kontor.send('GET', location, { accessToken: null });
      return /<meta http-equiv="refresh" content="0;url=([^"]+)">/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? null;
    },
    pay: async (fields = {}, options = {}) => {
      const attempt = attemptIn(await open(options));
      return post(options.below ?? '', { attempt, ...TYPED, ...fields }, options);
    },
  };
}

/** What names a form that was rendered, so that sending it twice is one try. */
export function attemptIn({ text }: Pick<Answer, 'text'>): string {
  return /name="attempt" value="([^"]+)"/.exec(text)?.[1] ?? 'none';
}

/** What a page says that it is. */
export function stateIn({ text }: Pick<Answer, 'text'>): string {
  return /data-state="(\w+)"/.exec(text)?.[1] ?? 'none';
}
