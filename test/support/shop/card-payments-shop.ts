import type { Answer, SendOptions, TestService } from '../service.ts';

export const PAYMENTS = '/psp/creditcard/payments';

/** Test cards of the sandbox. */
export const VISA = '4925000000000004';
export const MASTERCARD = '5226600159865967';
export const AMEX = '377601000000000';
export const VISA_WITH_3D_SECURE = '4761739001010416';

export type Members = Readonly<Record<string, unknown>>;

/** What a shop does with card payments in a test, over HTTP. */
export interface CardPaymentsShop {
  /** Makes a payment: a purchase of 1500 unless the members say something else. */
  create(
    members?: Members,
    options?: SendOptions & { readonly cards?: Members; readonly query?: string },
  ): Promise<Answer>;
  /** The id of a payment of so much. */
  purchase(amount: number, members?: Members): Promise<string>;
  get(id: string): Promise<Answer>;
  /** Sends a card for an authorization or verification. */
  authorize(id: string, card?: Members, options?: SendOptions): Promise<Answer>;
  verify(id: string, card?: Members, options?: SendOptions): Promise<Answer>;
  follow(
    id: string,
    what: 'captures' | 'cancellations' | 'reversals',
    transaction?: Members,
    options?: SendOptions,
  ): Promise<Answer>;
  abort(id: string, abortReason?: string, options?: SendOptions): Promise<Answer>;
}

/** Opens a shop on a running service. */
export function cardPaymentsShop(kontor: Pick<TestService, 'send'>): CardPaymentsShop {
  const post = (path: string, body: object, options: SendOptions = {}) =>
    kontor.send('POST', path, { ...options, body });
  const card = (members: Members) => ({
    transaction: {
      cardNumber: VISA,
      cardExpiryMonth: '12',
      cardExpiryYear: '2039',
      cardVerificationCode: '123',
      ...members,
    },
  });
  const create: CardPaymentsShop['create'] = (members = {}, { cards, query = '', ...options } = {}) =>
    post(
      `${PAYMENTS}${query}`,
      { payment: { ...purchaseOf(1500), ...members }, ...(cards !== undefined && { creditCard: cards }) },
      options,
    );
  return {
    create,
    purchase: async (amount, members) => {
      const { status, text, body } = await create({ ...purchaseOf(amount), ...members });
      if (status !== 200) throw new Error(`a payment was refused: ${text}`);
      return body.payment.id;
    },
    get: (id) => kontor.send('GET', id),
    authorize: (id, members = {}, options) => post(`${id}/authorizations`, card(members), options),
    verify: (id, members = {}, options) => post(`${id}/verifications`, card(members), options),
    follow: (id, what, transaction = {}, options) => post(`${id}/${what}`, { transaction }, options),
    abort: (id, abortReason = 'CancelledByShop', options = {}) =>
      kontor.send('PATCH', id, { ...options, body: { payment: { operation: 'Abort', abortReason } } }),
  };
}

function purchaseOf(amount: number): Members {
  return {
    operation: 'Purchase',
    intent: 'Authorization',
    currency: 'SEK',
    prices: [{ type: 'CreditCard', amount, vatAmount: 0 }],
    description: 'Test purchase',
    userAgent: 'Mozilla/5.0',
    language: 'sv-SE',
  };
}

/** What can be done, by the names of the operations. */
export function relsOf(answer: Answer): string[] {
  return answer.body.operations.map(({ rel }: { readonly rel: string }) => rel);
}
