import { pageAt } from '../payer/pay-page.ts';
import type { Answer, TestService } from '../service.ts';

/** Members of a request's body. */
export type Members = Readonly<Record<string, unknown>>;

/** An operation that an answer lists. */
export interface ListedOperation {
  readonly method: string;
  readonly href: string;
  readonly rel: string;
  readonly contentType: string;
}

/** A payee that makes payment orders. */
export interface OrdersShop {
  /** Makes an order; members that are undefined are left out. */
  create(members?: Members, options?: SendAs): Promise<Answer>;
  send(method: string, path: string, body?: object | string, options?: SendAs): Promise<Answer>;
  get(id: string, options?: SendAs): Promise<Answer>;
  /** Pays an order by its page, with a card. */
  pay(made: Answer, fields?: Readonly<Record<string, string>>): Promise<Answer>;
  /** A reference that no other request of this run has. */
  reference(): string;
}

export interface SendAs {
  /** Of the Content-Type; undefined: none is named. */
  readonly version?: string | undefined;
  /** Of Accept. */
  readonly accepted?: string;
  /** Names for `$expand`. */
  readonly expand?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

let references = 0;

/** Makes orders of the demo payee. */
export function ordersShop(kontor: Pick<TestService, 'send' | 'baseUrl'>): OrdersShop {
  const reference = () => `order-${++references}`;
  const send: OrdersShop['send'] = (method, path, body, { version, accepted, expand, headers = {} } = {}) => {
    const target = path.startsWith(kontor.baseUrl) ? path.slice(kontor.baseUrl.length) : path;
    return kontor.send(method, expand === undefined ? target : `${target}?$expand=${expand}`, {
      headers: {
        ...(body !== undefined || version !== undefined
          ? { 'content-type': version === undefined ? 'application/json' : `application/json;version=${version}` }
          : {}),
        ...(accepted !== undefined && { accept: `application/json;version=${accepted}` }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
  };
  return {
    reference,
    send,
    create: (members = {}, options) =>
      send('POST', '/psp/paymentorders', { paymentorder: orderBody(reference(), members) }, options),
    get: (id, options) => send('GET', id, undefined, options),
    pay: async (made, fields) => pageAt(kontor, hrefOf(made, 'redirect-')).pay(fields),
  };
}

/** What an order needs, with these members in the place of its own. */
export function orderBody(payeeReference: string, members: Members = {}): Members {
  return {
    operation: 'Purchase',
    currency: 'NOK',
    amount: 10_000,
    vatAmount: 2000,
    description: 'A test',
    language: 'nb-NO',
    urls: { completeUrl: 'https://shop.example/ok', cancelUrl: 'https://shop.example/no' },
    payeeInfo: { payeeReference },
    ...members,
  };
}

/** The address of the first operation whose rel begins so; none is an error. */
export function hrefOf({ body, text }: Answer, rel: string): string {
  const found = (body.operations as readonly ListedOperation[] | undefined)?.find((one) => one.rel.startsWith(rel));
  if (found === undefined) throw new Error(`no operation ${rel}: ${text}`);
  return found.href;
}

/** The rels of an answer, in their order. */
export function relsOf({ body }: Answer): readonly string[] {
  return (body.operations as readonly ListedOperation[]).map(({ rel }) => rel);
}
