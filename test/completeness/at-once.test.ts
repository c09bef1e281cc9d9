import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiRoute } from '../../src/http/route.types.ts';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { countedTables } from '../support/prober/routes-digest.ts';
import { goodRequest, type RouteRequest, shownBytes, withBody } from '../support/prober/routes-requests.ts';
import { freshName, sampleOf } from '../support/prober/routes-samples.ts';
import { exchange, type RawAnswer } from '../support/prober/sockets.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { newReference } from '../support/shop/accounts-shop.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';

// The same request three times at the same moment, of each operation of the API that changes something: one of them has its effect,
// and each of the others is answered as it is, or is 409 with a time to come again. An effect is told by the rows that it makes: three
// at once make as many rows of each table as one alone.

const { apiRoutes } = describeRoutes();
const changing = apiRoutes.filter(({ method }) => method !== 'GET');

/** Operations that do the same again when they are asked again: by what each is for. */
const AGAIN_EACH_TIME: Readonly<Record<string, string>> = {
  ping: 'it changes nothing',
  askAccountBalance: 'it changes nothing',
  testWebhook: 'each sends an event of its own',
  redeliverEvent: 'each sends the event once more',
  rotateWebhookSecret:
    'a secret is shown once, so each makes its own; the secret before them ends when the first one said',
};

/** Tables that also keep that a request was repeated: the nonce of each, and who has been shown a card's code again. */
const NOTES_OF_REPEATS: Readonly<Record<string, readonly string[]>> = {
  getNewGiftCard: ['audit', 'reference'],
  // The trail has each time that a person was to be erased.
  erasePayer: ['audit'],
};

let kontor: TestService;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
});
afterAll(() => kontor.stop());

/** A request that has its effect once, about objects that were made for it. */
type Make = () => Promise<RouteRequest>;

const BURSTS = IS_LONG_RUN ? 3 : 1;

async function expectOneEffect(make: Make, notes: readonly string[] = []): Promise<void> {
  // The first one also makes what others find: a range of a product's cards, the numbers of an acquirer's messages.
  await effectOf(await make(), 1);
  const one = await effectOf(await make(), 1);
  expect(one.answers.map(({ status, body }) => [status, status === 200 ? '' : body])).toEqual([[200, '']]);
  for (let burst = 0; burst < BURSTS; burst++) {
    const { answers, rows } = await effectOf(await make(), 3);
    const served = answers.filter(({ status }) => status === 200);
    for (const { status, headers, body } of answers.filter((answer) => !served.includes(answer))) {
      expect([status, body]).toEqual([409, expect.stringContaining('/conflict"')]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(served.length).toBeGreaterThan(0);
    expect(new Set(served.map(({ headers }) => headers['location'])).size).toBe(1);
    const isEffect = ([table]: readonly [string, number]) => !notes.includes(table);
    expect(rows.filter(isEffect)).toEqual(one.rows.filter(isEffect));
  }
}

/** Sends a request so many times at once, signed anew each time where it is signed, and counts the rows that came of them. */
async function effectOf(
  request: RouteRequest,
  times: number,
): Promise<{ answers: RawAnswer[]; rows: (readonly [string, number])[] }> {
  const texts = Array.from({ length: times }, () => shownBytes(request));
  const before = await countedTables(kontor.database);
  const answers = await Promise.all(texts.map((bytes) => exchange(kontor.baseUrl, bytes)));
  const after = await countedTables(kontor.database);
  const made = [...after].map(([table, count]) => [table, count - (before.get(table) ?? 0)] as const);
  return { answers, rows: made.filter(([, count]) => count !== 0) };
}

/** What its sample asks of a route; with a key where the route takes one. */
async function sampled(route: ApiRoute): Promise<RouteRequest> {
  const name = freshName();
  await sampleOf(route).make(kontor, kontor.payeeId, name);
  const good = goodRequest(route, { ...kontor, name });
  return route.takesIdempotencyKey ? { ...good, headers: { ...good.headers, 'idempotency-key': name } } : good;
}

/** The same with the payee's reference alone. */
function withoutKey({ headers: { 'idempotency-key': _key, ...headers }, ...request }: RouteRequest): RouteRequest {
  return { ...request, headers };
}

describe.each(changing.map((route) => [route.operationId, route] as const))('%s', (operationId, route) => {
  test.skipIf(operationId in AGAIN_EACH_TIME)('has one effect when it is sent three times at once', () =>
    expectOneEffect(() => sampled(route), NOTES_OF_REPEATS[operationId]),
  );

  const hasReference = JSON.stringify(sampleOf(route).body ?? {}).includes('"payeeReference"');
  test.runIf(route.takesIdempotencyKey && hasReference)('so it has by its reference alone', () =>
    expectOneEffect(async () => withoutKey(await sampled(route))),
  );
});

interface PaidByToken {
  readonly operationId: string;
  readonly operation: string;
  /** Members of the payment that stores a card, and of the one that is paid with it. */
  readonly generate: string;
  readonly token: string;
}

describe('a payment with a token', () => {
  const routeOf = (operationId: string) => {
    const route = changing.find((candidate) => candidate.operationId === operationId);
    if (route === undefined) throw new Error(`there is no ${operationId}`);
    return route;
  };

  /** The request of a payment with a token that its payer stored a moment ago. */
  async function withToken({ operationId, operation, generate, token }: PaidByToken): Promise<RouteRequest> {
    const shop = cardPaymentsShop(kontor);
    const payerReference = freshName();
    const id = await shop.purchase(100, { payerReference, [generate]: true });
    const { body } = await shop.authorize(id);
    const payment = {
      operation,
      amount: 250,
      vatAmount: 0,
      currency: 'SEK',
      description: 'Renewal',
      userAgent: 'Mozilla/5.0',
      language: 'sv-SE',
      [token]: body.authorization[token],
      urls: { callbackUrl: 'https://shop.example/callback' },
      payeeInfo: { payeeId: kontor.payeeId, payeeReference: newReference() },
    };
    const member = operationId === 'createCardPayment' ? 'payment' : 'paymentorder';
    return withoutKey(withBody(await sampled(routeOf(operationId)), { [member]: payment }));
  }

  const recur = { operation: 'Recur', generate: 'generateRecurrenceToken', token: 'recurrenceToken' };
  const unscheduled = {
    operation: 'UnscheduledPurchase',
    generate: 'generateUnscheduledToken',
    token: 'unscheduledToken',
  };
  test.each([
    { operationId: 'createCardPayment', ...recur },
    { operationId: 'createCardPayment', ...unscheduled },
    { operationId: 'createPaymentOrder', ...recur },
    { operationId: 'createPaymentOrder', ...unscheduled },
  ])('of $operationId with $operation has one effect', (kind) => expectOneEffect(() => withToken(kind)));
});

describe('a change of an order', () => {
  const route = changing.find(({ operationId }) => operationId === 'changePaymentOrder') as ApiRoute;
  test.each([
    { operation: 'Abort', abortReason: 'SoldOut' },
    { operation: 'UpdateOrder', amount: 900, vatAmount: 100 },
    { operation: 'ExpandInstrument', instrument: 'CreditCard' },
  ])('by $operation has one effect', (paymentorder) =>
    expectOneEffect(async () => withBody(await sampled(route), { paymentorder })),
  );

  test('by SetInstrument has one effect', () =>
    expectOneEffect(async () => {
      const asked = await sampled(route);
      const [orderId] = asked.path.split('/').slice(-1);
      await kontor.database.asAdmin(`update payment_order set instrument = 'CreditCard' where order_id = '${orderId}'`);
      return withBody(asked, { paymentorder: { operation: 'SetInstrument', instrument: 'GiftCard' } });
    }));
});
