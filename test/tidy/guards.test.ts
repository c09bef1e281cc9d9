import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { guardComplaints, listGuards } from '../../src/db/schema/schema-guards.ts';
import { connect } from '../../src/db/server/connection.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

// After a new migration: npx vitest run test/tidy/guards.test.ts -t guards.txt -u. So are conflicts in the file solved.
test('migrations/guards.txt has what the migrations make to guard rows', async () => {
  const lines = (await listGuards({ run: database.read })).map(({ guard, state }) => `${guard}: ${state}\n`);
  await expect(lines.join('')).toMatchFileSnapshot('../../migrations/guards.txt');
});

test('constraints that a restore has written anew are the same', async () => {
  const restored = await testDatabase();
  onTestFinished(() => restored.drop());
  const again = await restored.asAdmin(`
    select format('alter table %s drop constraint %I; alter table %1$s add constraint %2$I %s;',
      conrelid::regclass, conname, pg_get_constraintdef(oid)) as sql
    from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace`);
  expect(again.length).toBeGreaterThan(250);
  await restored.asAdmin(again.map(({ sql }) => sql).join('\n'));
  expect(await guardComplaints({ run: restored.read })).toEqual([]);
});

test('a newer server, whose texts are not judged, has what the migrations make', async () => {
  const run: typeof database.read = async (statement, values) => {
    const { rows, ...others } = await database.read(statement, values);
    const untold = rows.map((row) => JSON.parse(JSON.stringify(row).replace(/, digest \w+/, '')));
    return { ...others, rows: untold };
  };
  expect(await guardComplaints({ run })).toEqual([]);
});

describe('an index of texts', () => {
  /** A server's locale may sort otherwise after an upgrade of its operating system: the index then misses what it has. */
  const byLocale = ({ asAdmin }: TestDatabase) =>
    asAdmin(`select indexrelid::regclass::text as index from pg_index where 100 = any(indcollation)
       and indexrelid in (select oid from pg_class where relnamespace = current_schema()::text::regnamespace)`);

  test('goes by their bytes', async () => {
    expect(await byLocale(database)).toEqual([]);
  });

  test('that goes by the locale of the server is found', async () => {
    const changed = await testDatabase();
    onTestFinished(() => changed.drop());
    await changed.asAdmin('create index payee_by_name on payee (name)');
    expect(await byLocale(changed)).toEqual([{ index: 'payee_by_name' }]);
  });
});

describe('a schema that was changed by hand', () => {
  test.each([
    [
      'a constraint that was put back without a look at the rows',
      `alter table payee drop constraint name_is_not_empty;
       alter table payee add constraint name_is_not_empty check (name <> '') not valid`,
      /constraint payee name_is_not_empty is not valid\. Run as the owner: alter table payee validate constraint name_is_not_empty$/,
    ],
    [
      'a constraint that is gone',
      'alter table payee drop constraint name_is_not_empty',
      /payee name_is_not_empty is missing/,
    ],
    [
      'a constraint that lets everything through',
      `alter table payee drop constraint name_is_not_empty;
       alter table payee add constraint name_is_not_empty check (name <> '' or true)`,
      /constraint payee name_is_not_empty is another one/,
    ],
    [
      'a foreign key that takes rows along',
      `alter table access_token drop constraint oauth_client_exists;
       alter table access_token add constraint oauth_client_exists
         foreign key (payee_id, oauth_client_id) references oauth_client on delete cascade`,
      /constraint access_token oauth_client_exists is another one/,
    ],
    [
      'a unique index of some rows only',
      `drop index number_has_one_account;
       create unique index number_has_one_account on account (payee_id, number_digest) where number_digest is null`,
      /index account number_has_one_account is another one/,
    ],
    [
      'a column that may be empty now',
      'alter table payee alter column name drop not null',
      /not-null payee name is missing/,
    ],
    [
      'a trigger that is gone',
      'drop trigger installation_stays_as_it_is on installation',
      /trigger installation .* is missing/,
    ],
    [
      'a trigger of another time',
      `drop trigger installation_stays_as_it_is on installation;
       create trigger installation_stays_as_it_is after update on installation
         for each statement execute function refuse_to_change_the_past()`,
      /trigger installation installation_stays_as_it_is is another one/,
    ],
    [
      'a trigger that looks at some changes only',
      `drop trigger installation_stays_as_it_is on installation;
       create trigger installation_stays_as_it_is before update or delete or truncate on installation
         for each statement when (false) execute function refuse_to_change_the_past()`,
      /trigger installation installation_stays_as_it_is is another one/,
    ],
    [
      'a trigger that looks at no more columns',
      `drop trigger account_keeps_its_id on account;
       create trigger account_keeps_its_id before update of payee_id on account
         for each statement execute function refuse_to_change_the_past()`,
      /trigger account account_keeps_its_id is another one/,
    ],
    [
      'a table whose foreign keys were turned off',
      'alter table account disable trigger all',
      /triggers of account are disabled\. Run as a superuser: alter table account enable trigger all$/,
    ],
    [
      'a table that was made faster to restore',
      'alter table event_feed set unlogged',
      /event_feed is unlogged, so a crash empties it\. Run as the owner: alter table event_feed set logged$/,
    ],
    [
      'a table that shows no rows',
      'alter table reference enable row level security',
      /row security of reference .*Run as the owner: alter table reference disable row level security$/,
    ],
    [
      'a rule that swallows what is written',
      'create rule swallow as on insert to audit do instead nothing',
      /the rule swallow of audit .*Run as the owner: drop rule swallow on audit$/,
    ],
    [
      'a table restored without its comment',
      'comment on table audit is null',
      /The table audit has lost the comment .*Run as the owner: comment on table audit is 'append-only'$/,
    ],
    [
      'a function that lets everything through',
      `create or replace function refuse_to_change_the_past() returns trigger language plpgsql as $$ begin return null; end $$`,
      /function refuse_to_change_the_past\(\) is another one/,
    ],
    [
      'a foreign key that is gone',
      `alter table access_token drop constraint oauth_client_exists`,
      /constraint access_token oauth_client_exists is missing/,
    ],
  ])('%s is named, and mended by the remedy where there is one', async (_what, sql, words) => {
    const changed = await testDatabase();
    onTestFinished(() => changed.drop());
    expect(await guardComplaints({ run: changed.read })).toEqual([]);
    await changed.asAdmin(sql);
    const complaints = await guardComplaints({ run: changed.read });
    expect(complaints).toEqual([expect.stringMatching(words)]);
    const [, who, remedy] = /Run as (the owner|a superuser): (.*)$/.exec(complaints[0] ?? '') ?? [];
    if (remedy === undefined) return;
    const remedies = await connect(who === 'the owner' ? changed.ownerUrl : changed.adminUrl);
    await remedies.command(remedy).finally(() => remedies.end());
    expect(await guardComplaints({ run: changed.read })).toEqual([]);
  });
});
