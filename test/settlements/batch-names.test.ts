import { afterAll, beforeAll, expect, test } from 'vitest';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { composeSettlements } from '../../src/settlements/compose.ts';
import { withdrawBatch } from '../../src/settlements/files/withdraw-batch.ts';
import { settlementCommands } from '../../src/settlements/settlements.cli.ts';
import type { SettlementContext } from '../../src/settlements/settlements.types.ts';
import { runSettlements } from '../support/run-command.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import {
  agreementOf,
  type Cells,
  charge,
  fileOf,
  importText,
  lineFor,
  MERCHANT_ID,
  NORTH,
  settling,
} from '../support/settlements.ts';
import { type Browser, signedInAs } from '../support/shop/portal.ts';

/** Another number of the same payee at the same acquirer. */
const OTHER_ID = '000012345678902';
let kontor: TestService;
let context: SettlementContext;
let anna: Browser;

beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  const { payeeId } = kontor;
  context = settling([agreementOf(payeeId), { ...agreementOf(payeeId, OTHER_ID), id: 'demo-other' }]);
  anna = await signedInAs(kontor, 'finance');
});
afterAll(() => kontor.stop());

const bring = (...texts: readonly string[]) => {
  const [first = '', ...others] = texts;
  const text = [first, ...others.map((other) => other.slice(other.indexOf('\n') + 1))].join('');
  return importText((work) => kontor.database.transact(work), context, text, NORTH);
};
const batch = (name: string, lines: readonly Cells[], merchantId: string) =>
  fileOf(
    name,
    lines.map((line) => ({ merchantId, ...line })),
    { merchantId },
  );
const sell = (amount: number, merchantId = MERCHANT_ID) =>
  charge(kontor.database, kontor.payeeId, {
    amount,
    merchantId,
    agreement: merchantId === MERCHANT_ID ? 'demo-nok' : 'demo-other',
  });
type Payout = Readonly<Record<'batch' | 'merchantId' | 'state', string>>;
const payouts = async () =>
  (await kontor.send('GET', '/psp/payouts?from=2026-03-01&to=2026-03-31')).body.payouts.payoutList;
const broken = async () => {
  const { invariants } = composeSettlements({ ...context, database: kontor.database });
  const { findings } = await verifyLedger(kontor.database.reports, invariants);
  return findings.flatMap(({ holds, badRow }) => (badRow === undefined ? [] : [`${holds} ${JSON.stringify(badRow)}`]));
};

/** What `kontor settlements …` prints. */
async function run(...words: string[]): Promise<string> {
  return runSettlements(kontor, settlementCommands, [...words, '--payee', kontor.payeeId]);
}

test('a name under another merchant number is another batch, in a file of its own and in the same one', async () => {
  const sold = [await sell(100), await sell(200, OTHER_ID), await sell(300), await sell(400, OTHER_ID)] as const;
  expect(await bring(batch('1', [lineFor(sold[0])], MERCHANT_ID))).toMatchObject({ batches: 1, matched: 1 });
  expect(await bring(batch('1', [lineFor(sold[1])], OTHER_ID))).toMatchObject({ batches: 1, matched: 1, refused: [] });
  const both = [batch('2', [lineFor(sold[2])], MERCHANT_ID), batch('2', [lineFor(sold[3])], OTHER_ID)] as const;
  expect(await bring(...both)).toMatchObject({ batches: 2, lines: 4, matched: 2, differences: 0 });
  expect(await payouts()).toMatchObject([
    { batch: '2', merchantId: OTHER_ID, gross: 400 },
    { batch: '2', merchantId: MERCHANT_ID, gross: 300 },
    { batch: '1', merchantId: OTHER_ID, gross: 200 },
    { batch: '1', merchantId: MERCHANT_ID, gross: 100 },
  ]);
  // The same ones again, in files that are not the same.
  expect(await bring(both[1], both[0])).toMatchObject({ batches: 0, known: 2, refused: [] });
  expect(await broken()).toEqual([]);
});

test('of a wrong one of both, that one alone is refused', async () => {
  const [sold, other] = [await sell(500), await sell(600, OTHER_ID)];
  const wrong = batch('3', [lineFor(other)], OTHER_ID).replace(',0,0,600,', ',0,0,599,');
  expect(await bring(batch('3', [lineFor(sold)], MERCHANT_ID), wrong)).toMatchObject({
    batches: 1,
    matched: 1,
    refused: [{ batch: '3', merchantId: OTHER_ID, reason: { code: 'sumsDiffer' } }],
  });
});

test('one Payout for lines of several numbers pays them together, and no other batch of its name pays one of them', async () => {
  const [sold, other] = [await sell(700), await sell(800, OTHER_ID)];
  const together = fileOf('4', [lineFor(sold), lineFor(other, { merchantId: OTHER_ID })]);
  expect(await bring(together)).toMatchObject({ batches: 1, matched: 2, differences: 0 });
  expect(await bring(batch('4', [{ type: 'Adjustment', grossAmount: 1 }], MERCHANT_ID))).toMatchObject({
    batches: 0,
    refused: [{ batch: '4', merchantId: MERCHANT_ID, reason: { code: 'anotherBatch' } }],
  });
  // A line that cannot be read refuses both batches of its name.
  const torn = [batch('5', [{ type: 'Fee', feeAmount: -1, grossAmount: 0 }], MERCHANT_ID), batch('5', [], OTHER_ID)];
  expect(await bring(...torn, fileOf('5', [{ type: 'Wrong' }]))).toMatchObject({ batches: 0, refused: [{}, {}] });
});

test('commands and pages name both: the other one stays as it is', async () => {
  await expect(run('seen', '1')).rejects.toThrow('say --merchant NUMBER');
  expect(JSON.parse(await run('seen', '1', '--merchant', OTHER_ID, '--json'))).toMatchObject({ merchantId: OTHER_ID });
  const { number } = (await payouts()).find((one: Payout) => one.batch === '2' && one.merchantId === OTHER_ID);
  const here = `/portal/api/payees/${kontor.payeeId}`;
  expect((await anna.post(`${here}/seen-payouts`, { number, isSeen: true })).status).toBe(200);
  const seen = (await payouts()).filter(({ state }: Payout) => state === 'Seen');
  expect(seen).toMatchObject([
    { batch: '2', merchantId: OTHER_ID },
    { batch: '1', merchantId: OTHER_ID },
  ]);
  await expect(run('withdraw', '1', '--reason', 'wrong')).rejects.toThrow('say --merchant NUMBER');
  expect(await run('withdraw', '1', '--merchant', OTHER_ID, '--reason', 'wrong')).toContain(
    '2.00 NOK needs a second person',
  );
  const found = (await payouts()).find((one: Payout) => one.batch === '1' && one.merchantId === OTHER_ID);
  const command = { payeeId: kontor.payeeId, number: found.number, reason: 'wrong', actor: COMMAND_LINE };
  await kontor.database.transact((one) => withdrawBatch(one, context, { ...command, now: new Date().toISOString() }));
  const states = (await payouts()).flatMap((one: Payout) => (one.batch === '1' ? [one.state] : []));
  expect(states).toEqual(['Withdrawn', 'Paid']);
  const table = (await anna.get(`${here}/payouts.csv?from=2026-03-01&to=2026-03-31`)).text;
  expect(table).toMatch(/,importedAt,number,merchantId,converted\r?\n/);
  expect(table).toMatch(new RegExp(`,2,[^\n]*,${OTHER_ID},\r?\n`));
  expect(await broken()).toEqual([]);
});

test('where the parts of two numbers come to nothing, what is owed for each is settled, and owed again once it is withdrawn', async () => {
  const sold = await sell(900);
  const paid = await sell(900, OTHER_ID);
  const others = { agreement: 'demo-other', merchantId: OTHER_ID } as const;
  const refund = { ...others, amount: 900, type: 'Refund', of: paid } as const;
  const refunded = await charge(kontor.database, kontor.payeeId, refund);
  const even = fileOf('even', [lineFor(sold), lineFor(refunded, { merchantId: OTHER_ID, grossAmount: -900 })]);
  expect(await bring(even)).toMatchObject({ batches: 1, matched: 2, differences: 0 });
  expect(await broken()).toEqual([]);
  const { number } = (await payouts()).find((one: Payout) => one.batch === 'even');
  const command = { payeeId: kontor.payeeId, number, reason: 'wrong', actor: COMMAND_LINE };
  await kontor.database.transact((one) => withdrawBatch(one, context, { ...command, now: new Date().toISOString() }));
  expect(await broken()).toEqual([]);
});
