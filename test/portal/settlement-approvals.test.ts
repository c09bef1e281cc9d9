import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { names } from '../../locales/portal-names-en-US.ts';
import { connect } from '../../src/db/server/connection.ts';
import { COMMAND_LINE, nameOfActor } from '../../src/kit/caller.ts';
import { selectNow } from '../../src/settlements/clock.store.ts';
import { selectDifferences } from '../../src/settlements/differences.store.ts';
import { disputeCommands } from '../../src/settlements/disputes/disputes.cli.ts';
import { resolveOnce } from '../../src/settlements/resolve-difference.ts';
import { settlementActs } from '../../src/settlements/settlement-acts.flow.ts';
import { settlementCommands } from '../../src/settlements/settlements.cli.ts';
import type { SettlementContext } from '../../src/settlements/settlements.types.ts';
import { runSettlements } from '../support/run-command.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import {
  agreementOf,
  type Charged,
  charge,
  fileOf,
  importText,
  lineFor,
  MERCHANT_ID,
  settling,
} from '../support/settlements.ts';
import { type Browser, PASSWORD, signedInAs } from '../support/shop/portal.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
let context: SettlementContext;
let here: string;
let anna: Browser;
let bo: Browser;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  context = settling([agreementOf(kontor.payeeId)]);
  here = `/portal/api/payees/${kontor.payeeId}`;
  [anna, bo] = [await signedInAs(kontor, 'finance'), await signedInAs(kontor, 'finance')];
});
afterAll(() => kontor.stop());
beforeEach(async () => {
  await limits(50, 100);
  for (const person of [anna, bo]) await person.post('/portal/api/session/reauthenticate', { password: PASSWORD });
});

const limits = (confirm: number | null, second: number | null) =>
  kontor.database.asAdmin(`delete from giving; delete from giving_limit; delete from pending_change;
    insert into giving_limit values ('${kontor.payeeId}', '*', ${confirm}, ${second})`);
let files = 0;
/** A sale with a line that names another merchant, and the batch. */
async function wrong(amount: number) {
  const sold = await charge(kontor.database, kontor.payeeId, { amount });
  files += 1;
  const batch = `wrong/${files}`;
  const lines = [lineFor(sold, { merchantId: '000012345678902' })];
  await importText((work) => kontor.database.transact(work), context, fileOf(batch, lines));
  const [row] = await kontor.database.asAdmin(`select number::int from settlement_batch where name = '${batch}'`);
  return { sold, batch, number: Number(row?.['number']), difference: await differenceOf(sold) };
}
async function differenceOf({ attemptId }: Charged) {
  const asked = { payeeId: kontor.payeeId, onlyOpen: false, settlementId: undefined, most: 100 };
  const found = await selectDifferences(kontor.database.read, asked);
  const one = found.find((each) => each.attemptId === attemptId);
  if (one === undefined) throw new Error('the line differs');
  return one;
}
const isOwed = async ({ attemptId }: Charged) => {
  const [row] = await kontor.database.asAdmin(`
    select coalesce(batch_id, ended_by::text) is null as owed from settlement_item where attempt_id = '${attemptId}'`);
  return row?.['owed'];
};
const resolve = (person: Browser, id: string, outcome?: string) =>
  person.post(`${here}/differences/${id}/resolve`, { reason: 'told by phone', ...(outcome && { outcome }) });
const withdraw = (person: Browser, { batch, number }: { batch: string; number: number }) =>
  person.post(`${here}/withdrawn-batches`, { acquirer: 'north', batch, number, reason: 'the wrong file' });
const decide = (person: Browser, changeId: string, what: 'approve' | 'refuse') =>
  person.post(`${here}/pending-changes/${changeId}/${what}`);
const listed = async (changeId: string) =>
  (await bo.get(`${here}/pending-changes`)).body.changes.find((one: { changeId: string }) => one.changeId === changeId);
const auditOf = async (action: string, objectId: string) =>
  (
    await kontor.database.asAdmin(
      `select concat_ws(':', actor_kind, actor_id) as actor from audit where action = '${action}' and object_id = '${objectId}'`,
    )
  ).map(({ actor }) => actor);

/** What `kontor settlements …` prints. */
async function run(...words: string[]): Promise<string> {
  return runSettlements(kontor, settlementCommands, [...words, '--payee', kontor.payeeId]);
}

async function runDispute(...words: string[]): Promise<string> {
  return runSettlements(kontor, disputeCommands, [...words]);
}

test('a write-off in the portal books what the command books, at once up to the limits', async () => {
  const { sold, difference } = await wrong(4_000);
  expect(await resolve(anna, difference.differenceId, 'WrittenOff')).toMatchObject({
    status: 200,
    body: { approval: null },
  });
  expect([await isOwed(sold), (await differenceOf(sold)).outcome]).toEqual([false, 'WrittenOff']);
});

test('a large write-off waits for another person, who sees what it is about, and is done once', async () => {
  const { sold, difference } = await wrong(20_000);
  const { differenceId } = difference;
  const asked = (await resolve(anna, differenceId, 'PaidOtherwise')).body.approval;
  expect(asked).toMatchObject({ amount: 20_000, currency: 'NOK' });
  expect((await resolve(anna, differenceId, 'PaidOtherwise')).body.approval.changeId).toBe(asked.changeId);
  expect(await isOwed(sold)).toBe(true);
  // What was not agreed to in time is asked for again.
  const expire = (id: string, days: number) => `
    update pending_change set asked_at = asked_at + ${days} * interval '1 day', expires_at = expires_at + ${days} * interval '1 day'
    where change_id = '${id}'`;
  await kontor.database.asAdmin(expire(asked.changeId, -2));
  const again = (await resolve(anna, differenceId, 'PaidOtherwise')).body.approval;
  expect([again.changeId === asked.changeId, (await listed(asked.changeId)).state]).toEqual([false, 'Expired']);
  await kontor.database.asAdmin(`delete from pending_change where change_id = '${again.changeId}'`);
  await kontor.database.asAdmin(expire(asked.changeId, 2));
  expect(await listed(asked.changeId)).toMatchObject({
    operationId: 'resolveDifference',
    object: {
      kind: 'difference',
      id: differenceId,
      name: 'merchantDiffers',
      reference: `line 1 of ${difference.batch}`,
    },
    reason: 'told by phone',
    afterwards: null,
    state: 'Pending',
  });
  expect((await bo.get(`${here}/pending-change-count`)).body).toEqual({ count: 1 });
  expect((await decide(anna, asked.changeId, 'approve')).status).toBe(403);
  expect((await decide(bo, asked.changeId, 'approve')).body.state).toBe('Done');
  expect([await isOwed(sold), await auditOf('resolve-difference', differenceId)]).toEqual([
    false,
    [expect.stringMatching(/^portal-user:/)],
  ]);
  // What was agreed to and got no answer is run again: it was done.
  await kontor.database.asAdmin(`update pending_change set state = 'Approved' where change_id = '${asked.changeId}'`);
  expect((await decide(bo, asked.changeId, 'approve')).body.state).toBe('Done');
  expect(await auditOf('resolve-difference', differenceId)).toHaveLength(1);
});

test('agreed to twice at the same moment, it is done once, and neither run says that it was not', async () => {
  const { sold, difference } = await wrong(20_000);
  const { differenceId } = difference;
  const { changeId } = (await resolve(anna, differenceId, 'WrittenOff')).body.approval;
  const command = {
    payeeId: kontor.payeeId,
    differenceId,
    outcome: 'WrittenOff',
    reason: 'told by phone',
    actor: COMMAND_LINE,
    now: new Date().toISOString(),
  } as const;
  const locking = await connect(kontor.database.adminUrl);
  await locking.command('begin');
  await locking.command(`select from settlement_difference where difference_id = '${differenceId}' for update`);
  const runs = [1, 2].map(() => kontor.database.transact((one) => resolveOnce(one, context, command)));
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await kontor.database.asAdmin(waiting)).length === 2);
  await locking.command('rollback');
  await locking.end();
  await Promise.all(runs);
  expect((await decide(bo, changeId, 'approve')).body.state).toBe('Done');
  expect([await isOwed(sold), (await auditOf('resolve-difference', differenceId)).length]).toEqual([false, 1]);
});

test('what is booked by hand has the time of the database, whatever the clock of the instance says', async () => {
  const { difference } = await wrong(50);
  const { resolve: act } = settlementActs(kontor.service.slices.settlements.context, selectNow);
  const body = { outcome: 'WrittenOff', reason: 'gone' };
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  try {
    await act.run(
      { payeeId: kontor.payeeId, params: { differenceId: difference.differenceId }, body },
      COMMAND_LINE,
      undefined,
    );
  } finally {
    vi.useRealTimers();
  }
  const [row] = await kontor.database.asAdmin(`
    select m.happened_at <= kontor_now() as has_come from settlement_difference d
    join movement m on m.payee_id = d.payee_id and m.movement_id = d.movement_id
    where d.difference_id = '${difference.differenceId}'`);
  expect(row).toEqual({ has_come: true });
});

test('what books nothing needs no second person', async () => {
  const { sold, difference } = await wrong(20_000);
  expect((await resolve(anna, difference.differenceId)).body).toEqual({ approval: null });
  expect([await isOwed(sold), (await differenceOf(sold)).outcome]).toEqual([true, 'AcquirersMistake']);
});

test('to call a chargeback a mistake frees its sale for a refund, and is weighed as that', async () => {
  /** A chargeback of more than its sale: it blocks all of the sale until it is ended. */
  async function tooLarge(amount: number) {
    const sold = await charge(kontor.database, kontor.payeeId, { amount });
    files += 1;
    const lines = [lineFor(sold), lineFor(sold, { type: 'Chargeback', grossAmount: -amount - 1, caseId: `T${files}` })];
    await importText((work) => kontor.database.transact(work), context, fileOf(`large/${files}`, lines));
    const blocked = async () => {
      const [row] = await kontor.database.asAdmin(
        `select disputed::int from card_payment where payment_id = '${sold.paymentId}'`,
      );
      return row?.['disputed'];
    };
    expect(await blocked()).toBe(amount);
    return { blocked, differenceId: (await differenceOf(sold)).differenceId };
  }
  const [small, large] = [await tooLarge(40), await tooLarge(20_000)];
  expect((await resolve(anna, small.differenceId)).body).toEqual({ approval: null });
  expect(await small.blocked()).toBe(0);
  const { approval } = (await resolve(anna, large.differenceId)).body;
  expect(approval).toMatchObject({ amount: 20_000, currency: 'NOK' });
  expect(await large.blocked()).toBe(20_000);
  expect((await decide(anna, approval.changeId, 'approve')).status).toBe(403);
  expect((await decide(bo, approval.changeId, 'approve')).body.state).toBe('Done');
  expect(await large.blocked()).toBe(0);
  await kontor.database.asAdmin(
    `update pending_change set state = 'Approved' where change_id = '${approval.changeId}'`,
  );
  expect((await decide(bo, approval.changeId, 'approve')).body.state).toBe('Done');
  expect(await auditOf('resolve-difference', large.differenceId)).toHaveLength(1);
});

test('a withdrawal of any amount waits for another person, and names that very batch', async () => {
  const one = await wrong(100);
  const { changeId } = (await withdraw(anna, one)).body.approval;
  expect(await listed(changeId)).toMatchObject({
    operationId: 'withdrawBatch',
    object: { kind: 'batch', id: String(one.number), name: one.batch, reference: `north ${MERCHANT_ID}` },
    amount: 100,
    reason: 'the wrong file',
  });
  expect((await decide(bo, changeId, 'approve')).body.state).toBe('Done');
  expect((await differenceOf(one.sold)).state).toBe('Withdrawn');
  expect(await auditOf('withdraw-settlement-batch', one.batch)).toHaveLength(1);
  // The right file of that name is not withdrawn by who agrees again.
  await importText((work) => kontor.database.transact(work), context, fileOf(one.batch, [lineFor(one.sold)]));
  await kontor.database.asAdmin(`update pending_change set state = 'Approved' where change_id = '${changeId}'`);
  expect((await decide(bo, changeId, 'approve')).body.state).toBe('Done');
  expect(await isOwed(one.sold)).toBe(false);
  expect(await listed(changeId)).toMatchObject({ object: { name: one.batch } });
});

test('a refused one leaves all as it was, and what became impossible says so', async () => {
  const [one, other] = [await wrong(100), await wrong(20_000)];
  const refused = (await withdraw(anna, one)).body.approval.changeId;
  expect((await decide(bo, refused, 'refuse')).body.state).toBe('Refused');
  expect((await differenceOf(one.sold)).state).toBe('Open');
  const asked = (await resolve(anna, other.difference.differenceId, 'WrittenOff')).body.approval.changeId;
  await resolve(bo, other.difference.differenceId);
  expect((await decide(bo, asked, 'approve')).body).toMatchObject({ state: 'Impossible', problem: 'notfound' });
});

test('the command line asks, and a user of the portal agrees', async () => {
  const [one, other] = [await wrong(100), await wrong(20_000)];
  const said = await run('withdraw', one.batch, '--reason', 'the wrong file');
  expect(said).toMatch(/^Nothing was done yet: 1\.00 NOK needs a second person\./);
  const { waitsFor } = JSON.parse(await run('withdraw', one.batch, '--reason', 'the wrong file', '--json'));
  expect(await listed(waitsFor.changeId)).toMatchObject({ askedBy: nameOfActor(COMMAND_LINE), askedByName: null });
  expect((await decide(anna, waitsFor.changeId, 'approve')).body.state).toBe('Done');
  expect(await auditOf('withdraw-settlement-batch', one.batch)).toEqual([nameOfActor(COMMAND_LINE)]);
  expect(await run('withdraw', one.batch, '--reason', 'the wrong file')).toMatch(/withdrawn before/);
  await expect(run('withdraw', 'none', '--reason', 'x')).rejects.toThrow('There is no batch of that name.');

  const { differenceId } = other.difference;
  expect(await run('resolve', differenceId, '--outcome', 'written-off', '--reason', 'gone')).toMatch(
    /^Nothing was done yet/,
  );
  expect(await isOwed(other.sold)).toBe(true);
  const [change] = (await anna.get(`${here}/pending-changes`)).body.changes;
  expect(change).toMatchObject({ operationId: 'resolveDifference', way: 'WrittenOff' });
  expect((await decide(anna, change.changeId, 'approve')).body.state).toBe('Done');
  expect(await isOwed(other.sold)).toBe(false);
});

/** A dispute of a sale, opened by a line of a file. */
async function disputed(sale: number, amount = sale): Promise<string> {
  const sold = await charge(kontor.database, kontor.payeeId, { amount: sale });
  files += 1;
  const batch = `disputed/${files}`;
  await importText(
    (work) => kontor.database.transact(work),
    context,
    fileOf(batch, [lineFor(sold), lineFor(sold, { type: 'Chargeback', grossAmount: -amount, caseId: batch })]),
  );
  const [row] = await kontor.database.asAdmin(`select dispute_id as id from dispute where case_id = '${batch}'`);
  return String(row?.['id']);
}
/** A further line of the case. */
async function askedBackMore(amount: number, disputeId: string) {
  const [row] = await kontor.database.asAdmin(`
    select i.*, d.case_id from dispute d join settlement_item i on i.attempt_id = d.attempt_id where dispute_id = '${disputeId}'`);
  files += 1;
  const line = {
    type: 'Chargeback',
    attemptReference: String(row?.['attempt_id']).replaceAll('-', ''),
    acquirerReference: String(row?.['acquirer_reference']),
    retrievalReference: String(row?.['retrieval_reference']),
    grossAmount: -amount,
    caseId: String(row?.['case_id']),
  };
  await importText((work) => kontor.database.transact(work), context, fileOf(`more/${files}`, [line]));
}
const step = (person: Browser, disputeId: string, name: string) =>
  person.post(`${here}/disputes/${disputeId}/steps`, { step: name });

test('a large dispute is accepted, or closed as lost, with a second person; to contest it needs none', async () => {
  const [small, large, lost] = [await disputed(1_000), await disputed(20_000), await disputed(20_000)];
  expect((await step(anna, small, 'accept')).body).toEqual({ steps: ['lose'], approval: null });
  const waiting = (await step(anna, large, 'accept')).body;
  expect(waiting).toMatchObject({ approval: { amount: 20_000, currency: 'NOK' } });
  expect(waiting.steps).toContain('accept');
  expect(await listed(waiting.approval.changeId)).toMatchObject({
    operationId: 'changeDispute',
    way: 'accept',
    object: { kind: 'dispute', id: large, name: expect.stringMatching(/^disputed/) },
  });
  expect((await decide(bo, waiting.approval.changeId, 'approve')).body.state).toBe('Done');
  // What was let go before is noted as lost by one person.
  expect((await step(anna, large, 'lose')).body).toEqual({ steps: [], approval: null });
  expect((await step(anna, lost, 'lose')).body.approval).not.toBeNull();
  const { approval } = (await step(anna, await disputed(20_000), 'represent')).body;
  expect(approval).toBeNull();
});

test('another outcome, or another step, is asked for beside the one that waits', async () => {
  const { sold, difference } = await wrong(20_000);
  const { differenceId } = difference;
  const { changeId } = (await resolve(anna, differenceId, 'WrittenOff')).body.approval;
  const other = (await resolve(anna, differenceId, 'PaidOtherwise')).body.approval.changeId;
  expect(other).not.toBe(changeId);
  expect((await decide(bo, other, 'approve')).body.state).toBe('Done');
  expect((await differenceOf(sold)).outcome).toBe('PaidOtherwise');
  expect((await decide(bo, changeId, 'approve')).body).toMatchObject({ state: 'Impossible', problem: 'notfound' });
  const disputeId = await disputed(20_000);
  const [accept, lose] = [await step(anna, disputeId, 'accept'), await step(anna, disputeId, 'lose')];
  expect(lose.body.approval.changeId).not.toBe(accept.body.approval.changeId);
});

test('a dispute of which more is asked back since is not let go by an agreement to less', async () => {
  const disputeId = await disputed(90_000, 20_000);
  const stateOf = async () =>
    (await kontor.database.asAdmin(`select state from dispute where dispute_id = '${disputeId}'`))[0]?.['state'];
  const { changeId } = (await step(anna, disputeId, 'accept')).body.approval;
  await askedBackMore(70_000, disputeId);
  expect((await decide(bo, changeId, 'approve')).body).toMatchObject({ state: 'Impossible', problem: 'forbidden' });
  expect(await stateOf()).toBe('Open');
  const again = (await step(anna, disputeId, 'accept')).body.approval;
  expect(again).toMatchObject({ amount: 90_000 });
  expect((await decide(bo, again.changeId, 'approve')).body.state).toBe('Done');
  expect(await stateOf()).toBe('Accepted');
});

test('the command asks for it likewise', async () => {
  const disputeId = await disputed(20_000);
  const said = await runDispute('accept', disputeId);
  expect(said).toMatch(/^Nothing was done yet: 200\.00 NOK needs a second person\./);
  const { state, waitsFor } = JSON.parse(await runDispute('accept', disputeId, '--json'));
  expect(state).toBe('Open');
  expect((await decide(anna, waitsFor.changeId, 'approve')).body.state).toBe('Done');
  expect(await runDispute('accept', disputeId)).toBe('It is accepted.');
});

test('a person with the right may close a day; what is none is refused', async () => {
  const close = (person: Browser, day: string) => person.post(`${here}/settlement-days/${day}/close`);
  // Nothing of a sandbox's test acquirer is settled.
  expect((await close(anna, '2026-03-09')).body).toEqual({ closed: 0 });
  expect((await close(anna, '2026-02-30')).status).toBe(400);
  const siv = await signedInAs(kontor, 'support');
  expect((await close(siv, '2026-03-09')).status).toBe(403);
});

test('a payee without a limit has no second person', async () => {
  await limits(null, null);
  const [one, other] = [await wrong(100), await wrong(20_000)];
  expect((await withdraw(anna, one)).body).toEqual({ approval: null });
  expect(await run('resolve', other.difference.differenceId, '--outcome', 'written-off', '--reason', 'gone')).toBe(
    'It is resolved.',
  );
  expect([(await differenceOf(one.sold)).state, await isOwed(other.sold)]).toEqual(['Withdrawn', false]);
});

test('both have a name in the list of approvals, and support may decide on neither', async () => {
  expect(Object.keys(names.operation)).toEqual(expect.arrayContaining(['resolveDifference', 'withdrawBatch']));
  const siv = await signedInAs(kontor, 'support');
  await siv.post('/portal/api/session/reauthenticate', { password: PASSWORD });
  const one = await wrong(100);
  expect((await withdraw(siv, one)).status).toBe(403);
  const { changeId } = (await withdraw(anna, one)).body.approval;
  expect((await siv.get(`${here}/pending-change-count`)).body).toEqual({ count: 0 });
  expect((await decide(siv, changeId, 'approve')).status).toBe(403);
});
