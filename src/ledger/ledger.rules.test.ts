import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GO_ON, newId, PAY, pay, type TestAnswer } from '../../test/support/database/ledger.ts';
import { PAYMENTS } from '../accounts/account-payments.types.ts';
import { ACCOUNT_PAYMENTS } from '../accounts/payment-shelves.ts';
import type { PayeeId } from '../kit/ids.ts';
import { type AmountMinor, type Currency, ZERO_MINOR } from '../kit/money.ts';
import { book } from './book.rules.ts';
import { type AnyKind, decideCommand, keyCommand } from './decide-command.rules.ts';
import { expireHolds } from './expiry/expire-holds.rules.ts';
import type { Account, AccountId, EntryDraft, LedgerCommand, PaymentId, TransactionId } from './ledger.types.ts';
import { openWorkspace, referenceName, rowsOn, type Workspace } from './workspace.rules.ts';

const PAYEE = newId() as PayeeId;
const NOW = '2026-01-01T00:00:00.000Z';

function account(available: number): Account {
  return {
    payeeId: PAYEE,
    accountId: newId() as AccountId,
    kind: 'StoredValue',
    instrument: 'giftcard',
    issuer: 'ledger',
    currency: 'NOK' as Currency,
    numberMasked: '400000******0000',
    expiresOn: null,
    expiresAt: null,
    cvcRequired: false,
    cvcKeyId: null,
    cvcSequence: 0,
    allowedProductIds: [],
    largestBalance: null,
    available: available as AmountMinor,
    held: ZERO_MINOR,
    blockedAt: null,
    blockedUntil: null,
    strikes: 0,
    strikesEndAt: null,
    strikers: null,
    closedAt: null,
    nextHoldExpiresAt: null,
    entryCount: 0,
    version: 0,
    createdAt: NOW,
  };
}

function workspaceOf(accounts: readonly Account[]): Workspace {
  const loaded = {
    now: NOW,
    accounts,
    rows: new Map(),
    held: new Map(),
    references: [],
    claimed: new Set<string>(),
    numbers: new Set<string>(),
    paymentNumbers: new Map<string, number>(),
  };
  const workspace = openWorkspace(loaded, { ...ACCOUNT_PAYMENTS, writers: [], newId });
  expireHolds(workspace, loaded, ACCOUNT_PAYMENTS.holds);
  return workspace;
}

/** Decides a command whose reference was free. */
function decide(workspace: Workspace, kind: unknown, command: LedgerCommand): TestAnswer {
  const keyed = keyCommand({ kind: kind as AnyKind, command });
  for (const claim of keyed.claims) workspace.claimed.add(referenceName(claim));
  return decideCommand(workspace, keyed, []) as TestAnswer;
}

/** What a payment of the model has left, as plainly as it can be written. */
interface ModelPayment {
  readonly paymentId: PaymentId;
  readonly operation: 'Authorize' | 'Purchase' | 'Deposit';
  toCapture: number;
  toReverse: number;
}

interface Model {
  available: number;
  held: number;
  readonly payments: ModelPayment[];
}

const operation = fc.record({
  what: fc.constantFrom('Authorize', 'Purchase', 'Deposit', 'Capture', 'Cancel', 'Reversal'),
  amount: fc.integer({ min: 1, max: 400 }),
  which: fc.nat(5),
});
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

/** Does it in the model; false where it is not possible. */
function follow(model: Model, { what, amount, which }: Operation, paymentId: PaymentId): boolean {
  if (what === 'Authorize' || what === 'Purchase' || what === 'Deposit') {
    if (what !== 'Deposit' && amount > model.available) return false;
    model.available += what === 'Deposit' ? amount : -amount;
    model.held += what === 'Authorize' ? amount : 0;
    const isHeld = what === 'Authorize';
    model.payments.push({ paymentId, operation: what, toCapture: isHeld ? amount : 0, toReverse: isHeld ? 0 : amount });
    return true;
  }
  const payment = model.payments[which];
  if (payment === undefined) return false;
  if (what === 'Reversal') {
    // Money that was put in can only be taken back while it is there.
    if (amount > payment.toReverse || (payment.operation === 'Deposit' && amount > model.available)) return false;
    payment.toReverse -= amount;
    model.available += payment.operation === 'Deposit' ? -amount : amount;
    return true;
  }
  const taken = what === 'Cancel' ? payment.toCapture : amount;
  if (taken === 0 || taken > payment.toCapture) return false;
  payment.toCapture -= taken;
  model.held -= taken;
  if (what === 'Cancel') model.available += taken;
  else payment.toReverse += taken;
  return true;
}

function run(workspace: Workspace, accountId: AccountId, { what, amount }: Operation, paymentId: PaymentId): boolean {
  try {
    if (what === 'Authorize' || what === 'Purchase' || what === 'Deposit') {
      const command = pay(PAYEE, accountId, amount, { operation: what, paymentId, reference: paymentId });
      return decide(workspace, PAY, command).state === 'OK';
    }
    const transactionId = newId() as TransactionId;
    const command = { ...pay(PAYEE, accountId, amount), paymentId, transactionId, reference: transactionId, how: what };
    return ['OK', 'REVERSED'].includes(decide(workspace, GO_ON, command).state);
  } catch {
    return false;
  }
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('random operations on one account', () => {
  test('do what the model does, and keep every invariant', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), fc.array(operation, { maxLength: 40 }), (opening, operations) => {
        const first = account(opening);
        const workspace = workspaceOf([first]);
        const model: Model = { available: opening, held: 0, payments: [] };
        for (const one of operations) {
          const existing = model.payments[one.which]?.paymentId ?? (newId() as PaymentId);
          const starts = ['Authorize', 'Purchase', 'Deposit'].includes(one.what);
          const paymentId = starts ? (newId() as PaymentId) : existing;
          expect(run(workspace, first.accountId, one, paymentId)).toBe(follow(model, one, paymentId));
          const now = workspace.accounts.get(first.accountId);
          expect([now?.available, now?.held]).toEqual([model.available, model.held]);
        }
        const { entries } = workspace;
        expect(sumOf(entries.map(({ amount }) => amount))).toBe(0);
        const bucket = (side: string) =>
          sumOf(entries.filter((entry) => entry.side === side).map(({ amount }) => amount));
        expect([opening + bucket('Available'), bucket('Held')]).toEqual([model.available, model.held]);
        const own = entries.filter(({ accountId }) => accountId !== null);
        expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_, index) => index + 1));
        expect(own.every(({ balance }) => balance !== null && balance >= 0)).toBe(true);
      }),
    );
  });
});

describe('a booking that must never be', () => {
  const holder = { ...account(100), largestBalance: 150 as AmountMinor };
  const books = { payeeId: PAYEE, account: () => holder, newId, now: NOW };
  const line = (side: EntryDraft['side'], amount: number): EntryDraft => ({
    side,
    accountId: side === 'Available' || side === 'Held' ? holder.accountId : null,
    amount,
  });
  const movement = (entries: readonly EntryDraft[], currency = 'NOK') => ({
    kind: 'Deposit' as const,
    currency: currency as Currency,
    paymentId: null,
    transactionId: null,
    entries,
  });

  test.each([
    ['makes money from nothing', movement([line('Available', 10), line('Clearing', -9)]), /sum to zero/],
    ['has one side', movement([line('Available', 0)]), /sum to zero/],
    ['moves nothing', movement([line('Available', 0), line('Clearing', 0)]), /whole amount/],
    ['takes more than there is', movement([line('Available', -101), line('Clearing', 101)]), /from 0/],
    ['holds less than nothing', movement([line('Held', -1), line('Available', 1)]), /from 0/],
    ['fills above the largest balance', movement([line('Available', 51), line('Funding', -51)]), /no more than it may/],
    ['is in another currency', movement([line('Available', -1), line('Clearing', 1)], 'SEK'), /own currency/],
  ])('%s', (_name, draft, message) => {
    expect(() => book(books, [draft])).toThrow(message);
  });

  test('is another payee’s', () => {
    const foreign = { ...books, payeeId: newId() as PayeeId };
    expect(() => book(foreign, [movement([line('Available', -1), line('Clearing', 1)])])).toThrow(/its payee/);
  });
});

test('a command that throws, or whose rule is wrong, leaves the workspace as it was', () => {
  const opened = account(100);
  const workspace = workspaceOf([opened]);
  const bad = {
    ...PAY,
    decide: (...args: Parameters<typeof PAY.decide>) => {
      const decision = PAY.decide(...args);
      const { effect } = decision;
      const movements = effect?.movements?.map((one) => ({ ...one, entries: one.entries.slice(0, 1) }));
      return { ...decision, effect: { ...effect, movements } };
    },
  };
  expect(() => decide(workspace, bad, pay(PAYEE, opened.accountId, 10))).toThrow(/sum to zero/);
  expect(() => decide(workspace, PAY, pay(PAYEE, opened.accountId, 10, { harm: 'throw' }))).toThrow(
    'a rule that throws',
  );
  expect(workspace.accounts.changed()).toEqual([]);
  expect(rowsOn(workspace, PAYMENTS).added()).toEqual([]);
  expect([workspace.entries, workspace.events, workspace.audit]).toEqual([[], [], []]);
});

test('a rule does not say whose its movements, references and numbers are', () => {
  const opened = account(100);
  const workspace = workspaceOf([opened]);
  const other = { payeeId: newId() };
  const bad = {
    ...PAY,
    keys: (...args: Parameters<typeof PAY.keys>) => {
      const keys = PAY.keys(...args);
      return { ...keys, references: keys.references.map((one) => ({ ...one, ...other })) };
    },
    decide: (...args: Parameters<typeof PAY.decide>) => {
      const decision = PAY.decide(...args);
      const movements = decision.effect?.movements?.map((one) => ({ ...one, ...other }));
      const numbered = { paymentId: newId() as PaymentId, number: 1, ...other };
      return { ...decision, effect: { ...decision.effect, movements, numbered } };
    },
  };
  const command = pay(PAYEE, opened.accountId, 10);
  expect(keyCommand({ kind: bad as unknown as AnyKind, command }).claims).toMatchObject([{ payeeId: PAYEE }]);
  decide(workspace, bad, command);
  expect([...workspace.movements, ...workspace.numbered]).toMatchObject([{ payeeId: PAYEE }, { payeeId: PAYEE }]);
});

test('a rule sees nothing of another payee', () => {
  const opened = account(100);
  const workspace = workspaceOf([opened]);
  const foreign = pay(newId() as PayeeId, opened.accountId, 10);
  expect(() => decide(workspace, PAY, foreign)).toThrow('notfound');
});
