import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { passesLuhn } from '../../src/kit/cards/card-number.ts';
import { randomDigits } from '../../src/kit/secret.ts';
import { refuteBooks } from '../support/crash/books.ts';
import { type TwoInstances, twoInstances } from '../support/crash/two-instances.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { linkIn, pageAt } from '../support/payer/pay-page.ts';
import { expire } from '../support/payer/payer.ts';
import type { Answer } from '../support/service.ts';
import { newReference } from '../support/shop/accounts-shop.ts';
import {
  type CardPaymentsShop,
  cardPaymentsShop,
  relsOf,
  VISA,
  VISA_WITH_3D_SECURE,
} from '../support/shop/card-payments-shop.ts';
import { until } from '../support/until.ts';
import * as model from './card-payments-model.ts';

let both: TwoInstances;
let shops: readonly CardPaymentsShop[];
beforeAll(async () => {
  both = await twoInstances();
  shops = [cardPaymentsShop(both.kontor), cardPaymentsShop(both.other)];
});
afterAll(() => both.stop());

/** A payment of a run: the model's, the service's id, and its page. */
interface Made {
  readonly one: model.ModelPayment;
  readonly id: string;
  readonly page: string;
}

/**
 * Of the same range as a test card: one that was declined too often is not tried any more. The two digits behind the first six say what
 * the test bank does, and one of them that a card takes no part in 3-D Secure.
 */
function newCard(like: string): string {
  const body = like.slice(0, 8) + randomDigits(7);
  return `${body}${Array.from('0123456789').find((digit) => passesLuhn(body + digit))}`;
}

function shopOf(instance: number): CardPaymentsShop {
  const shop = shops[instance];
  if (shop === undefined) throw new Error('there are two shops');
  return shop;
}

/** What is sent, at either instance: the same each time. */
type Send = (instance: number) => Promise<Answer>;

/** Sends something twice: the answer is as the model says, and the second one is the first one again. */
async function sendTwice(send: Send, instance: number, expected: model.Expected): Promise<Answer> {
  const answer = await send(instance);
  expect(answer.status, answer.text).toBe(expected.status);
  const again = await send(1 - instance);
  expect(again.status, again.text).toBe(expected.status);
  if (expected.transaction === undefined) return answer;
  const [transaction, second] = [answer, again].map(transactionIn);
  expect(transaction).toMatchObject({ state: expected.transaction });
  expect(transaction?.problem?.type?.split('/').at(-1)).toBe(expected.problem);
  expect(second).toMatchObject({ id: transaction?.id, state: expected.transaction });
  return answer;
}

interface Transaction {
  readonly id: string;
  readonly state: string;
  readonly problem?: { readonly type: string };
}

function transactionIn({ body }: Answer): Transaction {
  const { authorization, capture, cancellation, reversal } = body;
  return (authorization ?? capture ?? cancellation ?? reversal).transaction;
}

async function carryOut(made: Made[], happening: model.Happening): Promise<void> {
  const { what, instance } = happening;
  const reference = newReference();
  const headers = { 'idempotency-key': reference };
  if (what === 'create') {
    const { price, intent } = happening;
    const members = { intent, prices: [{ type: 'CreditCard', amount: price }] };
    const { body } = await sendTwice((at) => shopOf(at).create(members, { headers }), instance, { status: 200 });
    const { id } = body.payment;
    made.push({ one: model.created(happening), id, page: linkIn(await shopOf(0).get(id)) });
    return;
  }
  const named = made.at(-1 - (happening.payment % Math.max(made.length, 1)));
  if (named === undefined) return;
  const { one, id } = named;
  switch (what) {
    case 'try': {
      const cardNumber = newCard(happening.with3DSecure ? VISA_WITH_3D_SECURE : VISA);
      const expected = model.tried(one, happening.with3DSecure);
      await sendTwice((at) => shopOf(at).authorize(id, { cardNumber }, { headers }), instance, expected);
      break;
    }
    case 'finish':
      await finish(named, happening);
      break;
    case 'abort':
      await sendTwice((at) => shopOf(at).abort(id), instance, model.aborted(one));
      break;
    case 'expire':
      await endTime(named);
      break;
    default: {
      const amount = 'amount' in happening ? happening.amount : 0;
      const members = what === 'cancel' ? {} : { amount };
      const expected = model.followedUp(one, what, amount);
      const send: Send = (at) => shopOf(at).follow(id, PATHS[what], { ...members, payeeReference: reference });
      await sendTwice(send, instance, expected);
    }
  }
  await until(async () => (await shopOf(0).get(id)).body.payment.state !== 'Pending', 30_000);
}

const PATHS = { capture: 'captures', cancel: 'cancellations', reverse: 'reversals' } as const;

async function finish(
  { one, id, page }: Made,
  { verdict, instance }: Extract<model.Happening, { what: 'finish' }>,
): Promise<void> {
  const expected = model.finished(one, verdict);
  for (const at of [instance, 1 - instance]) {
    const service = at === 0 ? both.kontor : both.other;
    const { post, confirm } = pageAt(service, page);
    // Where no try waits, a card that was declined is told of at once.
    expect([200, 303]).toContain((await post('/authenticate', {})).status);
    expect(await confirm(verdict)).toMatchObject({ status: 303 });
  }
  if (expected === undefined) return;
  const { transactionList } = (await both.kontor.send('GET', `${id}/transactions`)).body.transactions;
  const authorization = transactionList.findLast(({ type }: { readonly type: string }) => type === 'Authorization');
  expect(authorization.state).toBe(expected.transaction);
  expect(authorization.problem?.type?.split('/').at(-1)).toBe(expected.problem);
}

/** Lets the time of a payment be over: the job ends it where it is not paid, and nothing else of it changes. */
async function endTime({ one, id }: Made): Promise<void> {
  await expire(both.kontor, { id });
  if (one.isPaid || one.state !== 'Ready') return;
  one.state = 'Aborted';
  one.isWaiting = false;
}

async function expectSame({ one, id }: Made): Promise<void> {
  const answer = await shopOf(1).get(id);
  const [capture, reversal] = model.left(one);
  const { payment } = answer.body;
  expect(payment).toMatchObject({ state: one.state, amount: one.isPaid ? one.price : 0 });
  expect([
    payment.remainingCaptureAmount ?? 0,
    payment.remainingCancellationAmount ?? 0,
    payment.remainingReversalAmount ?? 0,
  ]).toEqual([capture, capture, reversal]);
  expect(relsOf(answer)).toEqual(model.possible(one));
}

it('answers as the model does, at two instances, each step sent once more', async () => {
  await fc.assert(
    fc.asyncProperty(model.happenings, async (sequence) => {
      const made: Made[] = [];
      for (const happening of sequence) {
        await carryOut(made, happening);
        for (const one of made) await expectSame(one);
      }
    }),
    { numRuns: IS_LONG_RUN ? 15 : 3 },
  );
  expect(await refuteBooks(both.kontor)).toEqual([]);
}, 300_000);
