import { actorOf } from '../../http/actor.ts';
import { operation, path } from '../../http/operations.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import { paymentPath } from '../../kit/cards/card-payment-paths.ts';
import { orderPath } from '../../kit/cards/payment-order-paths.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import { erasePayer, type PayerFlows, readPayer } from './erase-person.flow.ts';
import type { Erased } from './erase-person.ts';
import type { Person } from './find-person.ts';
import { KEPT } from './kept.rules.ts';
import { ErasedPayerAnswer, PayerAnswer, PayerParams } from './payers.wire.ts';

/** What the API's document files the endpoints of a payer under. */
const PAYERS = 'Payers';

/** What the routes about a payer are made with. */
interface PayerRoutesOptions extends PayerFlows {
  /** Without a trailing slash. */
  readonly baseUrl: () => string;
}

/** The endpoints of a payer, for the payee who answers for what is stored of persons: read all of it, erase it. */
export function payerRoutes({ baseUrl, ...flows }: PayerRoutesOptions): ApiRoute[] {
  const common = { path: '/psp/payers/:payerReference', tag: PAYERS } as const;
  return [
    apiRoute({
      ...common,
      method: 'GET',
      scope: 'payers:read',
      operationId: 'getPayer',
      summary: 'Read all that is stored of a payer',
      shape: { params: PayerParams, query: NoQuery, body: undefined, answer: PayerAnswer },
      handle: async ({ params: { payerReference }, payeeId }) => {
        const person = await readPayer(flows, { payeeId, payerReference });
        return { payer: { ...named(payerReference), ...shown(person) }, operations: operationsOf(payerReference) };
      },
    }),
    apiRoute({
      ...common,
      method: 'DELETE',
      scope: 'payers:erase',
      followsUp: true,
      operationId: 'erasePayer',
      summary: 'Erase who a payer is, and delete their tokens',
      shape: { params: PayerParams, query: NoQuery, body: undefined, answer: ErasedPayerAnswer },
      handle: async (request) => {
        const { params, payeeId } = request;
        const { payerReference } = params;
        const { erased } = await erasePayer(flows, { payeeId, payerReference, actor: actorOf(request) });
        return { payer: { ...named(payerReference), ...receipt(erased) }, operations: operationsOf(payerReference) };
      },
    }),
  ];

  function operationsOf(payerReference: string) {
    const href = `${baseUrl()}${payerPath(payerReference)}`;
    return [operation('GET', 'get-payer', href), operation('DELETE', 'erase-payer', href)];
  }
}

function payerPath(payerReference: string): string {
  return path`/psp/payers/${payerReference}`;
}

function named(payerReference: string) {
  return { id: payerPath(payerReference), payerReference };
}

/** What is known of a person, as answers have it. */
export function shown({ orders, cardPayments, tokens, giftCards, giftCardSums }: Person) {
  return {
    orders: orders.map((order) => ({ ...order, id: orderPath(order) })),
    payments: cardPayments.map((payment) => ({
      ...payment,
      id: paymentPath(payment),
      cards: payment.cards,
    })),
    tokens: tokens.map(shownToken),
    giftCards: giftCards.map((card) => ({ ...card })),
    giftCardSums: giftCardSums.map((sums) => ({ ...sums })),
  };
}

function shownToken({
  cardBrand,
  lastFour,
  expiryDate,
  archiveReason,
  deleteComment,
  ...token
}: Person['tokens'][number]) {
  const maybe = Object.entries({ cardBrand, lastFour, expiryDate, archiveReason, deleteComment });
  return { ...token, ...Object.fromEntries(maybe.filter(([, text]) => text !== null)) };
}

function receipt({ cardPayments, ...erased }: Erased) {
  return { erased: { ...erased, payments: cardPayments }, kept: [...KEPT] };
}
