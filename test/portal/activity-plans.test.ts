import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidV7 } from '../../src/kit/ids.ts';
import { selectActivity } from '../../src/portal/activity/activity.store.ts';
import type { ActivityFilter } from '../../src/portal/activity/activity.types.ts';
import { reachOf, readPeriod } from '../../src/portal/newest-first.rules.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { explainFreely, statementOf, usesOnlyIndexes } from '../support/database/explain.ts';

const PAYEE = uuidV7(Date.now()) as ActivityFilter['payeeId'];
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await database.asAdmin(`
    insert into payee (payee_id, name) values ('${PAYEE}', 'Shop');
    insert into audit (payee_id, audit_id, actor_kind, actor_id, action, object_kind, object_id)
    select '${PAYEE}', gen_random_uuid(), 'access-token', gen_random_uuid(), 'capture', 'payment', gen_random_uuid()
    from generate_series(1, 30000);
    insert into portal_user (payee_id, user_id, name, role, email_sealed, sealed_with, created_by)
    select '${PAYEE}', gen_random_uuid(), 'Ada Example', 'support', '', 'secrets-1', 'test' from generate_series(1, 3000);
    insert into access_token (payee_id, access_token_id, secret_hash, name, scopes, created_by, expires_at)
    select '${PAYEE}', gen_random_uuid(), sha256(n::text::bytea), 'Till', '{events}', 'test', kontor_now() + interval '1 day'
    from generate_series(1, 3000) n;
    analyze`);
});
afterAll(() => database.drop());

const period = readPeriod({});
const reach = reachOf(period, undefined);
const statement = (only: ActivityFilter['only']) =>
  statementOf(({ run }) => selectActivity(run, { payeeId: PAYEE, only, period }, { reach, limit: 1 }));
const quoted = (text: string) => `'${text}'`;
const values = [quoted(PAYEE), quoted(reach.below), '101', ...[reach.from, period.from, period.to].map(quoted)];

test.each([
  ['all of it', undefined, [], 'audit_pkey'],
  ["people's part", 'people', [], 'audit_by_people'],
  ["one object's", { objectKind: 'payment', objectId: 'x' }, ["'payment'", "'x'"], 'audit_by_object'],
] as const)('%s is read by an index, however much there is', async (_what, only, more, index) => {
  const plan = await explainFreely(database, statement(only), [...values, ...more]);
  expect(plan).toContain(index);
  expect(usesOnlyIndexes(plan) ? 'by index' : plan).toBe('by index');
});
