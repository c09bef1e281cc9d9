import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountInvariants } from '../../src/accounts/compose.ts';
import type { Rows } from '../../src/db/transaction.types.ts';
import { INVARIANTS, searchBadRow } from '../../src/ledger/verification/verify.store.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { addAccounts, addPayee } from '../support/ledger.ts';

const ROWS = 30_000;
/** In the planner's unit, in which to read a row costs about 0.01: a few looks at each row, far from one for each pair. */
const LARGEST_COST = ROWS * 5;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  const payeeId = await addPayee(database);
  await addAccounts(database, 1, { payeeId });
  await database.asAdmin(`
    insert into payment (payee_id, payment_id, account_id, operation, state, amount, currency, captured, cancelled,
      reversed, payment_order_ref, payment_transaction_ref, echo, created_at, updated_at, event_sequence)
    select payee_id, id, account_id, 'Authorize', 'OK', 10, 'NOK', 0, 0, 0, 'o', id::text, '{}', kontor_now(), kontor_now(), 1
    from account, (select gen_random_uuid() as id from generate_series(1, ${ROWS})) made;
    insert into reference (payee_id, scope, reference, command_id, payment_id)
    select payee_id, 'payment', payment_id::text, payment_id, payment_id from payment;
    insert into movement (payee_id, movement_id, kind, currency, payment_id, happened_at)
    select payee_id, gen_random_uuid(), 'Authorize', 'NOK', payment_id, kontor_now() from payment;
    insert into entry (payee_id, movement_id, line, side, currency, amount)
    select payee_id, movement_id, line, 'Clearing', 'NOK', 3 - 2 * line from movement, generate_series(1, 2) line
    where payment_id is not null;
    insert into event (payee_id, event_id, type, resource_kind, resource_id, resource_sequence, happened_at, payload)
    select payee_id, payment_id, 'payment.authorized', 'payment', payment_id::text, 1, kontor_now(), '{}' from payment;
    insert into audit (payee_id, audit_id, actor, action, object_kind, object_id)
    select payee_id, payment_id, 'test', 'authorize-payment', 'payment', payment_id::text from payment;
    analyze`);
});
afterAll(() => database.drop());

// Each with each, it would take hours on a ledger of a million payments, and no operator would run it.
test.each([...INVARIANTS, ...accountInvariants()].map((invariant) => [invariant.statement.name, invariant] as const))(
  '%s compares tables as a whole, not each row with each',
  async (_name, invariant) => {
    let plan = '';
    await database.report((transaction) =>
      searchBadRow(
        {
          run: async <Row>({ name, text }: { name: string; text: string }, values: readonly unknown[]) => {
            const explained = { name: `explain-${name}`, text: `explain ${text}` };
            const { rows } = await transaction.run<{ 'QUERY PLAN': string }>(explained, values);
            plan = rows.map((row) => row['QUERY PLAN']).join('\n');
            return { rows: [], count: 0 } satisfies Rows<Row>;
          },
        },
        invariant,
      ),
    );
    const costs = [...plan.matchAll(/\.\.(\d+)\.\d+ rows/g)].map(([, cost]) => Number(cost));
    expect(Math.max(...costs) < LARGEST_COST ? 'steps that cost little' : plan).toBe('steps that cost little');
  },
);
