import { expect, test } from 'vitest';
import { migrate } from '../../src/db/schema/migrate.ts';
import { databaseBefore } from '../support/database/older-database.ts';

test('credentials that had no end get one a year after the upgrade, and rotated keys keep theirs', async () => {
  const database = await databaseBefore(101);
  const key = (id: string, columns: string, values: string) =>
    `insert into hmac_key (payee_id, key_id, secret_sealed, sealed_with, created_by${columns})
     select payee_id, '${id}', '\\x00', 'secrets-1', 'test'${values} from payee;`;
  await database.asAdmin(
    `${key('plain', '', '')}
     ${key('rotated', ', expires_at', `, kontor_now() + interval '1 day'`)}
     ${key('revoked', ', revoked_at', ', kontor_now()')}
     insert into oauth_client (payee_id, client_id, secret_hash, name, scopes, created_by)
     select payee_id, 'client', decode(repeat('00', 32), 'hex'), 'Till', '{events}', 'test' from payee`,
  );
  await migrate({ ...database });
  const { rows } = await database.read<{ id: string; days: number | null; rotated: boolean }>(
    {
      name: 'test-ends',
      text: `
        select key_id as id, round(extract(epoch from expires_at - kontor_now()) / 86400)::integer as days,
          rotated_at is not null as rotated
        from hmac_key
        union all
        select client_id, round(extract(epoch from expires_at - kontor_now()) / 86400)::integer, false from oauth_client`,
    },
    [],
  );
  const byId = Object.fromEntries(rows.map(({ id, days, rotated }) => [id, [days, rotated]]));
  expect(byId).toEqual({
    plain: [expect.toSatisfy((days: number) => days === 365 || days === 366), false],
    rotated: [1, true],
    revoked: [null, false],
    client: [expect.toSatisfy((days: number) => days === 365 || days === 366), false],
  });
});
