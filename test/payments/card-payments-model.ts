import fc from 'fast-check';

/** What a card payment is in the model: numbers and words alone. */
export interface ModelPayment {
  readonly price: number;
  readonly intent: 'Authorization' | 'AutoCapture';
  state: 'Ready' | 'Failed' | 'Aborted';
  isPaid: boolean;
  captured: number;
  cancelled: number;
  reversed: number;
  failedTries: number;
  /** Whether an authorization waits for its payer. */
  isWaiting: boolean;
}

export type Verdict = 'Approved' | 'Declined' | 'Cancelled';

/** What happens. `payment` counts back from the one that was made last. */
export type Happening =
  | {
      readonly what: 'create';
      readonly price: number;
      readonly intent: ModelPayment['intent'];
      readonly instance: number;
    }
  | {
      readonly what: 'try';
      readonly payment: number;
      readonly with3DSecure: boolean;
      readonly instance: number;
    }
  | { readonly what: 'finish'; readonly payment: number; readonly verdict: Verdict; readonly instance: number }
  | {
      readonly what: 'capture' | 'reverse';
      readonly payment: number;
      readonly amount: number;
      readonly instance: number;
    }
  | { readonly what: 'cancel' | 'abort' | 'expire'; readonly payment: number; readonly instance: number };

/** What the sandbox's acquirer does not approve, whatever it is asked for. */
const DECLINED = 900351;
const UNANSWERED = 900304;
/** An amount that has room for both. */
const LARGE = 2_000_000;

const payment = fc.nat({ max: 2 });
const instance = fc.nat({ max: 1 });

/** Few amounts and few payments, so that things meet and sums are often spent exactly. An answer is rarely missing: it costs a second. */
export const happenings: fc.Arbitrary<Happening[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        what: fc.constant('create' as const),
        price: fc.constantFrom(100, 100, 100, LARGE, LARGE, DECLINED, DECLINED, UNANSWERED),
        intent: fc.constantFrom('Authorization', 'Authorization', 'AutoCapture'),
        instance,
      }),
    },
    {
      weight: 7,
      arbitrary: fc.record({
        what: fc.constant('try' as const),
        payment,
        with3DSecure: fc.constantFrom(false, false, true),
        instance,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        what: fc.constant('finish' as const),
        payment,
        verdict: fc.constantFrom('Approved', 'Approved', 'Declined', 'Cancelled'),
        instance,
      }),
    },
    {
      weight: 10,
      arbitrary: fc.record({
        what: fc.constantFrom('capture', 'capture', 'reverse'),
        payment,
        amount: fc.constantFrom(20, 30, 50, 50, 100, 100, DECLINED, DECLINED, UNANSWERED),
        instance,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ what: fc.constantFrom('cancel', 'cancel', 'abort', 'expire'), payment, instance }),
    },
  ),
  { minLength: 15, maxLength: 40 },
) as fc.Arbitrary<Happening[]>;

/** What the service must answer: the state of the transaction where there is one, and its problem where it failed. */
export interface Expected {
  readonly status: number;
  readonly transaction?: 'Completed' | 'Failed' | 'AwaitingActivity';
  readonly problem?: string;
}

const FORBIDDEN: Expected = { status: 403 };

/** A payment that was just made. */
export function created({ price, intent }: Pick<ModelPayment, 'price' | 'intent'>): ModelPayment {
  return {
    price,
    intent,
    state: 'Ready',
    isPaid: false,
    captured: 0,
    cancelled: 0,
    reversed: 0,
    failedTries: 0,
    isWaiting: false,
  };
}

/** What can be captured and cancelled, and what can be given back. */
export function left({ price, isPaid, captured, cancelled, reversed }: ModelPayment): readonly [number, number] {
  return isPaid ? [price - captured - cancelled, captured - reversed] : [0, 0];
}

/** The names of what can be done, in their order. */
export function possible(one: ModelPayment): string[] {
  if (!one.isPaid) {
    if (one.state === 'Aborted') return ['aborted-payment'];
    if (one.state === 'Failed') return ['failed-payment'];
    return ['update-payment-abort', 'redirect-authorization', 'direct-authorization'];
  }
  const [capture, reversal] = left(one);
  return [
    ...(capture > 0 ? ['create-capture', 'create-cancellation'] : []),
    ...(reversal > 0 ? ['create-reversal'] : []),
    'paid-payment',
  ];
}

/** Carries a try with a card out on the model. */
export function tried(one: ModelPayment, with3DSecure: boolean): Expected {
  if (one.isPaid || one.state !== 'Ready') return FORBIDDEN;
  // A payer who begins anew has given up the authentication before, and with it a try.
  if (one.isWaiting) failed(one, '3dsecureusercancelled');
  one.isWaiting = false;
  if (one.failedTries === 3) return failed(one, 'velocitycheck');
  one.isWaiting = with3DSecure;
  return with3DSecure ? { status: 200, transaction: 'AwaitingActivity' } : asked(one);
}

/** Carries the end of an authentication out on the model; undefined where none waits. */
export function finished(one: ModelPayment, verdict: Verdict): Expected | undefined {
  if (!one.isWaiting) return undefined;
  one.isWaiting = false;
  if (verdict === 'Approved') return asked(one);
  return failed(one, verdict === 'Declined' ? '3dsecuredeclined' : '3dsecureusercancelled');
}

function asked(one: ModelPayment): Expected {
  const problem = problemOf(one.price);
  if (problem !== undefined) return failed(one, problem);
  one.isPaid = true;
  if (one.intent === 'AutoCapture') one.captured = one.price;
  return { status: 200, transaction: 'Completed' };
}

function failed(one: ModelPayment, problem: string): Expected {
  one.failedTries += 1;
  if (one.failedTries === 3) one.state = 'Failed';
  return { status: 200, transaction: 'Failed', problem };
}

function problemOf(amount: number): string | undefined {
  if (amount === DECLINED) return 'carddeclined';
  return amount === UNANSWERED ? 'acquirergatewaytimeout' : undefined;
}

/** Carries a capture, cancellation or reversal out on the model: a declined one leaves everything as it was. */
export function followedUp(one: ModelPayment, what: 'capture' | 'cancel' | 'reverse', amount: number): Expected {
  const [hold, taken] = left(one);
  const room = what === 'reverse' ? taken : hold;
  const takes = what === 'cancel' ? hold : amount;
  if (room === 0 || takes > room) return FORBIDDEN;
  const problem = problemOf(takes);
  if (problem !== undefined) return { status: 200, transaction: 'Failed', problem };
  one[MEMBERS[what]] += takes;
  return { status: 200, transaction: 'Completed' };
}

const MEMBERS = { capture: 'captured', cancel: 'cancelled', reverse: 'reversed' } as const;

/** Carries an abort out on the model. */
export function aborted(one: ModelPayment): Expected {
  if (one.isPaid || one.state === 'Failed') return FORBIDDEN;
  one.state = 'Aborted';
  one.isWaiting = false;
  return { status: 200 };
}
