import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sandboxAgreement } from '../../sandbox/cards/issuer.rules.ts';
import type { Answer } from '../engine/leg.types.ts';
import { assert } from '../kit/assert.ts';
import { SERVICE } from '../kit/caller.ts';
import { Refusal } from '../kit/errors.ts';
import { type PayeeId, uuidV7 } from '../kit/ids.ts';
import { addSeconds } from '../kit/instants.ts';
import { type AmountMinor, type Currency, ZERO_MINOR } from '../kit/money.ts';
import type {
  Account,
  AccountId,
  LedgerState,
  PaymentId,
  TransactionId,
  TransactionOperation,
} from '../ledger/ledger.types.ts';
import { PAYMENTS, type Payment, type PaymentTransaction } from './account-payments.types.ts';
import { decideFollowUp } from './follow-up.rules.ts';
import { decideSettlement } from './settlement.rules.ts';
import { releaseHold, whatRemains } from './steps.rules.ts';

// Any number of captures, cancels and reversals of one payment on an external card, whose issuer answers in any order, late
// and twice, while the hold may expire: against a model that is only numbers.

const AMOUNT = 100;
const NOW = '2026-01-01T00:00:00.000Z';
const newId = () => uuidV7(Date.parse(NOW));
const ids = {
  payeeId: newId() as PayeeId,
  accountId: newId() as AccountId,
  paymentId: newId() as PaymentId,
};
const ACCOUNT = {
  ...ids,
  kind: 'External',
  currency: null,
  available: 0,
  held: 0,
  largestBalance: null,
} as unknown as Account;

function authorized(): Payment {
  return {
    ...ids,
    operation: 'Authorize',
    state: 'OK',
    amount: AMOUNT as AmountMinor,
    currency: 'NOK' as Currency,
    captured: ZERO_MINOR,
    cancelled: ZERO_MINOR,
    reversed: ZERO_MINOR,
    reservedHold: ZERO_MINOR,
    reservedReversal: ZERO_MINOR,
    holdExpiresAt: addSeconds(NOW, 60),
    paymentOrderRef: 'order',
    paymentTransactionRef: 'opening',
    problem: null,
    echo: { issuer: 'sandbox', words: {} },
    createdAt: NOW,
    updatedAt: NOW,
    eventSequence: 1,
    orderId: null,
  };
}

/** What the rules have made of the payment so far. */
interface Book {
  payment: Payment;
  readonly transactions: Map<TransactionId, PaymentTransaction>;
  /** What the payee has got, by the entries. */
  clearing: number;
}

const stateOf = ({ payment, transactions }: Book): LedgerState =>
  ({
    now: NOW,
    account: () => ACCOUNT,
    row: (shelf: string, id: string) => (shelf === PAYMENTS ? payment : transactions.get(id as TransactionId)),
    taken: undefined,
    rows: [],
  }) as unknown as LedgerState;

function apply(
  book: Book,
  { effect }: ReturnType<typeof decideFollowUp> | ReturnType<typeof decideSettlement>,
): boolean {
  if (effect === undefined) return false;
  const [payment, transaction] = (effect.rows ?? []).map(({ row }) => row);
  assert(payment !== undefined && transaction !== undefined, 'each step changes both rows');
  book.payment = payment as Payment;
  book.transactions.set((transaction as PaymentTransaction).transactionId, transaction as PaymentTransaction);
  for (const { side, amount } of (effect.movements ?? []).flatMap(({ entries }) => entries)) {
    if (side === 'Clearing') book.clearing += amount;
  }
  return true;
}

/** What waits for the issuer in the model. */
interface Waiting {
  readonly transactionId: TransactionId;
  readonly what: TransactionOperation;
  readonly amount: number;
  readonly released: number;
}

interface Model {
  left: number;
  taken: number;
  back: number;
  isExpired: boolean;
  waiting: Waiting[];
  readonly settled: TransactionId[];
}

const sum = (waiting: readonly Waiting[], isReversal: boolean) =>
  waiting
    .filter(({ what }) => (what === 'Reversal') === isReversal)
    .reduce((total, { amount, released }) => total + amount + released, 0);

const isOver = ({ left, taken, back, waiting }: Model) =>
  left === 0 && sum(waiting, false) === 0 && taken > 0 && back === taken;

const DISPATCH = {
  agreement: sandboxAgreement('payee' as PayeeId),
  limits: { sendMs: 0, answerMs: 4000 },
  pointOfService: null,
  descriptor: undefined,
  exchange: {
    acquirerId: 'sandbox',
    terminalId: 'SANDBOX1',
    stan: '000001',
    sentAt: '2026-01-01T00:00:00Z',
    retrievalReference: '600100000001',
  },
};

/** Answers that the model draws. */
type Drawn = 'Approved' | 'Declined' | 'NoAnswer';
type Begin = { readonly what: TransactionOperation; readonly amount: number; readonly rest: boolean };
type Action = Begin | { readonly answer: Drawn; readonly which: number } | 'expire' | 'late';

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constantFrom('Capture', 'Capture', 'Cancel', 'Reversal'),
      amount: fc.constantFrom(10, 20, 50, 100),
      rest: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      answer: fc.constantFrom('Approved', 'Approved', 'Declined', 'NoAnswer'),
      which: fc.nat(5),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom('expire', 'late') },
) as fc.Arbitrary<Action>;

/** Begins it in the model; undefined where it is not possible. */
function beginInModel(model: Model, { what, amount, rest }: Begin): Omit<Waiting, 'transactionId'> | undefined {
  if (what === 'Reversal') {
    const left = isOver(model) ? 0 : model.taken - model.back - sum(model.waiting, true);
    return amount > left ? undefined : { what, amount, released: 0 };
  }
  const asked = what === 'Cancel' ? model.left : amount;
  if (asked === 0 || asked > model.left) return undefined;
  const released = what === 'Capture' && rest ? model.left - asked : 0;
  model.left -= asked + released;
  return { what, amount: asked, released };
}

function begin(book: Book, model: Model, wish: Begin): void {
  const transactionId = newId() as TransactionId;
  const expected = beginInModel(model, wish);
  const decide = () =>
    decideFollowUp(stateOf(book), {
      ...ids,
      commandId: newId(),
      actor: SERVICE,
      operation: wish.what,
      transactionId,
      refusal: undefined,
      amount: wish.what === 'Cancel' ? undefined : (wish.amount as AmountMinor),
      paymentOrderRef: 'order',
      paymentTransactionRef: transactionId,
      repeat: false,
      cancelRemainingAuth: wish.what === 'Capture' && wish.rest,
      releasesRest: wish.what === 'Capture' && wish.rest,
      block: false,
      words: {},
      circumstances: {},
      attempt: { attemptId: newId(), issuerId: 'sandbox', dispatch: DISPATCH, originalAttemptId: newId() },
    });
  if (expected === undefined) {
    expect(decide).toThrow(Refusal);
    return;
  }
  expect(apply(book, decide())).toBe(true);
  expect(book.transactions.get(transactionId)).toMatchObject({
    state: 'CALLING',
    amount: expected.amount,
    released: expected.released,
  });
  model.waiting.push({ ...expected, transactionId });
}

const ANSWERS: Readonly<Record<Drawn, Answer>> = {
  Approved: { outcome: 'Approved', responseCode: '000', references: { retrievalReference: '600100000001' } },
  Declined: { outcome: 'Declined', responseCode: '100', problem: 'carddeclined', retry: { advice: 'Later' } },
  NoAnswer: { outcome: 'NoAnswer' },
};

function settle(book: Book, transactionId: TransactionId, outcome: Drawn): boolean {
  const answer = ANSWERS[outcome];
  const command = {
    ...ids,
    commandId: newId(),
    actor: SERVICE,
    attemptId: newId(),
    issuerId: 'sandbox',
    transactionId,
    answer,
    holdSeconds: 0,
    release: undefined,
  };
  return apply(book, decideSettlement(stateOf(book), command));
}

function settleInModel(model: Model, { what, amount, released }: Waiting, isApproved: boolean): void {
  if (isApproved && what === 'Capture') model.taken += amount;
  if (isApproved && what === 'Reversal') model.back += amount;
  if (!isApproved && what !== 'Reversal' && !model.isExpired) model.left += amount + released;
}

function carryOut(book: Book, model: Model, drawn: Action): void {
  if (drawn === 'expire') {
    if (book.payment.holdExpiresAt === null) return;
    book.payment = releaseHold(book.payment);
    model.left = 0;
    model.isExpired = true;
    return;
  }
  if (drawn === 'late') {
    for (const transactionId of model.settled) expect(settle(book, transactionId, 'Approved')).toBe(false);
    return;
  }
  if ('what' in drawn) {
    begin(book, model, drawn);
    return;
  }
  const waiting = model.waiting[drawn.which % Math.max(1, model.waiting.length)];
  if (waiting === undefined) return;
  expect(settle(book, waiting.transactionId, drawn.answer)).toBe(true);
  model.waiting = model.waiting.filter((one) => one !== waiting);
  model.settled.push(waiting.transactionId);
  settleInModel(model, waiting, drawn.answer === 'Approved');
}

function expectSame({ payment, clearing }: Book, model: Model): void {
  const { left, taken, back, waiting, isExpired } = model;
  const [hold, reversal] = [sum(waiting, false), sum(waiting, true)];
  const isDone = isOver(model);
  expect(payment).toMatchObject({
    state: isDone ? 'REVERSED' : 'OK',
    captured: taken,
    cancelled: AMOUNT - taken - left - hold,
    reversed: back,
    reservedHold: hold,
    reservedReversal: reversal,
  });
  expect(whatRemains(payment)).toEqual({ capture: left, cancel: left, reversal: isDone ? 0 : taken - back - reversal });
  expect(payment.holdExpiresAt !== null).toBe(!isExpired && left + hold > 0);
  expect(clearing).toBe(taken - back);
}

test('what waits for the issuer is reserved, and is taken or left again, in whatever order the answers come', () => {
  const seen = { beside: 0, expired: 0, reversed: 0 };
  fc.assert(
    fc.property(fc.array(action, { minLength: 5, maxLength: 40 }), (actions) => {
      const book: Book = { payment: authorized(), transactions: new Map(), clearing: 0 };
      const model: Model = { left: AMOUNT, taken: 0, back: 0, isExpired: false, waiting: [], settled: [] };
      for (const drawn of actions) {
        carryOut(book, model, drawn);
        expectSame(book, model);
        seen.beside += model.waiting.length > 1 ? 1 : 0;
        seen.expired += model.isExpired && model.waiting.length > 0 ? 1 : 0;
      }
      seen.reversed += book.payment.state === 'REVERSED' ? 1 : 0;
    }),
    { numRuns: 600 },
  );
  // The draws meet what they are there for.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

test('what the holder of the card asks back through the bank is not given back a second time', () => {
  const purchase: Payment = {
    ...authorized(),
    operation: 'Purchase',
    captured: AMOUNT as AmountMinor,
    holdExpiresAt: null,
  };
  const disputed: Payment = { ...purchase, disputed: 70 as AmountMinor };
  expect(whatRemains(purchase)).toEqual({ capture: 0, cancel: 0, reversal: 100 });
  expect(whatRemains(disputed)).toEqual({ capture: 0, cancel: 0, reversal: 30 });
  // Given back before it was asked back: nothing is left, and never less.
  expect(whatRemains({ ...disputed, reversed: 50 as AmountMinor })).toMatchObject({ reversal: 0 });
});
