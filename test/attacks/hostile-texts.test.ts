import type { TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ApiRoute } from '../../src/http/route.types.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { BODY_BYTES } from '../../src/kit/limits.ts';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { installSandbox } from '../support/kontor.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { whileOthersAsk } from '../support/prober/attack.ts';
import { goodRequest, sendRequest, withBody } from '../support/prober/routes-requests.ts';
import { freshName, sampleOf } from '../support/prober/routes-samples.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';

// No text makes a request much dearer than plain letters do: each route gets its longest body, once of letters and once of what is
// hard to read, and what both take of the CPU is compared. Runs take turns and medians are compared, so that a busy machine changes
// both alike; in a process that has run other tests before, one of them may be compiled and the other not.

/** Texts that scans for card numbers have been slow with, and others like them. */
const PUMPS = ['%٩ ', '0 ', '9 ', '1-2-', '4', '4925 ', 'O0', '%30', '٩'];
const MOST_TIMES = 3;
/** Pairs of runs of a comparison, and comparisons before a text counts as dear: each has to say so. */
const RUNS = 15;
const COMPARISONS = 4;
/** Below this a body is too short to be dear. */
const LEAST_BYTES = 4 * 1024;
/** What a body has beside its texts and items, at most. */
const ROOM_BYTES = 1024;

const { apiRoutes } = describeRoutes();

interface Rules {
  readonly type?: string;
  readonly freeText?: number;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
}

/** A value whose free texts are as long as they may be, of this, and whose lists have so many items. */
function filled(schema: TSchema, value: unknown, pump: string, items: number): unknown {
  const {
    type,
    freeText,
    enum: words,
    pattern,
    format,
    maxLength,
    maxItems,
    properties,
    items: item,
  } = schema as Rules;
  if (typeof value === 'string') {
    const length = freeText ?? maxLength;
    if (length === undefined || words || pattern || format || type !== 'string') return value;
    return pump.repeat(length).slice(0, length).trim();
  }
  if (Array.isArray(value)) {
    const first = value[0];
    if (item === undefined || typeof first !== 'object') return value;
    return Array.from({ length: Math.min(items, maxItems ?? items) }, () => filled(item, first, pump, items));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const rules = properties?.[name];
      return [name, rules === undefined ? member : filled(rules, member, pump, items)];
    }),
  );
}

/** An order's lines come to what is to be paid, so that it is taken. */
function summed(body: unknown): unknown {
  const { paymentorder: order } = body as {
    paymentorder?: { orderItems?: readonly { amount: number; vatAmount: number }[] };
  };
  if (order?.orderItems === undefined) return body;
  const sum = (member: 'amount' | 'vatAmount') =>
    (order.orderItems ?? []).reduce((before, item) => before + item[member], 0);
  return { ...(body as object), paymentorder: { ...order, amount: sum('amount'), vatAmount: sum('vatAmount') } };
}

/** The longest body of a route that it may have. */
function longest(route: ApiRoute, pump: string): string {
  const { body } = sampleOf(route);
  const schema = route.shape.body as TSchema;
  const most = (route.bodyBytes ?? BODY_BYTES) - ROOM_BYTES;
  for (let items = 256; ; items = Math.floor(items * 0.8)) {
    const text = JSON.stringify(summed(filled(schema, JSON.parse(JSON.stringify(body)), pump, items)));
    if (Buffer.byteLength(text) <= most || items <= 1) return text;
  }
}

/** Microseconds of CPU that a work takes. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** How many times as much one work takes as another, as the best of some comparisons says. */
async function timesAsMuch(dear: () => Promise<unknown>, plain: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let comparison = 0; comparison < COMPARISONS && least > MOST_TIMES; comparison++) {
    const taken: [number[], number[]] = [[], []];
    for (let run = 0; run < RUNS; run++) {
      taken[0].push(await cpuOf(dear));
      taken[1].push(await cpuOf(plain));
    }
    least = Math.min(least, median(taken[0]) / median(taken[1]));
  }
  return least;
}

const long = apiRoutes.filter(
  (route) => route.shape.body !== undefined && Buffer.byteLength(longest(route, 'a')) >= LEAST_BYTES,
);
test('are compared where bodies are long: those of orders and of what is done with them', () => {
  expect(long.map(({ operationId }) => operationId)).toEqual(
    expect.arrayContaining([
      'createPaymentOrder',
      'changePaymentOrder',
      'capturePaymentOrder',
      'purchaseAccountPayment',
    ]),
  );
});

describe.runIf(IS_LONG_RUN)('the longest body', () => {
  let kontor: TestService;
  beforeAll(async () => {
    kontor = await serviceWithoutJobs();
  });
  afterAll(() => kontor.stop());

  describe.each(long.map((route) => [route.operationId, route] as const))('of %s', (_operationId, route) => {
    test.each(PUMPS)('takes no more than three times as much for %j as for letters', async (pump) => {
      const name = freshName();
      await sampleOf(route).make(kontor, kontor.payeeId, name);
      const [hostile, plain] = [longest(route, pump), longest(route, 'a')];
      const send = (text: string) => () =>
        sendRequest(kontor.baseUrl, withBody(goodRequest(route, { ...kontor, name }), text));
      expect(await timesAsMuch(send(hostile), send(plain))).toBeLessThan(MOST_TIMES);
    });
  });

  test('of an order keeps no other user waiting, sent by four connections without a pause', async () => {
    const [route] = long.filter(({ operationId }) => operationId === 'createPaymentOrder');
    if (route === undefined) throw new Error('there is no createPaymentOrder');
    const sandbox = await installSandbox();
    onTestFinished(() => sandbox.remove());
    const { baseUrl, payeeId, accessToken } = await sandbox.ready();
    const good = goodRequest(route, { ...kontor, accessToken, payeeId: payeeId as PayeeId, name: freshName() });
    const bodies = PUMPS.map((pump) => longest(route, pump));
    const statuses: number[] = [];
    const sendAll = async () => {
      for (const body of bodies) statuses.push((await sendRequest(baseUrl, withBody(good, body))).status);
    };
    // Compiled by then.
    await sendAll();
    const attack = async () => {
      for (let again = 0; again < 8; again++) await sendAll();
    };
    await whileOthersAsk([{ url: `${baseUrl}/health/live` }], () => Promise.all([1, 2, 3, 4].map(attack)));
    // Read to their end: refused for what they hold, or because the token that they name is none.
    expect(new Set(statuses)).toEqual(new Set([400, 404]));
  }, 300_000);

  test('of a text that takes longer is found', async () => {
    const plain = 'a'.repeat(5_000);
    const read = (text: string) => async () => {
      for (let again = 0; again < 3; again++) /=+$/.test(text);
    };
    expect(await timesAsMuch(read('='.repeat(5_000).concat('a')), read(plain))).toBeGreaterThan(MOST_TIMES);
  });
});
