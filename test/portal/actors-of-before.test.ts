import { expect, test } from 'vitest';
import { migrate } from '../../src/db/schema/migrate.ts';
import { databaseBefore } from '../support/database/older-database.ts';

/** Who did something, as versions before wrote it, and as a kind and an id. */
const ACTORS: readonly (readonly [text: string, kind: string, id: string | null])[] = [
  ['access-token:0197a1b2-0000-7000-8000-000000000001', 'access-token', '0197a1b2-0000-7000-8000-000000000001'],
  ['oauth-client:kc_1_2', 'oauth-client', 'kc_1_2'],
  ['portal-user:0197a1b2-0000-7000-8000-000000000002', 'portal-user', '0197a1b2-0000-7000-8000-000000000002'],
  ['operator:cli', 'operator', 'cli'],
  ["operator:cli:Anna: O'Neill/anna/kontor@pay1", 'operator', "cli:Anna: O'Neill/anna/kontor@pay1"],
  ['payer', 'payer', null],
  ['service', 'service', null],
  ['stranger', 'stranger', null],
];

test('who did something of before the upgrade is known by kind and id, and is told by the same text', async () => {
  const database = await databaseBefore(212);
  const texts = ACTORS.map(([text]) => `('${text.replaceAll("'", "''")}')`).join(', ');
  await database.asAdmin(`
    insert into audit (payee_id, audit_id, actor, action, object_kind, object_id)
    select payee_id, gen_random_uuid(), actor, 'act', 'payee', actor from payee, (values ${texts}) v (actor);
    insert into ledger_verification_run (payee_id, run_id, verified_at, actor, invariants, broken)
    select payee_id, gen_random_uuid(), kontor_now(), 'operator:cli:Anna', 1, 0 from payee;
    insert into pending_change (payee_id, change_id, operation_id, object_id, currency, amount, reference, asked_by, asked_at,
      expires_at, state, decided_by, decided_at, object_kind)
    select payee_id, gen_random_uuid(), 'deposit', '1', 'NOK', 1, state, 'portal-user:a', kontor_now(),
      kontor_now() + interval '1 day', state, decided, kontor_now(), 'gift-card'
    from payee, (values ('Pending', null), ('Done', 'portal-user:b'), ('Refused', 'portal-user:a')) v (state, decided)`);
  await migrate({ ...database });
  const trail = await database.asAdmin(`
    select object_id as text, actor_kind as kind, actor_id as id, concat_ws(':', actor_kind, actor_id) as again
    from audit where action = 'act'`);
  expect(trail).toHaveLength(ACTORS.length);
  for (const [text, kind, id] of ACTORS) expect(trail).toContainEqual({ text, kind, id, again: text });
  expect(await database.asAdmin('select actor_kind, actor_id from ledger_verification_run')).toEqual([
    { actor_kind: 'operator', actor_id: 'cli:Anna' },
  ]);
  const changes = await database.asAdmin(`
    select state, asked_by_kind || asked_by_id as asked, decided_by_kind as kind, decided_by_id as id
    from pending_change order by state`);
  expect(changes).toEqual([
    { state: 'Done', asked: 'portal-usera', kind: 'portal-user', id: 'b' },
    { state: 'Pending', asked: 'portal-usera', kind: null, id: null },
    { state: 'Refused', asked: 'portal-usera', kind: 'portal-user', id: 'a' },
  ]);
  const sameChange = `update pending_change set state = 'Approved', decided_by_kind = 'portal-user', decided_by_id =`;
  await expect(database.asAdmin(`${sameChange} 'a' where state = 'Pending'`)).rejects.toThrow(/two_persons/);
  await database.asAdmin(`${sameChange} 'b' where state = 'Pending'`);
  await expect(database.asAdmin(`update audit set actor_id = 'x' where actor_kind = 'payer'`)).rejects.toThrow(
    /stay as/,
  );
});
