import fc from 'fast-check';

/** What a payment is in the model: numbers alone. */
export interface ModelPayment {
  readonly account: number;
  readonly kind: 'authorize' | 'purchase' | 'deposit' | 'credit';
  readonly amount: number;
  state: 'OK' | 'FAILED' | 'REVERSED';
  captured: number;
  cancelled: number;
  reversed: number;
}

/** The whole context of the model: balances and payments. An account without a balance is a card of an external issuer. */
export interface Model {
  readonly available: (number | undefined)[];
  readonly payments: ModelPayment[];
}

/** One step. `account` and `payment` are taken modulo what there is. */
export type Step =
  | {
      readonly verb: ModelPayment['kind'];
      readonly account: number;
      readonly amount: number;
      readonly instance: number;
    }
  | {
      readonly verb: 'capture' | 'reversal';
      readonly payment: number;
      readonly amount: number;
      readonly rest: boolean;
      readonly instance: number;
    }
  | { readonly verb: 'cancel'; readonly payment: number; readonly instance: number };

/** What the sandbox's issuer declines, whatever it is asked for; and an amount that has room for it. */
const DECLINED = 900351;
const LARGE = 1_000_000;

/** Few, so that sums often meet a limit exactly. */
const amount = fc.constantFrom(10, 20, 30, 50, 10, 20, 30, 50, LARGE, DECLINED);
const index = fc.nat({ max: 11 });
const instance = fc.nat({ max: 1 });

/** Steps at random, as many payments as follow-ups. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        verb: fc.constantFrom('authorize', 'authorize', 'purchase', 'deposit', 'credit'),
        account: index,
        amount,
        instance,
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        verb: fc.constantFrom('capture', 'reversal'),
        payment: index,
        amount,
        rest: fc.constantFrom(false, false, true),
        instance,
      }),
    },
    { weight: 1, arbitrary: fc.record({ verb: fc.constant('cancel' as const), payment: index, instance }) },
  ),
  { minLength: 20, maxLength: 50 },
) as fc.Arbitrary<Step[]>;

/** What the service must answer. */
export interface Expected {
  readonly status: number;
  readonly state?: string;
  readonly remaining?: readonly [capture: number, reversal: number];
}

/** Carries a step out on the model, by the tables of docs/account-payments.md. */
export function expectStep(model: Model, step: Step, largest: number): Expected {
  if ('rest' in step) return expectFollowUp(model, step, largest);
  return 'account' in step ? expectNewPayment(model, step, largest) : expectCancel(model, step.payment);
}

/** What is left of a payment to capture and to give back. */
export function remaining({
  state,
  amount: asked,
  captured,
  cancelled,
  reversed,
}: ModelPayment): readonly [number, number] {
  return state === 'OK' ? [asked - captured - cancelled, captured - reversed] : [0, 0];
}

function expectNewPayment(model: Model, step: Extract<Step, { account: number }>, largest: number): Expected {
  const { account, verb: kind, amount: asked } = step;
  const available = model.available[account];
  if (available === undefined) return expectExternal(model, step);
  const isMoneyIn = kind === 'deposit' || kind === 'credit';
  if (isMoneyIn && available + heldOn(model, account) + asked > largest) return { status: 403 };
  const state = !isMoneyIn && asked > available ? 'FAILED' : 'OK';
  const captured = state === 'OK' && kind !== 'authorize' ? asked : 0;
  const payment: ModelPayment = { account, kind, amount: asked, state, captured, cancelled: 0, reversed: 0 };
  model.payments.push(payment);
  if (state === 'OK') model.available[account] = available + (isMoneyIn ? asked : -asked);
  return { status: 200, state, remaining: remaining(payment) };
}

function expectExternal(
  model: Model,
  { account, verb: kind, amount: asked }: Extract<Step, { account: number }>,
): Expected {
  if (kind === 'deposit') return { status: 403 };
  const state = asked === DECLINED ? 'FAILED' : 'OK';
  const captured = state === 'OK' && kind !== 'authorize' ? asked : 0;
  const payment: ModelPayment = { account, kind, amount: asked, state, captured, cancelled: 0, reversed: 0 };
  model.payments.push(payment);
  return { status: 200, state, remaining: remaining(payment) };
}

function heldOn({ payments }: Model, account: number): number {
  return payments
    .filter((payment) => payment.account === account)
    .reduce((sum, payment) => sum + remaining(payment)[0], 0);
}

function expectFollowUp(model: Model, step: Extract<Step, { rest: boolean }>, largest: number): Expected {
  const payment = model.payments[step.payment];
  if (payment === undefined) return { status: 404 };
  const [capture, reversal] = remaining(payment);
  if (step.verb === 'capture') {
    if (step.amount > capture) return { status: 403 };
    if (isDeclined(model, payment, step.amount)) return declined(payment);
    payment.captured += step.amount;
    if (step.rest) release(model, payment);
    return { status: 200, state: 'OK', remaining: remaining(payment) };
  }
  const isMoneyIn = payment.kind === 'deposit' || payment.kind === 'credit';
  if (step.amount > reversal) return { status: 403 };
  if (isDeclined(model, payment, step.amount)) return declined(payment);
  const available = model.available[payment.account];
  if (available !== undefined) {
    if (isMoneyIn && step.amount > available) return { status: 403 };
    if (!isMoneyIn && available + heldOn(model, payment.account) + step.amount > largest) return { status: 403 };
    model.available[payment.account] = available + (isMoneyIn ? -step.amount : step.amount);
  }
  payment.reversed += step.amount;
  settle(payment);
  return { status: 200, state: 'OK', remaining: remaining(payment) };
}

function expectCancel(model: Model, index: number): Expected {
  const payment = model.payments[index];
  if (payment === undefined) return { status: 404 };
  const [left] = remaining(payment);
  if (left === 0) return { status: 403 };
  if (isDeclined(model, payment, left)) return declined(payment);
  release(model, payment);
  return { status: 200, state: 'OK', remaining: remaining(payment) };
}

function isDeclined({ available }: Model, { account }: ModelPayment, asked: number): boolean {
  return available[account] === undefined && asked === DECLINED;
}

/** A declined capture, cancel or reversal leaves its payment as it was. */
function declined(payment: ModelPayment): Expected {
  return { status: 200, state: 'FAILED', remaining: remaining(payment) };
}

function release(model: Model, payment: ModelPayment): void {
  const [left] = remaining(payment);
  payment.cancelled += left;
  const available = model.available[payment.account];
  if (available !== undefined) model.available[payment.account] = available + left;
  settle(payment);
}

function settle(payment: ModelPayment): void {
  const { amount: asked, captured, cancelled, reversed } = payment;
  if (captured > 0 && captured + cancelled === asked && reversed === captured) payment.state = 'REVERSED';
}
