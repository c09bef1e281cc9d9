import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import { type PayeeId, uuidV7 } from '../../src/kit/ids.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { composeSettlements } from '../../src/settlements/compose.ts';
import { selectDifferences } from '../../src/settlements/differences.store.ts';
import { selectDisputes } from '../../src/settlements/disputes/disputes.store.ts';
import type { DisputeStep } from '../../src/settlements/disputes/disputes.types.ts';
import { changeDispute } from '../../src/settlements/disputes/save-dispute.ts';
import { withdrawBatch } from '../../src/settlements/files/withdraw-batch.ts';
import { resolveDifference } from '../../src/settlements/resolve-difference.ts';
import type { SettlementContext } from '../../src/settlements/settlements.types.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import {
  agreementOf,
  type Charged,
  charge,
  fileOf,
  importText,
  lineFor,
  NORTH,
  numberOf,
  settling,
} from '../support/settlements.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let payeeId: PayeeId;
let context: SettlementContext;
let batches = 0;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  payeeId = await addPayee(database);
  context = settling([agreementOf(payeeId)]);
});

const transact: TestDatabase['transact'] = (work) => database.transact(work);
const bring = (lines: Parameters<typeof fileOf>[1]) => {
  batches += 1;
  return importText(transact, context, fileOf(`batch-${batches}`, lines));
};
const allDifferences = (onlyOpen = false) =>
  selectDifferences(database.read, { payeeId, onlyOpen, settlementId: undefined, most: 100 });
const differences = async (onlyOpen = false) =>
  (await allDifferences(onlyOpen)).map(({ kind, state, ours, theirs }) => [kind, state, ours, theirs]);
const sides = async () => {
  const rows = await database.asAdmin(`
    select m.kind, e.side, sum(e.amount)::int as amount
    from movement m join entry e using (payee_id, movement_id)
    where m.payee_id = '${payeeId}' and m.kind in ('Settlement', 'Dispute')
    group by 1, 2 order by 1 desc, 2`);
  return rows.map(({ kind, side, amount }) => [kind, side, amount]);
};
const owed = async () => {
  const [row] = await database.asAdmin(`
    select coalesce(-sum(amount), 0)::int as owed from entry where payee_id = '${payeeId}' and side = 'Issuer'`);
  return row?.['owed'];
};
const blocked = async () => {
  const [row] = await database.asAdmin(`
    select sum(disputed)::int as disputed
    from (select payee_id, disputed from card_payment union all select payee_id, disputed from payment) p
    where payee_id = '${payeeId}'`);
  return row?.['disputed'];
};
const disputes = () => selectDisputes(database.read, { payeeId, state: undefined, after: undefined, limit: 10 });
const step = async (name: DisputeStep) => {
  const [dispute] = await disputes();
  const disputeId = dispute?.disputeId ?? '';
  await transact((transaction) => changeDispute(transaction, { payeeId, disputeId, step: name, actor: COMMAND_LINE }));
};
/** The invariants that are broken, whosesoever rows they are. */
const broken = async () => {
  const { invariants } = composeSettlements({ ...context, database });
  const { findings } = await verifyLedger(database.reports, invariants);
  return findings.filter(({ badRow }) => badRow !== undefined).map(({ holds, badRow }) => [holds, badRow?.row]);
};

const sale = (amount = 12_500, more = {}) => charge(database, payeeId, { amount, ...more });
/** A sale that was paid. */
const paid = async (amount = 12_500) => {
  const sold = await sale(amount);
  await bring([lineFor(sold)]);
  return sold;
};
const asked = (sold: Charged, more = {}) =>
  lineFor(sold, { type: 'Chargeback', grossAmount: -sold.amount, reasonCode: '10.4', caseId: 'C1', ...more });
const given = (sold: Charged, more = {}) =>
  asked(sold, { type: 'ChargebackReversal', grossAmount: sold.amount, ...more });

test('a dispute names the order that the shop knows', async () => {
  const sold = await charge(database, payeeId, { amount: 900 });
  const terms = (info: object) =>
    database.asAdmin(`
      update card_payment set terms = '${JSON.stringify({ payeeInfo: info })}' where payment_id = '${sold.paymentId}'`);
  await terms({ payeeReference: 'till 7', orderReference: 'order-77' });
  await bring([lineFor(sold), lineFor(sold, { type: 'Chargeback', grossAmount: -900, caseId: 'C-77' })]);
  expect(await disputes()).toMatchObject([{ orderReference: 'order-77', orderId: null }]);
  await terms({ payeeReference: 'till 7' });
  expect(await disputes()).toMatchObject([{ orderReference: 'till 7' }]);
  const orderId = uuidV7(Date.now());
  await database.asAdmin(`update card_payment set order_id = '${orderId}' where payment_id = '${sold.paymentId}'`);
  expect(await disputes()).toMatchObject([{ orderReference: 'till 7', orderId }]);
  const bought = await charge(database, payeeId, { amount: 100, ofAccount: true });
  await bring([lineFor(bought), lineFor(bought, { type: 'Chargeback', grossAmount: -100, caseId: 'C-78' })]);
  expect((await disputes()).map(({ orderReference }) => orderReference)).toContain('order');
});

test('a chargeback opens a dispute, is booked, and keeps its amount from being given back', async () => {
  const sold = await paid();
  await bring([asked(sold, { respondBy: '2026-03-25' })]);
  expect(await disputes()).toMatchObject([
    {
      stage: 'Chargeback',
      state: 'Open',
      category: 'Fraud',
      reasonCode: '10.4',
      amount: 12_500,
      taken: 12_500,
      refunded: 0,
      respondBy: '2026-03-25',
      paymentId: sold.paymentId,
      caseId: 'C1',
    },
  ]);
  expect(await blocked()).toBe(12_500);
  expect(await differences()).toEqual([]);
  expect(await sides()).toEqual([
    ['Settlement', 'Clearing', 0],
    ['Settlement', 'Issuer', 0],
    ['Dispute', 'Clearing', -12_500],
    ['Dispute', 'Issuer', 12_500],
  ]);
  expect(await owed()).toBe(0);
});

test('a dispute is won by its reversal, and comes a stage further when it is asked for again', async () => {
  const sold = await paid();
  await bring([asked(sold)]);
  await bring([given(sold)]);
  expect(await disputes()).toMatchObject([{ stage: 'Chargeback', state: 'Won', amount: 12_500, taken: 0 }]);
  expect(await blocked()).toBe(0);
  // The very same line as the first: its money came back in between.
  await bring([asked(sold)]);
  expect(await disputes()).toMatchObject([{ stage: 'PreArbitration', state: 'Open', amount: 12_500 }]);
  expect(await blocked()).toBe(12_500);
  await bring([given(sold)]);
  expect(await differences()).toEqual([]);
  expect([await blocked(), await owed()]).toEqual([0, 0]);
});

test('a second presentment may stand before the reversal of the first', async () => {
  const sold = await paid();
  await bring([asked(sold)]);
  await bring([asked(sold, { reasonCode: '10.5' }), given(sold)]);
  expect(await differences()).toEqual([]);
  expect(await disputes()).toMatchObject([{ stage: 'PreArbitration', state: 'Open', taken: 12_500 }]);
});

test('what is contested, won or lost by hand stays blocked until a line gives it back', async () => {
  const sold = await paid();
  await bring([asked(sold)]);
  for (const name of ['represent', 'win'] as const) {
    await step(name);
    expect(await blocked(), name).toBe(12_500);
  }
  await bring([given(sold)]);
  expect(await blocked()).toBe(0);
});

test.each([
  ['amountDiffers', { grossAmount: -12_501 }],
  ['merchantDiffers', { merchantId: '000012345678902' }],
] as const)('a chargeback that %s opens a dispute, and nothing of its sale can be given back', async (kind, more) => {
  const sold = await paid();
  await bring([asked(sold, { ...more, respondBy: '2026-03-25' })]);
  expect(await differences()).toMatchObject([
    [kind, 'Open', 12_500, 'grossAmount' in more ? more.grossAmount : -12_500],
  ]);
  expect(await disputes()).toMatchObject([{ state: 'Open', taken: 0, respondBy: '2026-03-25' }]);
  expect([await blocked(), await owed()]).toEqual([12_500, 0]);
  const [difference] = await allDifferences();
  await transact((transaction) =>
    resolveDifference(transaction, context, {
      outcome: 'AcquirersMistake',
      now: new Date().toISOString(),
      payeeId,
      differenceId: difference?.differenceId ?? '',
      reason: 'told by phone',
      actor: COMMAND_LINE,
    }),
  );
  expect(await blocked()).toBe(0);
});

test('a chargeback in another currency is shown in that, and opens a dispute', async () => {
  const sold = await charge(database, payeeId, { amount: 12_500, currency: 'SEK' });
  await bring([asked(sold, { grossAmount: -11_900 })]);
  expect(await allDifferences()).toMatchObject([
    { kind: 'currencyDiffers', ours: 12_500, currency: 'SEK', theirs: -11_900, theirCurrency: 'NOK' },
  ]);
  expect(await disputes()).toMatchObject([{ amount: 11_900, currency: 'NOK', paymentCurrency: 'SEK', taken: 0 }]);
  expect(await blocked()).toBe(12_500);
});

test('the same chargeback in a second batch is booked once', async () => {
  const sold = await paid();
  await bring([asked(sold, { grossAmount: -4_000 })]);
  await bring([asked(sold, { grossAmount: -4_000 })]);
  expect(await differences()).toEqual([['twice', 'Open', 12_500, -4_000]]);
  expect(await disputes()).toMatchObject([{ stage: 'Chargeback', amount: 4_000, taken: 4_000 }]);
  expect((await sides()).at(-1)).toEqual(['Dispute', 'Issuer', 4_000]);
  // Until a person has looked at it, all of the sale is blocked.
  expect(await blocked()).toBe(12_500);
  await bring([lineFor(sold, { type: 'Adjustment', grossAmount: 4_000 })]);
  expect(await differences(true)).toEqual([]);
  expect(await blocked()).toBe(4_000);
});

test('chargebacks of a sale take no more than the sale, by all of its cases', async () => {
  const sold = await paid();
  await bring([asked(sold, { grossAmount: -8_000 })]);
  await bring([asked(sold, { grossAmount: -4_000, caseId: 'C2' })]);
  await bring([asked(sold, { grossAmount: -501, caseId: 'C3', reasonCode: '13.1' })]);
  expect(await differences()).toEqual([['amountDiffers', 'Open', 12_500, -501]]);
  expect((await disputes()).map(({ taken }) => taken).sort()).toEqual([0, 4_000, 8_000]);
});

test('what comes back for a case is what it took, once', async () => {
  const sold = await paid();
  await bring([asked(sold, { grossAmount: -200 })]);
  await bring([given(sold, { grossAmount: 500 })]);
  expect(await differences()).toEqual([['amountDiffers', 'Open', 200, 500]]);
  expect(await disputes()).toMatchObject([{ state: 'Open', taken: 200 }]);
  await bring([given(sold, { grossAmount: 200 })]);
  await bring([given(sold, { grossAmount: 200 })]);
  expect((await differences()).at(-1)).toEqual(['twice', 'Open', 12_500, 200]);
  expect((await sides()).at(-1)).toEqual(['Dispute', 'Issuer', 0]);
  expect(await blocked()).toBe(0);
});

test('a part that comes back is free, and the rest stays blocked', async () => {
  const sold = await paid();
  await bring([asked(sold, { grossAmount: -8_000, respondBy: '2026-03-25' })]);
  await bring([asked(sold, { grossAmount: -1_000, respondBy: '2026-04-01' })]);
  await bring([given(sold, { grossAmount: 3_000 })]);
  // The first of two last days counts.
  expect(await disputes()).toMatchObject([{ state: 'Open', amount: 6_000, taken: 6_000, respondBy: '2026-03-25' }]);
  expect(await blocked()).toBe(6_000);
});

test('a chargeback of a sale that was refunded says so', async () => {
  const sold = await paid();
  await database.asAdmin(`update card_payment set reversed = 12000 where payment_id = '${sold.paymentId}'`);
  await bring([asked(sold)]);
  expect(await disputes()).toMatchObject([{ amount: 12_500, refunded: 12_000 }]);
  const [event] = await database.asAdmin(`
    select payload ->> 'refunded' as refunded from event where payee_id = '${payeeId}' and type = 'dispute.opened'`);
  expect(event).toEqual({ refunded: '12000' });
});

test('a case is about one payment', async () => {
  const [sold, other] = [await paid(), await paid()];
  await bring([asked(sold)]);
  await bring([asked(other)]);
  expect(await differences()).toEqual([['unknownToUs', 'Open', 12_500, -12_500]]);
  expect(await disputes()).toHaveLength(1);
});

test('of an unknown transaction, or given back without having been taken, is a difference', async () => {
  const sold = await sale();
  await bring([asked(sold, { attemptReference: '', acquirerReference: '', retrievalReference: '' })]);
  await bring([given(sold, { grossAmount: 1 })]);
  expect(await differences()).toEqual([
    ['unknownToUs', 'Open', null, -12_500],
    ['amountDiffers', 'Open', 0, 1],
  ]);
  expect(await disputes()).toEqual([]);
  // Neither blocks nor books anything; the acquirer takes it back, or a person ends it.
  const before = await sides();
  const [, second] = await allDifferences();
  expect(second).toMatchObject({ kind: 'amountDiffers', paymentId: sold.paymentId });
  const resolving = {
    payeeId,
    differenceId: second?.differenceId ?? '',
    reason: 'asked',
    actor: COMMAND_LINE,
    now: new Date().toISOString(),
  };
  await expect(
    transact((transaction) => resolveDifference(transaction, context, { ...resolving, outcome: 'WrittenOff' })),
  ).rejects.toThrow(/forbidden/);
  await transact((transaction) =>
    resolveDifference(transaction, context, { ...resolving, outcome: 'AcquirersMistake' }),
  );
  await bring([given(sold, { grossAmount: 2 })]);
  await bring([lineFor(sold, { type: 'Adjustment', grossAmount: -2 })]);
  expect((await differences()).slice(1)).toEqual([
    ['amountDiffers', 'Resolved', 0, 1],
    ['amountDiffers', 'Cured', 0, 2],
  ]);
  expect([await sides(), await blocked()]).toEqual([before, 0]);
});

test('a reversal in an earlier file than its chargeback wins it once both are withdrawn and read in their order', async () => {
  const sold = await sale();
  const [gave, took] = [fileOf('gave', [given(sold)]), fileOf('took', [lineFor(sold), asked(sold)])];
  for (const text of [gave, took]) await importText(transact, context, text);
  expect(await differences()).toEqual([['amountDiffers', 'Open', 0, 12_500]]);
  const withdraw = async (name: string, now = new Date().toISOString()) => {
    const command = { payeeId, number: await numberOf(database, payeeId, name), reason: 'order', actor: COMMAND_LINE };
    return transact((transaction) => withdrawBatch(transaction, context, { ...command, now }));
  };
  await expect(withdraw('gave')).rejects.toThrow('Batch took was imported later and rests on this one');
  expect([await withdraw('took'), await withdraw('gave')]).toEqual([true, true]);
  for (const text of [took, gave]) await importText(transact, context, text, { ...NORTH, takesWithdrawn: true });
  expect((await disputes()).map(({ state }) => state)).toEqual(['Won', 'Withdrawn']);
  expect([await differences(true), await owed(), await blocked()]).toEqual([[], 0, 0]);
});

test('of an account payment are opened, and keep it from being given back under the lock of its account', async () => {
  const sold = await sale(12_500, { ofAccount: true });
  expect(await bring([lineFor(sold)])).toMatchObject({ matched: 1, differences: 0 });
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // A batch that gives back of it holds its account: the dispute waits for it.
  const batch = database.transact(async ({ run }) => {
    await run({ name: 'test-hold', text: 'select from account where account_id = $1 for no key update' }, [
      sold.paymentId,
    ]);
    await held;
  });
  const importing = bring([asked(sold)]);
  await until(async () => {
    const waiting = await database.asAdmin("select 1 from pg_locks where not granted and locktype = 'transactionid'");
    return waiting.length > 0;
  });
  expect(await blocked()).toBe(0);
  release();
  await Promise.all([batch, importing]);
  expect(await disputes()).toMatchObject([
    { state: 'Open', amount: 12_500, paymentId: sold.paymentId, accountId: sold.paymentId },
  ]);
  expect(await blocked()).toBe(12_500);
  expect(await owed()).toBe(0);
  const { invariants } = composeSettlements({ ...context, database });
  const findings = async () =>
    (await verifyLedger(database.reports, invariants)).findings.filter(
      ({ badRow }) => badRow?.row.includes(sold.paymentId) === true,
    );
  expect(await findings()).toEqual([]);
  await database.asAdmin(`update payment set disputed = 1 where payment_id = '${sold.paymentId}'`);
  expect(await findings()).toMatchObject([{ badRow: { row: expect.stringContaining(sold.paymentId) } }]);
  await database.asAdmin(`update payment set disputed = 12500 where payment_id = '${sold.paymentId}'`);
  await bring([asked(sold, { type: 'ChargebackReversal', grossAmount: sold.amount })]);
  expect(await blocked()).toBe(0);
});

test('what holds of disputes is broken by none of this, and by each row that is changed', async () => {
  expect(await broken()).toEqual([]);
  const sold = await paid();
  await bring([asked(sold)]);
  const ofPayee = `where payee_id = '${payeeId}'`;
  for (const [damage, repair, holds] of [
    [
      `update dispute set taken = taken - 1 ${ofPayee}`,
      `update dispute set taken = taken + 1 ${ofPayee}`,
      'has taken what its lines say',
    ],
    [
      `update settlement_item set amount = amount - 1 ${ofPayee}`,
      `update settlement_item set amount = amount + 1 ${ofPayee}`,
      'no more than the sale',
    ],
    [
      `update settlement_line set gross = gross - 1, net = net - 1 ${ofPayee} and type = 'Chargeback'`,
      `update settlement_line set gross = gross + 1, net = net + 1 ${ofPayee} and type = 'Chargeback'`,
      'has booked for disputes',
    ],
    [
      `update card_payment set disputed = 0 ${ofPayee}`,
      `update card_payment set disputed = 12500 ${ofPayee}`,
      'cannot be given back',
    ],
  ] as const) {
    await database.asAdmin(damage);
    expect(JSON.stringify(await broken()), damage).toContain(holds);
    await database.asAdmin(repair);
  }
  expect(await broken()).toEqual([]);
});
