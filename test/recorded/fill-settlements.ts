import { businessDayOf } from '../../src/issuers/acquirers/business-day.rules.ts';
import { COMMAND_LINE } from '../../src/kit/caller.ts';
import { closeByHand } from '../../src/settlements/days/close-days.flow.ts';
import type { SettlementContext } from '../../src/settlements/settlements.types.ts';
import type { TestService } from '../support/service.ts';
import { agreementOf, type Cells, fileOf, importText, lineFor, NORTH, settling } from '../support/settlements.ts';
import { type Browser, PASSWORD, signedInAs } from '../support/shop/portal.ts';

/** The acquirer of a sandbox, as settlement would know it: a sandbox by itself settles nothing. */
const ACQUIRER = { ...NORTH, id: 'sandbox', name: 'Sandbox acquirer', cutOver: '23:00', timeZone: 'Europe/Oslo' };
/** The one that is asked where the first cannot be. */
const SECOND = { ...ACQUIRER, id: 'second', name: 'Second acquirer' };
const MERCHANT_ID = '000000000000001';
/** Above it a second person has to agree, in whole crowns. */
const LIMITS = { confirm: 50, second: 100 };

/** Closes all days that have something, and brings the acquirer's files: with fees, differences, disputes and a conversion. */
export async function fillSettlements(kontor: TestService): Promise<void> {
  const agreements = [ACQUIRER, SECOND].map(({ id }) => ({
    ...agreementOf(kontor.payeeId, MERCHANT_ID),
    ...{ id, acquirer: id, currencies: ['NOK', 'SEK', 'EUR'] },
  }));
  const context = settling(agreements);
  Object.assign(context.hosts, {
    acquirers: [ACQUIRER, SECOND],
    acquirersOf: () => [ACQUIRER, SECOND],
    withMerchantId: (acquirer: string, merchantId: string) =>
      agreements.filter((one) => one.acquirer === acquirer && one.merchantId === merchantId),
  });
  const { longWork } = kontor.service.database;
  const now = new Date();
  const close = (day: string) =>
    closeByHand(longWork, context, { day, payeeId: kontor.payeeId, actor: COMMAND_LINE, now });
  // What was answered is collected by the first.
  await close(businessDayOf(now.getTime(), ACQUIRER));
  const open = await kontor.database.asAdmin('select distinct day::text as day from settlement_open_day order by 1');
  for (const { day } of open) await close(String(day));
  const bring = bringing(kontor, context);
  const nok = await itemsIn(kontor, 'NOK');
  const sek = await itemsIn(kontor, 'SEK');
  const [missing, other, ...matched] = sek.toSorted((one, second) =>
    one.type === second.type ? 0 : one.type === 'Refund' ? 1 : -1,
  );
  if (missing === undefined || other === undefined) throw new Error('there are sales in SEK');
  const paid = matched.map((one) => lineFor(one, { feeAmount: -5 }));
  await bring('sek-1', [...paid, lineFor(other, { grossAmount: other.amount + 100 })], { currency: 'SEK' });
  await bring('sek-2', [lineFor(matched[0] as Item)], { currency: 'SEK' });
  await bring('fees', [
    { type: 'Fee', grossAmount: -250 },
    { type: 'Adjustment', grossAmount: 40 },
  ]);
  const large = nok.filter(({ amount, type }) => type === 'Sale' && amount >= 4_000);
  await bring(
    'nok-1',
    nok.slice(0, -2).map((one) => lineFor(one)),
  );
  await dispute(bring, large);
  const [sold] = matched;
  if (sold?.type === 'Sale') {
    const asked = { type: 'Chargeback', grossAmount: -sold.amount, reasonCode: '10.4', caseId: 'C10' };
    await bring('sek-asked-back', [lineFor(sold, asked)], { currency: 'SEK' });
  }
  // Paid in another currency than it was sold in.
  const [converted] = await itemsIn(kontor, 'SEK');
  if (converted === undefined) return;
  await bring('converted', [
    lineFor(missing, {
      grossAmount: missing.amount + 7,
      transactionCurrency: 'SEK',
      transactionAmount: missing.amount,
    }),
  ]);
  await bring('wrong', [lineFor(nok.at(-1) as Item, { merchantId: '000012345678902' })]);
}

type Bring = (batch: string, lines: readonly Cells[], cells?: Cells) => Promise<void>;

function bringing({ service }: TestService, context: SettlementContext): Bring {
  return async (batch, lines, cells = {}) => {
    const day = businessDayOf(Date.now(), ACQUIRER);
    const common = { merchantId: MERCHANT_ID, transactionDate: day, ...cells };
    const text = fileOf(
      batch,
      lines.map((line) => ({ ...common, ...line })),
      { ...common, valueDate: day },
    );
    const imported = await importText(service.database.longWork, context, text, ACQUIRER);
    if (imported.refused.length > 0) throw new Error(JSON.stringify(imported));
  };
}

interface Item {
  readonly attemptId: string;
  readonly paymentId: string;
  readonly retrievalReference: string;
  readonly acquirerReference: string;
  readonly amount: number;
  readonly type: 'Sale' | 'Refund';
}

/** What is owed and not paid yet. */
async function itemsIn({ database }: TestService, currency: string): Promise<Item[]> {
  const rows = await database.asAdmin(`
    select attempt_id as "attemptId", payment_id as "paymentId", coalesce(retrieval_reference, '') as "retrievalReference",
      coalesce(acquirer_reference, '') as "acquirerReference", amount::int as amount, type
    from settlement_item where acquirer = '${ACQUIRER.id}' and currency = '${currency}' and batch_id is null and type in ('Sale', 'Refund')
    order by attempt_id`);
  return rows as unknown as Item[];
}

/** Disputes as far as lines of files bring them. */
async function dispute(bring: Bring, sales: readonly Item[]): Promise<void> {
  const asked = (sold: Item, caseId: string, more: Cells = {}) =>
    lineFor(sold, { type: 'Chargeback', grossAmount: -sold.amount, reasonCode: '10.4', caseId, ...more });
  if (sales.length < 9) throw new Error(`${sales.length} sales are too few`);
  const [open, won, again, part, papers] = sales as [Item, Item, Item, Item, Item];
  const [accepted, represented, lost, large] = sales.slice(5) as [Item, Item, Item, Item];
  await bring('asked-back', [
    asked(open, 'C1', { respondBy: '2027-03-25' }),
    asked(won, 'C2'),
    asked(again, 'C3', { reasonCode: '13.1' }),
    asked(part, 'C4', { grossAmount: -1_000 }),
    asked(papers, 'C5', { grossAmount: 0 }),
    ...[accepted, represented, lost].map((one, place) => asked(one, `C${6 + place}`)),
    asked(large, 'C9', { grossAmount: -large.amount - 1 }),
  ]);
  const given = [won, again].map((one, place) =>
    lineFor(one, { type: 'ChargebackReversal', caseId: `C${2 + place}`, reasonCode: '10.4' }),
  );
  await bring('given-back', given);
  await bring('asked-again', [asked(again, 'C3', { reasonCode: '13.1' })]);
}

/** What people do about it in the portal, up to the limits of one and with another person; and what waits. */
export async function fillApprovals(kontor: TestService): Promise<void> {
  const { database, payeeId } = kontor;
  const here = `/portal/api/payees/${payeeId}`;
  const [anna, bo] = [await signedInAs(kontor, 'finance'), await signedInAs(kontor, 'finance')];
  await database.asAdmin(`insert into giving_limit values ('${payeeId}', '*', ${LIMITS.confirm}, ${LIMITS.second})`);
  for (const person of [anna, bo]) ok(await person.post('/portal/api/session/reauthenticate', { password: PASSWORD }));
  const idsOf = async (sql: string) => (await database.asAdmin(sql)).map(({ id }) => String(id));
  const cases = async (name: string) =>
    (await idsOf(`select dispute_id as id from dispute where case_id = '${name}'`))[0] ?? '';
  const step = async (person: Browser, name: string, what: string) =>
    ok(await person.post(`${here}/disputes/${await cases(name)}/steps`, { step: what }));
  await step(anna, 'C7', 'represent');
  await step(anna, 'C8', 'represent');
  const accepting = await step(anna, 'C6', 'accept');
  await agree(bo, here, accepting.body.approval);
  await agree(bo, here, (await step(anna, 'C8', 'lose')).body.approval);
  await step(anna, 'C1', 'accept');
  const differences = await idsOf(`
    select difference_id as id from settlement_difference where state = 'Open' order by kind, difference_id`);
  for (const [place, id] of differences.slice(0, 3).entries()) {
    const asked = {
      reason: 'told by phone',
      ...(place > 0 && { outcome: place === 1 ? 'WrittenOff' : 'PaidOtherwise' }),
    };
    const { body } = await anna.post(`${here}/differences/${id}/resolve`, asked);
    if (place === 1) await agree(bo, here, body.approval);
  }
  const [number] = await idsOf(`select number as id from settlement_batch where name = 'fees'`);
  const withdrawn = { acquirer: 'sandbox', batch: 'fees', number: Number(number), reason: 'the wrong file' };
  await anna.post(`${here}/withdrawn-batches`, withdrawn);
  await giveByApi(kontor, anna);
}

/** A new gift card that waits for a second person, and one that was refused. */
async function giveByApi(kontor: TestService, anna: Browser): Promise<void> {
  const { accessToken, hmac } = ok(await anna.post(`/portal/api/payees/${kontor.payeeId}/session-credentials`)).body;
  for (const amount of [20_000, 30_000]) {
    await kontor.send('POST', '/api/payments/gift-card/get-new-gift-card', {
      ...{ accessToken, hmac, body: { amount } },
      headers: { 'idempotency-key': `waits-${amount}` },
    });
  }
}

async function agree(person: Browser, here: string, approval: { readonly changeId: string } | null): Promise<void> {
  if (approval !== null) ok(await person.post(`${here}/pending-changes/${approval.changeId}/approve`));
}

function ok<Answer extends { readonly status: number; readonly text: string }>(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text.slice(0, 400)}`);
  return answer;
}
