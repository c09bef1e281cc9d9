import { afterAll, afterEach, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database/database.ts';
import { migrate } from '../schema/migrate.ts';
import { countConnections, guardComplaints } from '../schema/schema-guards.ts';
import { connect } from './connection.ts';
import { rightsComplaints } from './privileges.ts';

const database = await testDatabase();
afterAll(() => database.drop());

const reader = { run: database.background.read };
let undo: string[] = [];
afterEach(async () => {
  for (const sql of undo) await database.asAdmin(sql);
  undo = [];
  expect(await rightsComplaints(reader)).toEqual([]);
  expect(await guardComplaints(reader)).toEqual([]);
});

test.each([
  [
    'revoke insert on movement from kontor_app',
    'grant insert on movement to kontor_app',
    /may not insert movement\. .*migrate/,
  ],
  ['grant update on audit to kontor_app', 'revoke update on audit from kontor_app', /may update audit: .*migrate/],
  [
    'grant update (details) on audit to kontor_app',
    'revoke update (details) on audit from kontor_app',
    /may update audit: .*migrate/,
  ],
  ['grant truncate on payee to public', 'revoke truncate on payee from public', /may truncate payee: .*PUBLIC/],
])('%s is complained of, with the remedy', async (sql, remedy, complaint) => {
  undo = [remedy];
  await database.asAdmin(sql);
  expect(await rightsComplaints(reader)).toEqual([expect.stringMatching(complaint)]);
});

test('a right to one column of an append-only table is taken by kontor migrate', async () => {
  await database.asAdmin('grant update (details) on audit to kontor_app');
  expect(await rightsComplaints(reader)).toHaveLength(1);
  await migrate(database);
  expect(await rightsComplaints(reader)).toEqual([]);
});

// A role of the test's own: the service's is shared by all tests of the run.
test.each([
  ['createrole', '', /alter role … nocreaterole/],
  ['', 'pg_write_all_data', /member of pg_write_all_data/],
])('a role that has "%s" and is a member of "%s" is complained of', async (attribute, membership, complaint) => {
  const role = `${database.name}_more`;
  const groups = ['kontor_app', membership].filter((name) => name !== '').join(', ');
  await database.asAdmin(`create role ${role} login ${attribute} password 'more' in role ${groups}`);
  const connection = await connect(database.appUrl.replace(/\/\/[^@]*@/, `//${role}:more@`));
  try {
    const more = { run: connection.run.bind(connection) as typeof database.read };
    expect(await rightsComplaints(more)).toEqual([expect.stringMatching(complaint)]);
  } finally {
    await connection.end();
    await database.asAdmin(`drop role ${role}`);
  }
});

test('a trigger that is disabled is complained of, with the remedy', async () => {
  undo = ['alter table audit enable trigger user'];
  await database.asAdmin('alter table audit disable trigger user');
  expect(await guardComplaints(reader)).toEqual([
    expect.stringMatching(/triggers of audit .* as the owner: .*enable trigger user$/),
  ]);
});

test('connections are counted by the least of all limits', async () => {
  expect(await countConnections(reader)).toBeGreaterThan(22);
  await database.asAdmin(`alter database ${database.name} connection limit 13`);
  expect(await countConnections(reader)).toBe(13);
});

const writeNothing = (transaction: Parameters<Parameters<typeof database.serves>[0]>[0]) =>
  transaction.run({ name: 'nothing', text: 'insert into movement select * from movement where false' }, []);

test('a database serves while each pool has connections and changes are taken', async () => {
  undo = ['grant insert on movement to kontor_app'];
  await database.serves(writeNothing);
  await database.asAdmin('revoke insert on movement from kontor_app');
  await expect(database.serves(writeNothing)).rejects.toMatchObject({ code: '42501' });
});
