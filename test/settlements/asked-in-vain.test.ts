import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PayeeId } from '../../src/kit/ids.ts';
import { addDays } from '../../src/kit/instants.ts';
import { verifyLedger } from '../../src/ledger/verification/verify-ledger.flow.ts';
import { composeSettlements } from '../../src/settlements/compose.ts';
import { closeDueDays } from '../../src/settlements/days/close-days.flow.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import { agreementOf, charge, NORTH, settling, TODAY } from '../support/settlements.ts';

const NEXT = addDays(TODAY, 1);

let database: TestDatabase;
let payeeId: PayeeId;
beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
});
afterAll(() => database.drop());

test('a sale belongs to a day of the acquirer that has approved it, not of one that was asked in vain', async () => {
  const context = settling([agreementOf(payeeId)]);
  const { invariants } = composeSettlements({ ...context, database: { ...database } });
  await charge(database, payeeId, { amount: 100 });
  await closeDueDays((work) => database.transact(work), context, NORTH, new Date(`${NEXT}T23:59:00Z`));
  await database.asAdmin(
    "update settlement_day set closed_at = closed_at + interval '2 hours', updated_at = updated_at + interval '2 hours'",
  );
  for (const ofAccount of [false, true]) {
    const sold = await charge(database, payeeId, { amount: 700, acquirer: 'south', ...(ofAccount && { ofAccount }) });
    await database.asAdmin(`
      create table asked as select * from issuer_attempt where attempt_id = '${sold.attemptId}';
      update asked set attempt_id = gen_random_uuid(), issuer = 'north', created_at = created_at - interval '1 second',
        transaction_id = case when transaction_id is not null then gen_random_uuid() end;
      insert into issuer_attempt select * from asked;
      insert into acquirer_exchange select (x).* from (
        select jsonb_populate_record(e, jsonb_build_object('attempt_id', a.attempt_id, 'acquirer', 'north', 'state', 'NotSent',
          'action_code', null, 'acquirer_reference', null, 'business_day', null, 'answered_at', null,
          'stan', lpad((stan::integer + 400000)::text, 6, '0'))) as x
        from acquirer_exchange e, asked a where e.attempt_id = '${sold.attemptId}') again;
      insert into card_transaction select (x).* from (
        select jsonb_populate_record(t, jsonb_build_object('transaction_id', a.transaction_id, 'attempt_id', a.attempt_id,
          'issuer', 'north', 'state', 'Failed', 'problem', 'carddeclined', 'type', 'Authorization', 'number', t.number + 900000)) as x
        from card_transaction t, asked a where t.attempt_id = '${sold.attemptId}') again;
      drop table asked`);
  }
  const { findings } = await verifyLedger(database.reports, invariants);
  const held = findings.find(({ holds }) => holds.includes('belongs to a business day'));
  expect(held).toMatchObject({ badRow: undefined });
});
