import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Running, serve } from '../../src/wiring/serve.ts';
import { refuteLedger } from '../support/issuer/accounts-ledger.ts';
import { IS_LONG_RUN } from '../support/long-run.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import {
  type AccountsShop,
  accountsShop,
  newReference,
  type Paid,
  type PayableAccount,
  paid,
} from '../support/shop/accounts-shop.ts';
import { type Expected, expectStep, type Model, remaining, type Step, steps } from './accounts-model.ts';

/** Of our own; one more is a card of an external issuer. */
const OWN_ACCOUNTS = 3;
const ACCOUNTS = OWN_ACCOUNTS + 1;
const OPENING = 100;
const LARGEST = 150;

let kontor: TestService;
let other: Running;
let shops: readonly AccountsShop[];
beforeAll(async () => {
  kontor = await testService();
  other = await serve(kontor.config, () => undefined);
  const second: TestService = {
    ...kontor,
    send: (method, path, options) =>
      kontor.send(method, path.startsWith('http') ? path : `${other.baseUrl}${path}`, options),
  };
  shops = [accountsShop(kontor), accountsShop(second)];
});
afterAll(async () => {
  await other.stop();
  await kontor.stop();
});

/** One run: the model, and what the service has made of it. */
interface Context {
  readonly model: Model;
  readonly accounts: readonly PayableAccount[];
  readonly payments: { readonly paid: Paid; readonly href: string }[];
}

async function newContext(): Promise<Context> {
  const [shop] = shops;
  if (shop === undefined) throw new Error('there is a shop');
  const own = await Promise.all(
    Array.from({ length: OWN_ACCOUNTS }, () => shop.open(OPENING, { largestBalance: LARGEST as never })),
  );
  const [card] = shop.testCards;
  if (card === undefined) throw new Error('the sandbox has test cards');
  const available = [...own.map(() => OPENING), undefined];
  return { model: { available, payments: [] }, accounts: [...own, card], payments: [] };
}

/** A step on something that is there. */
function onWhatIsThere(step: Step, { payments }: Context): Step {
  if ('account' in step) return { ...step, account: step.account % ACCOUNTS };
  return { ...step, payment: payments.length === 0 ? 0 : step.payment % payments.length };
}

async function carryOut(context: Context, step: Step, paymentTransactionRef: string): Promise<Answer> {
  const shop = shops[step.instance];
  if (shop === undefined) throw new Error('there are two shops');
  if ('account' in step) {
    const account = context.accounts[step.account];
    if (account === undefined) throw new Error('the step names an account');
    return shop.pay(step.verb, account, { amount: step.amount, paymentTransactionRef, paymentOrderRef: 'order' });
  }
  const unknown = {
    paymentAccountId: context.accounts[0]?.paymentAccountId ?? '',
    paymentId: 'none',
    paymentOrderRef: 'order',
  };
  const payment = context.payments[step.payment]?.paid ?? unknown;
  if (step.verb === 'cancel') return shop.follow('cancel', payment, { paymentTransactionRef });
  const rest = step.verb === 'capture' && step.rest ? { cancelRemainingAuth: true } : {};
  return shop.follow(step.verb, payment, { amount: step.amount, paymentTransactionRef, ...rest });
}

function expectAnswer({ status, body }: Answer, expected: Expected): void {
  expect(status).toBe(expected.status);
  if (expected.remaining === undefined) return;
  const [capture, reversal] = expected.remaining;
  expect(body).toMatchObject({
    state: expected.state,
    remainingCaptureAmount: capture,
    remainingCancelAmount: capture,
    remainingReversalAmount: reversal,
  });
}

async function expectContext({ model, accounts, payments }: Context): Promise<void> {
  const balances = await Promise.all(accounts.map((account) => shops[0]?.balance(account)));
  expect(balances).toEqual(model.available.map((available) => available ?? 0));
  for (const [index, { href }] of payments.entries()) {
    const payment = model.payments[index];
    if (payment === undefined) throw new Error('model and service have the same payments');
    const { body } = await kontor.send('GET', href);
    const [capture, reversal] = remaining(payment);
    expect(body).toMatchObject({
      state: payment.state,
      remainingCaptureAmount: capture,
      remainingReversalAmount: reversal,
    });
  }
}

it('answers as the model does, at two instances, each step sent once more', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const context = await newContext();
      for (const drawn of sequence) {
        const step = onWhatIsThere(drawn, context);
        const reference = newReference();
        const expected = expectStep(context.model, step, LARGEST);
        const answer = await carryOut(context, step, reference);
        expectAnswer(answer, expected);
        if ('account' in step && answer.status === 200) {
          const account = context.accounts[step.account];
          if (account === undefined) throw new Error('the step names an account');
          context.payments.push({ paid: paid(account, answer), href: answer.body.operations[0].href });
        }
        if (answer.status !== 200) continue;
        const again = await carryOut(context, { ...step, instance: 1 - step.instance }, reference);
        expect(again.body.state).toBe('DUPLICATE');
      }
      await expectContext(context);
    }),
    { numRuns: IS_LONG_RUN ? 40 : 8 },
  );
  expect(await refuteLedger(kontor.database)).toEqual([]);
}, 300_000);
