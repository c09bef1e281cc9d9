import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { COMMAND_LINE, nameOfActor, SERVICE } from '../../src/kit/caller.ts';
import type { PayeeId } from '../../src/kit/ids.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { composeSettlements } from '../../src/settlements/compose.ts';
import { closeDay, searchDays } from '../../src/settlements/days/close-day.ts';
import { selectSettlements } from '../../src/settlements/days/shown-days.store.ts';
import { describeImport } from '../../src/settlements/describe-settlements.ts';
import { selectDifferences } from '../../src/settlements/differences.store.ts';
import { selectDisputes } from '../../src/settlements/disputes/disputes.store.ts';
import { changeDispute } from '../../src/settlements/disputes/save-dispute.ts';
import { withdrawBatch } from '../../src/settlements/files/withdraw-batch.ts';
import { resolveDifference } from '../../src/settlements/resolve-difference.ts';
import type { SettlementContext } from '../../src/settlements/settlements.types.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import {
  agreementOf,
  type Cells,
  type Charged,
  charge,
  fileOf,
  findOpenDays,
  importText,
  lineFor,
  MERCHANT_ID,
  NORTH,
  numberOf,
  settling,
  TODAY,
} from '../support/settlements.ts';
import { randomFrom } from '../support/shop/liability-model.ts';
import { testSeed } from '../support/shop/tokens-seed.ts';

let database: TestDatabase;
let payeeId: PayeeId;
let context: SettlementContext;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  payeeId = await addPayee(database);
  context = settling([agreementOf(payeeId)]);
});

const transact: TestDatabase['transact'] = (work) => database.transact(work);
const bring = (batchId: string, lines: readonly Cells[]) => importText(transact, context, fileOf(batchId, lines));
const withdraw = async (name: string, given?: number) => {
  const number = given ?? (await numberOf(database, payeeId, name));
  const command = { payeeId, number, reason: 'the wrong file', actor: COMMAND_LINE };
  return transact((transaction) => withdrawBatch(transaction, context, { ...command, now: new Date().toISOString() }));
};
const differences = async (onlyOpen = true) =>
  (await selectDifferences(database.read, { payeeId, onlyOpen, settlementId: undefined, most: 1_000 })).map(
    ({ kind, state }) => (onlyOpen ? kind : `${kind} ${state}`),
  );
const disputes = () => selectDisputes(database.read, { payeeId, state: undefined, after: undefined, limit: 100 });
const owed = async () => {
  const [row] = await database.asAdmin(`
    select coalesce(-sum(amount), 0)::int as owed from entry where payee_id = '${payeeId}' and side = 'Issuer'`);
  return Number(row?.['owed']);
};
const day = async () => {
  const [found] = await selectSettlements(database.read, { payeeId, day: TODAY, after: undefined, limit: 1 });
  return found;
};
const blocked = async ({ paymentId }: Charged) => {
  const [row] = await database.asAdmin(`select disputed::int from card_payment where payment_id = '${paymentId}'`);
  return row?.['disputed'];
};
const sell = (amount = 12_500) => charge(database, payeeId, { amount });
/** Closes the day, and lets three days go by. */
const close = async () => {
  const asked = { to: TODAY, isOne: true };
  const open = await transact((transaction) => findOpenDays(transaction, context, NORTH, asked));
  for (const one of open.filter((each) => each.payeeId === payeeId)) {
    await transact((transaction) => closeDay(transaction, context, { open: one, isReconciled: false, actor: SERVICE }));
  }
  await database.asAdmin(`
    update settlement_day set closed_at = closed_at - interval '3 days' where payee_id = '${payeeId}'`);
};
const broken = async () => {
  const { invariants } = composeSettlements({ ...context, database });
  const { findings } = await verifyLedger(database.reports, invariants);
  return findings.flatMap(({ holds, badRow }) => (badRow === undefined ? [] : [`${holds} ${JSON.stringify(badRow)}`]));
};
const chargeback = (sold: Charged, more: Cells = {}) =>
  lineFor(sold, { type: 'Chargeback', grossAmount: -sold.amount, caseId: `case-${sold.retrievalReference}`, ...more });

test('a wrong file is withdrawn, and the right one of the same name is taken', async () => {
  const [one, other] = [await sell(), await sell(300)];
  await close();
  await bring('W1', [
    lineFor(one, { grossAmount: 12_400 }),
    lineFor(other),
    lineFor(one, { type: 'Adjustment', grossAmount: 100 }),
  ]);
  expect([await owed(), (await day())?.state, await differences()]).toEqual([0, 'Settled', []]);

  expect(await withdraw('W1')).toBe(true);
  expect([await owed(), (await day())?.state, (await day())?.settledNumber]).toEqual([12_800, 'Closed', 0]);
  expect(await differences(false)).toEqual(['amountDiffers Withdrawn']);
  expect(await broken()).toEqual([]);
  await transact(searchDays);
  expect(await differences()).toEqual(['missingAtAcquirer', 'missingAtAcquirer']);

  expect(await bring('W1', [lineFor(one), lineFor(other)])).toMatchObject({ matched: 2, differences: 0, refused: [] });
  expect([await owed(), (await day())?.state, await differences()]).toEqual([0, 'Settled', []]);
  expect(await broken()).toEqual([]);
  const rows = await database.asAdmin(`
    select w.name, w.merchant_id, w.withdrawn_by, w.reason, w.gross::int, count(l.*)::int as lines
    from settlement_withdrawal w join settlement_withdrawn_line l using (payee_id, withdrawal_id)
    where payee_id = '${payeeId}' group by 1, 2, 3, 4, 5`);
  expect(rows).toEqual([
    {
      name: 'W1',
      merchant_id: MERCHANT_ID,
      withdrawn_by: nameOfActor(COMMAND_LINE),
      reason: 'the wrong file',
      gross: 12_800,
      lines: 4,
    },
  ]);
  const audited = await database.asAdmin(`
    select concat_ws(':', actor_kind, actor_id) as actor, object_id, details from audit where payee_id = '${payeeId}' and action = 'withdraw-settlement-batch'`);
  expect(audited).toEqual([
    {
      actor: nameOfActor(COMMAND_LINE),
      object_id: 'W1',
      details: { reason: 'the wrong file', amount: 12_800, currency: 'NOK' },
    },
  ]);
});

test('twice is as once, an unknown batch is not found, and one by its number is that very one', async () => {
  const sold = await sell();
  await bring('W2', [lineFor(sold)]);
  const [row] = await database.asAdmin(`select number::int from settlement_batch where payee_id = '${payeeId}'`);
  const number = Number(row?.['number']);
  await expect(withdraw('W0')).rejects.toThrow('There is nothing at this address.');
  expect([await withdraw('W2', number), await withdraw('W2', number), await withdraw('W2')]).toEqual([
    true,
    false,
    false,
  ]);
  // The right file bears the name now: who repeats the first withdrawal does not withdraw this one.
  await bring('W2', [lineFor(sold), lineFor(sold)]);
  expect([await withdraw('W2', number), await owed()]).toEqual([false, 0]);
});

test('the same file again stays withdrawn, unless a person wants it', async () => {
  const sold = await sell();
  const text = fileOf('W3', [lineFor(sold)]);
  await importText(transact, context, text);
  await withdraw('W3');
  const again = await importText(transact, context, text);
  expect(again).toMatchObject({ batches: 0, refused: [{ batch: 'W3', reason: { code: 'wasWithdrawn' } }] });
  expect(describeImport(again).at(-1)).toMatch(/was withdrawn: import the right file, or say --again\.$/);
  expect(await owed()).toBe(12_500);
  expect(await importText(transact, context, text, { ...NORTH, takesWithdrawn: true })).toMatchObject({
    batches: 1,
    matched: 1,
    refused: [],
  });
  expect(await importText(transact, context, text)).toMatchObject({ isKnown: true });
  expect([await owed(), await broken()]).toEqual([0, []]);
});

test('differences that the batch had cured are open again, and cured by the right one', async () => {
  const sold = await sell();
  await close();
  await transact(searchDays);
  await bring('W4', [lineFor(sold, { grossAmount: 12_400 })]);
  await bring('W5', [lineFor(sold, { type: 'Adjustment', grossAmount: 100 })]);
  expect([await differences(), await owed(), (await day())?.state]).toEqual([[], 0, 'Settled']);
  await expect(withdraw('W4')).rejects.toThrow('Batch W5 was imported later and rests on this one');
  expect(await broken()).toEqual([]);

  await withdraw('W5');
  expect([await differences(), await owed(), (await day())?.state]).toEqual([
    ['missingAtAcquirer', 'amountDiffers'],
    12_500,
    'Closed',
  ]);
  expect(await broken()).toEqual([]);
  const reopened = await database.asAdmin(
    `select 1 from audit where payee_id = '${payeeId}' and action = 'reopen-difference'`,
  );
  expect(reopened).toHaveLength(2);
  await withdraw('W4');
  await bring('W4', [lineFor(sold)]);
  expect([await differences(), await owed(), (await day())?.state, await broken()]).toEqual([[], 0, 'Settled', []]);
});

test('a later batch whose line was a second one beside it is withdrawn first', async () => {
  const sold = await sell();
  await bring('W6', [lineFor(sold)]);
  await bring('W7', [lineFor(sold)]);
  await expect(withdraw('W6')).rejects.toThrow('Batch W7 was imported later');
  await withdraw('W7');
  await withdraw('W6');
  expect([await differences(), await owed(), await broken()]).toEqual([[], 12_500, []]);
});

test('what was written off because of it is owed again', async () => {
  const sold = await sell();
  await close();
  await transact(searchDays);
  await bring('W8', [lineFor(sold, { merchantId: '000012345678902' })]);
  const open = await selectDifferences(database.read, { payeeId, onlyOpen: true, settlementId: undefined, most: 10 });
  const differenceId = open.find(({ kind }) => kind === 'merchantDiffers')?.differenceId ?? '';
  const command = { payeeId, differenceId, outcome: 'WrittenOff', reason: 'gone', actor: COMMAND_LINE } as const;
  await transact((transaction) =>
    resolveDifference(transaction, context, { ...command, now: new Date().toISOString() }),
  );
  expect([await owed(), await differences()]).toEqual([0, []]);
  await withdraw('W8');
  expect([await owed(), await differences()]).toEqual([12_500, ['missingAtAcquirer']]);
  await bring('W8', [lineFor(sold)]);
  expect([await owed(), await differences(), await broken()]).toEqual([0, [], []]);
});

test('a dispute that the file alone has opened ends, and the right file opens another one of its case', async () => {
  const [one, other] = [await sell(), await sell(900)];
  await bring('W9', [lineFor(one), lineFor(other), chargeback(one, { caseId: 'D1' })]);
  expect([await blocked(one), await owed()]).toEqual([12_500, 0]);
  await withdraw('W9');
  expect(await disputes()).toMatchObject([{ state: 'Withdrawn', taken: 0, caseId: 'D1' }]);
  expect([await blocked(one), await owed()]).toEqual([0, 13_400]);
  const [withdrawn] = await disputes();
  const step = { payeeId, disputeId: withdrawn?.disputeId ?? '', step: 'accept', actor: COMMAND_LINE } as const;
  await expect(transact((transaction) => changeDispute(transaction, step))).rejects.toThrow(
    'The dispute is withdrawn.',
  );
  await bring('W9', [lineFor(one), lineFor(other), chargeback(other, { caseId: 'D1' })]);
  expect(await disputes()).toMatchObject([
    { state: 'Open', taken: 900, paymentId: other.paymentId },
    { state: 'Withdrawn', paymentId: one.paymentId },
  ]);
  expect([await blocked(one), await blocked(other), await owed(), await broken()]).toEqual([0, 900, 0, []]);
});

test('a dispute of an earlier file stands as before', async () => {
  const sold = await sell();
  await bring('W10', [lineFor(sold), chargeback(sold, { grossAmount: -500, caseId: 'D2', respondBy: '2026-04-01' })]);
  await bring('W11', [
    chargeback(sold, { grossAmount: -700, caseId: 'D2', respondBy: '2026-03-01', reasonCode: '10.4' }),
  ]);
  expect(await disputes()).toMatchObject([{ amount: 1_200, taken: 1_200, respondBy: '2026-03-01', category: 'Fraud' }]);
  await expect(withdraw('W10')).rejects.toThrow('it goes on with a dispute of this one');
  await withdraw('W11');
  expect(await disputes()).toMatchObject([
    { state: 'Open', amount: 500, taken: 500, respondBy: '2026-04-01', category: null },
  ]);
  expect([await blocked(sold), await broken()]).toEqual([500, []]);
});

test('a chargeback that an adjustment of the same file has given back leaves nothing', async () => {
  const sold = await sell();
  await bring('W12', [
    lineFor(sold),
    chargeback(sold, { grossAmount: -20_000 }),
    lineFor(sold, { type: 'Adjustment', grossAmount: 20_000 }),
  ]);
  expect(await disputes()).toMatchObject([{ state: 'Open', taken: 0 }]);
  await withdraw('W12');
  expect([(await disputes()).map(({ state }) => state), await blocked(sold), await broken()]).toEqual([
    ['Withdrawn'],
    0,
    [],
  ]);
});

test('a reversal whose money was refunded since is not withdrawn', async () => {
  const sold = await sell();
  await bring('W13', [lineFor(sold), chargeback(sold)]);
  await bring('W14', [chargeback(sold, { type: 'ChargebackReversal', grossAmount: 12_500 })]);
  expect(await blocked(sold)).toBe(0);
  await database.asAdmin(`update card_payment set reversed = 12500 where payment_id = '${sold.paymentId}'`);
  await expect(withdraw('W14')).rejects.toThrow('was refunded since');
  expect([await blocked(sold), (await disputes())[0]?.state, await broken()]).toEqual([0, 'Won', []]);
  await database.asAdmin(`update card_payment set reversed = 0 where payment_id = '${sold.paymentId}'`);
  await withdraw('W14');
  expect([await blocked(sold), (await disputes())[0]?.state, await broken()]).toEqual([12_500, 'Open', []]);
});

test('withdrawals and imports of one name at once have one order', async () => {
  const sold = await sell();
  await bring('W15', [lineFor(sold)]);
  const [imported, ...withdrawn] = await Promise.all([
    bring('W15', [lineFor(sold), lineFor(sold, { type: 'Fee', grossAmount: 0, feeAmount: -5 })]),
    withdraw('W15'),
    withdraw('W15'),
  ]);
  // The import is refused before the withdrawal, or taken after it; a second withdrawal finds the first one, or the new batch.
  expect(await broken()).toEqual([]);
  const batches = await database.asAdmin(`select 1 from settlement_batch where payee_id = '${payeeId}'`);
  const taken = imported.batches - withdrawn.filter(Boolean).length + 1;
  expect([batches.length, await owed()]).toEqual([taken, taken === 0 ? 12_500 : 0]);
});

test('what holds of withdrawn batches is broken by each row that is changed', async () => {
  const sold = await sell();
  await bring('W16', [lineFor(sold)]);
  await withdraw('W16');
  const holds = 'Each withdrawn batch is kept whole, and what it had booked is booked the other way.';
  const ofPayee = `where payee_id = '${payeeId}'`;
  expect(await broken()).toEqual([]);
  await database.asAdmin(`update settlement_withdrawal set opposite_id = movement_id ${ofPayee}`);
  expect(await broken()).toEqual([expect.stringContaining(holds)]);
  await database.asAdmin(`
    update settlement_withdrawal set movement_id = null, opposite_id = null ${ofPayee};
    delete from settlement_withdrawn_line ${ofPayee}`);
  expect(await broken()).toEqual([expect.stringContaining(holds)]);
  await database.asAdmin(`update settlement_withdrawal set lines = 0 ${ofPayee}`);
});

/** A line about euros that pays in kroner. */
const inKroner = ({ grossAmount, ...line }: Cells, rate: number): Cells => ({
  ...line,
  grossAmount: Number(grossAmount) * rate,
  transactionCurrency: 'EUR',
  transactionAmount: Number(grossAmount),
});

test('any files in any order: withdrawn to the last, the books are as if none had come', {
  timeout: 120_000,
}, async () => {
  const seed = testSeed();
  process.stdout.write(`TEST_SEED=${seed}\n`);
  const random = randomFrom(seed);
  const whole = (from: number, to: number) => from + random(to - from + 1);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  for (let round = 0; round < 6; round += 1) {
    payeeId = await addPayee(database);
    context = settling([agreementOf(payeeId)]);
    const sold: Charged[] = [];
    const euros = new Set<Charged>();
    for (let count = 0; count < 5; count += 1) {
      const currency = pick(['NOK', 'NOK', 'EUR']);
      const one = await charge(database, payeeId, { amount: whole(1, 9) * 100, currency });
      sold.push(one);
      if (currency === 'EUR') euros.add(one);
    }
    await close();
    if (whole(0, 1) === 1) await transact(searchDays);
    const anyLine = (): Cells => {
      const of = pick(sold);
      const part = whole(1, of.amount / 100) * 100;
      const line = pick([
        lineFor(of),
        lineFor(of),
        lineFor(of, { grossAmount: of.amount + 100 }),
        lineFor(of, { type: 'Adjustment', grossAmount: -100 }),
        lineFor(of, { type: 'Adjustment', grossAmount: -of.amount }),
        lineFor(of, { merchantId: '000012345678902' }),
        chargeback(of, { grossAmount: -part, reasonCode: pick(['10.4', '13.1']) }),
        chargeback(of, { type: 'ChargebackReversal', grossAmount: part }),
        lineFor(of, { type: 'Fee', grossAmount: 0, feeAmount: -5 }),
      ]);
      return euros.has(of) ? inKroner(line, whole(10, 12)) : line;
    };
    const before = [await owed(), await differences()];
    const standing: string[] = [];
    const withdrawLast = async () => {
      const batchId = standing.pop() ?? '';
      expect(await withdraw(batchId), batchId).toBe(true);
      expect(await broken()).toEqual([]);
    };
    for (let step = 0; step < 8; step += 1) {
      if (standing.length > 0 && whole(0, 3) === 0) await withdrawLast();
      const batchId = `R${round}-${step}`;
      await bring(batchId, Array.from({ length: whole(1, 6) }, anyLine));
      standing.push(batchId);
      expect(await broken()).toEqual([]);
      // One that another rests on is refused, and changes nothing.
      const first = standing[0] ?? '';
      if (standing.length > 1 && whole(0, 2) === 0) {
        await withdraw(first).then(
          () => standing.shift(),
          (error: Error) => expect(error.message).toContain('rests on this one'),
        );
        expect(await broken()).toEqual([]);
      }
    }
    while (standing.length > 0) await withdrawLast();
    expect([await owed(), await differences()]).toEqual(before);
    expect((await disputes()).map(({ state }) => state).filter((state) => state !== 'Withdrawn')).toEqual([]);
    for (const one of sold) expect(await blocked(one)).toBe(0);
    // The right file is taken.
    await bring(
      `R${round}-0`,
      sold.map((one) => (euros.has(one) ? inKroner(lineFor(one), 11) : lineFor(one))),
    );
    expect([await owed(), await differences(), (await day())?.state, await broken()]).toEqual([0, [], 'Settled', []]);
  }
});
