import { PAYMENTS, type Payment } from '../../../src/accounts/account-payments.types.ts';
import { changePayment } from '../../../src/accounts/payment-change.rules.ts';
import { ACCOUNT_PAYMENTS } from '../../../src/accounts/payment-shelves.ts';
import { afterStep, whatRemains } from '../../../src/accounts/steps.rules.ts';
import type { BatchSettings, Database } from '../../../src/db/server/database.types.ts';
import { openDatabase } from '../../../src/db/server/open-database.ts';
import { SERVICE } from '../../../src/kit/caller.ts';
import { Refusal } from '../../../src/kit/errors.ts';
import { type PayeeId, uuidV7 } from '../../../src/kit/ids.ts';
import { addSeconds } from '../../../src/kit/instants.ts';
import { type AmountMinor, type Currency, ZERO_MINOR } from '../../../src/kit/money.ts';
import { type WriteName, write, writer } from '../../../src/kit/row-writes.ts';
import { makeLedger } from '../../../src/ledger/compose.ts';
import type {
  Account,
  AccountId,
  CommandKind,
  Decision,
  Ledger,
  LedgerCommand,
  PaymentId,
  PaymentOperation,
  TakenReference,
  TransactionId,
} from '../../../src/ledger/ledger.types.ts';
import { post } from '../../../src/ledger/postings.rules.ts';
import { WRITERS } from '../../../src/wiring/writers.ts';
import type { TestDatabase } from './database.ts';

/** A new id. */
export const newId = (): string => uuidV7(Date.now());

/** What the engine told, for tests to look at. */
export interface Told {
  committed: number;
  commands: number;
  leftOut: number;
  split: number;
  unknown: number;
  sizes: number[];
}

/** A ledger with connections of its own: what a second process would have. */
export interface TestLedger {
  readonly ledger: Ledger;
  readonly told: Told;
  readonly database: Database;
}

/** Opens another ledger on a database; its connections are closed by `database.close()`. */
export function testLedger({ appUrl }: { readonly appUrl: string }, settings: Partial<BatchSettings> = {}): TestLedger {
  const database = openDatabase({ url: appUrl });
  const told: Told = { committed: 0, commands: 0, leftOut: 0, split: 0, unknown: 0, sizes: [] };
  const observer = {
    committed({ size }: { readonly size: number }) {
      told.committed++;
      told.commands += size;
      told.sizes.push(size);
    },
    leftOut(commands: number) {
      told.leftOut += commands;
    },
    split(commands: number) {
      told.split += commands;
    },
    unknown(commands: number) {
      told.unknown += commands;
    },
  };
  const ledger = makeLedger((program) => database.batch(program, { batchMax: 256, observer, ...settings }), {
    newId,
    writers: [...WRITERS, HARM_WRITER],
    ...ACCOUNT_PAYMENTS,
  });
  return { ledger, told, database };
}

/** The payee whose accounts the tests use. */
export async function addPayee(database: Pick<TestDatabase, 'asAdmin'>): Promise<PayeeId> {
  const payeeId = newId() as PayeeId;
  await database.asAdmin(`insert into payee (payee_id, name) values ('${payeeId}', 'Test')`);
  return payeeId;
}

export interface AccountOptions {
  readonly available?: number;
  readonly kind?: Account['kind'];
  readonly payeeId: PayeeId;
  /** Ids with their time, as the service makes them. */
  readonly withTime?: boolean;
}

const ID_OF_NOW = `
  (lpad(to_hex((extract(epoch from kontor_now()) * 1000)::bigint), 12, '0') || '7' || right(gen_random_uuid()::text, 3)
    || '8' || right(md5(random()::text), 15))::uuid`;

/** Adds accounts with some money, as openings would. */
export async function addAccounts(
  database: Pick<TestDatabase, 'asAdmin'>,
  count: number,
  { available = 1_000_000, kind = 'StoredValue', payeeId, withTime = false }: AccountOptions,
): Promise<AccountId[]> {
  const money = kind === 'StoredValue' ? available : 0;
  const rows = await database.asAdmin(`
    with opened as (
      insert into account (payee_id, account_id, kind, instrument, issuer, currency, number_digest, number_key_id,
        number_masked, available, entry_count)
      select '${payeeId}', ${withTime ? ID_OF_NOW : 'gen_random_uuid()'}, '${kind}', 'giftcard', 'test', ${kind === 'External' ? 'null' : "'NOK'"},
        sha256(gen_random_uuid()::text::bytea), 'account-numbers-1', '400000******0000', ${money}, ${money === 0 ? 0 : 1}
      from generate_series(1, ${count})
      returning payee_id, account_id
    ), moved as (
      insert into movement (payee_id, movement_id, kind, currency, happened_at)
      select payee_id, account_id, 'Opening', 'NOK', kontor_now() from opened where ${money} > 0
      returning movement_id
    ), booked as (
      insert into entry (payee_id, movement_id, line, side, currency, amount, account_id, sequence, balance)
      select payee_id, account_id, line, case line when 1 then 'Available' else 'Funding' end, 'NOK',
        case line when 1 then ${money} else -${money} end,
        case line when 1 then account_id end, case line when 1 then 1 end, case line when 1 then ${money} end
      from opened cross join generate_series(1, 2) as line
      where ${money} > 0
    )
    select account_id as "accountId" from opened`);
  return rows.map(({ accountId }) => accountId as AccountId);
}

/** What a test's command asks for. */
export interface TestCommand extends LedgerCommand {
  readonly accountId: AccountId;
  readonly paymentId: PaymentId;
  readonly amount: AmountMinor;
  readonly reference: string;
  readonly repeat?: boolean;
  readonly holdSeconds?: number;
  readonly operation?: PaymentOperation;
  /** Of a capture, cancel or reversal. */
  readonly transactionId?: TransactionId;
  /** Makes the rule or a statement go wrong. */
  readonly harm?: 'throw' | 'bad-value' | 'no-row' | 'surely-no-row' | 'server-refuses';
}

/** What a test's command answers. */
export interface TestAnswer {
  readonly state: 'OK' | 'FAILED' | 'DUPLICATE' | 'REVERSED' | 'OTHER';
  readonly paymentId: PaymentId;
  readonly available: number;
}

interface Harm {
  readonly harm: NonNullable<TestCommand['harm']>;
}

const HARM: WriteName<Harm> = 'test-harm';

const take = (state: { readonly taken: TakenReference | undefined }, { commandId }: TestCommand) =>
  state.taken === undefined ? 'free' : state.taken.commandId === commandId ? 'own' : 'other';

/** Authorize, purchase, deposit: the smallest rule that takes money. */
export const PAY: CommandKind<TestCommand, TestAnswer> = {
  name: 'test-pay',
  keys: ({ accountId, paymentId, reference }) => ({
    accountIds: [accountId],
    references: [{ scope: 'payment', reference, objectId: paymentId, transactionId: null }],
  }),
  decide(state, command): Decision<TestAnswer> {
    if (command.harm === 'throw') throw new Error('a rule that throws');
    const { payeeId, accountId, paymentId, amount, operation = 'Authorize', holdSeconds = 600 } = command;
    const account = state.account(accountId);
    if (account === undefined) throw new Refusal('notfound', 'No such account.');
    if (state.taken !== undefined) {
      const first = state.row(PAYMENTS, state.taken.objectId);
      const told = take(state, command) === 'own' || command.repeat ? first?.state : 'DUPLICATE';
      const answer = {
        state: told as TestAnswer['state'],
        paymentId: first?.paymentId as PaymentId,
        available: account.available,
      };
      return { answer: () => answer };
    }
    const takes = operation === 'Authorize' || operation === 'Purchase';
    const fails = takes && account.kind === 'StoredValue' && account.available < amount;
    const holds = !fails && operation === 'Authorize' && amount > 0;
    const fresh: Payment = {
      payeeId,
      paymentId,
      accountId,
      operation,
      state: fails ? 'FAILED' : 'OK',
      amount,
      currency: account.currency ?? ('NOK' as Currency),
      captured: fails || operation === 'Authorize' ? ZERO_MINOR : amount,
      cancelled: ZERO_MINOR,
      reversed: ZERO_MINOR,
      reservedHold: ZERO_MINOR,
      reservedReversal: ZERO_MINOR,
      holdExpiresAt: holds ? addSeconds(state.now, holdSeconds) : null,
      paymentOrderRef: 'order',
      paymentTransactionRef: command.reference,
      problem: fails ? 'acquirerinsufficientfunds' : null,
      echo: {},
      createdAt: state.now,
      updatedAt: state.now,
      eventSequence: 0,
      orderId: null,
    };
    const { payment, effect, object } = changePayment(state.now, {
      before: undefined,
      payment: fresh,
      event: 'payment.authorized',
      account,
    });
    const movements = fails ? [] : post({ kind: operation, account, payment, amount });
    const available = account.available + (movements[0]?.entries[0]?.amount ?? 0);
    return {
      effect: {
        ...effect,
        object,
        movements,
        action: 'authorize-payment',
        ...(command.harm && { writes: [write(HARM, { harm: command.harm })] }),
      },
      answer: () => ({ state: payment.state as TestAnswer['state'], paymentId, available }),
    };
  },
};

const HARM_WRITER = writer(HARM, (harms) =>
  harms.map(({ harm }) => ({
    statement: {
      name: `test-harm-${harm}`,
      text: TEXTS[harm] ?? 'select $1::text::int',
    },
    // The driver cannot write a cycle as JSON.
    values: [harm === 'bad-value' ? cycle() : harm === 'surely-no-row' ? ['x'] : 'x'],
    expected: 1,
    isSure: harm !== 'no-row',
  })),
);

const TEXTS: Partial<Record<Harm['harm'], string>> = {
  'no-row': 'select $1::text where false',
  'surely-no-row': 'select 1 / (count(*) = cardinality($1::text[]))::int from (select where false) none',
};

function cycle(): object {
  const ring: { self?: object } = {};
  ring.self = ring;
  return ring;
}

/** Capture, cancel and reversal: the smallest rule that goes on with a payment. */
export const GO_ON: CommandKind<
  TestCommand & { readonly transactionId: TransactionId; readonly how: 'Capture' | 'Cancel' | 'Reversal' },
  TestAnswer
> = {
  name: 'test-go-on',
  keys: ({ accountId, paymentId, reference, transactionId }) => ({
    accountIds: [accountId],
    rows: [{ shelf: PAYMENTS, id: paymentId }],
    references: [{ scope: 'payment', reference, objectId: paymentId, transactionId }],
  }),
  decide(state, command): Decision<TestAnswer> {
    const { payeeId, paymentId, transactionId, how, accountId } = command;
    const account = state.account(accountId);
    const payment = state.row(PAYMENTS, paymentId);
    if (account === undefined || payment === undefined) throw new Refusal('notfound', 'No such payment.');
    if (state.taken !== undefined) {
      return { answer: () => ({ state: 'DUPLICATE', paymentId, available: account.available }) };
    }
    const remaining = whatRemains(payment);
    const amount = how === 'Cancel' ? remaining.cancel : command.amount;
    if (amount === 0 || amount > remaining[how === 'Reversal' ? 'reversal' : 'capture']) {
      throw new Refusal('forbidden', 'Not possible now.');
    }
    const { event, action } = FOLLOWED[how];
    const { effect, object, ...changed } = changePayment(state.now, {
      before: payment,
      payment: afterStep(payment, { operation: how, amount, released: ZERO_MINOR }),
      transaction: {
        payeeId,
        paymentId,
        transactionId,
        operation: how,
        state: 'OK' as const,
        amount,
        released: ZERO_MINOR,
        paymentOrderRef: 'order',
        paymentTransactionRef: command.reference,
        problem: null,
        echo: {},
        createdAt: state.now,
        updatedAt: state.now,
      },
      event,
      account,
    });
    const movements = post({ kind: how, account, payment, amount, transactionId });
    return {
      effect: { ...effect, object, movements, action },
      answer: () => ({
        state: changed.payment.state as TestAnswer['state'],
        paymentId,
        available: account.available,
      }),
    };
  },
};

const FOLLOWED = {
  Capture: { event: 'payment.captured', action: 'capture-payment' },
  Cancel: { event: 'payment.cancelled', action: 'cancel-payment' },
  Reversal: { event: 'payment.reversed', action: 'reversal-payment' },
} as const;

/** Moves money from one account to another: what a merge does. */
export const TRANSFER: CommandKind<TestCommand & { readonly into: AccountId }, void> = {
  name: 'test-transfer',
  keys: ({ accountId, into }) => ({ accountIds: [accountId, into], references: [] }),
  decide(state, { accountId, into, amount }) {
    const currency = state.account(accountId)?.currency;
    if (!currency || state.account(into) === undefined) throw new Refusal('notfound', 'No such account.');
    const entries = [
      { side: 'Available' as const, accountId, amount: -amount },
      { side: 'Available' as const, accountId: into, amount: amount as number },
    ];
    const movement = { kind: 'Merge' as const, currency, paymentId: null, transactionId: null, entries };
    return {
      effect: { movements: [movement], accountChanges: [{ accountId }], action: 'merge-gift-card' },
      answer: () => undefined,
    };
  },
};

/** A payment command with ids of its own. */
export function pay(
  payeeId: PayeeId,
  accountId: AccountId,
  amount: number,
  more: Partial<TestCommand> = {},
): TestCommand {
  const paymentId = newId() as PaymentId;
  return {
    payeeId,
    commandId: newId(),
    actor: SERVICE,
    accountId,
    paymentId,
    amount: amount as AmountMinor,
    reference: paymentId,
    ...more,
  };
}
