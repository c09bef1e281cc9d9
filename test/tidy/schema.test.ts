import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';

/** Tables whose rows belong to no single payee, and keys of others that hold across payees, each with the reason. Everything else starts with payee_id. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  payee: 'is the payee itself',
  portal_login: 'finds the payee by the digest of an e-mail address',
  card_range: 'is the same for all payees: what a card number says by its first digits',
  three_ds_directory: 'is about the directory servers of schemes, which know no payees',
  three_ds_range: 'is the same for all payees: which cards take part in 3-D Secure',
  browser_file: 'is what pages load, the same for all payees',
  schema_migration: 'is about the schema',
  installation: 'is about what the whole database is for',
  key_check: 'is about the key ring of the installation',
  acquirer_stan: 'numbers messages of an acquirer’s terminal, of payments of all payees',
  acquirer_habit: 'is about the hosts of acquirers, which all payees share',
  three_ds_left_out: 'is about directory servers, which all payees share',
  acquirer_trace: 'is about the lines to acquirers, which all payees share',
  acquirer_day: 'is about the hosts of acquirers, which all payees share',
  settlement_mark: 'is about the hosts of acquirers, which all payees share',
  exchange_is_named_once: 'names a message at its acquirer, which knows terminals and no payees',
  number_block: 'keeps the numbers of one payee apart from those of another',
};

/** A primary key, a unique index or a foreign key, with its columns in order. */
interface Key {
  readonly table: string;
  readonly name: string;
  readonly columns: readonly string[];
}

const PRIMARY_AND_UNIQUE = `
  select t.relname as table, i.relname as name,
    array(select pg_get_indexdef(x.indexrelid, n, true) from generate_series(1, x.indnkeyatts) n) as columns
  from pg_index x
    join pg_class i on i.oid = x.indexrelid
    join pg_class t on t.oid = x.indrelid
  where x.indisunique and t.relnamespace = 'public'::regnamespace
  order by 1, 2`;

/** Both ends of each foreign key, as two keys. */
const FOREIGN = `
  select t.relname as table, c.conname as name,
    array(select a.attname::text from unnest(k.columns) with ordinality u (number, position)
      join pg_attribute a on a.attrelid = k.relation and a.attnum = u.number order by u.position) as columns
  from pg_constraint c
    join pg_class t on t.oid = c.conrelid
    cross join lateral (values (c.conrelid, c.conkey), (c.confrelid, c.confkey)) as k (relation, columns)
  where c.contype = 'f' and t.relnamespace = 'public'::regnamespace
  order by 1, 2`;

const TABLES_WITHOUT_PRIMARY_KEY = `
  select t.relname as table, 'no primary key' as name, '{}'::text[] as columns
  from pg_class t
  where t.relkind in ('r', 'p') and t.relnamespace = 'public'::regnamespace
    and not exists (select from pg_index x where x.indrelid = t.oid and x.indisprimary)`;

/** A generated name only tells the table and the columns. A primary key's is as good as any. */
const UNNAMED = `
  select t.relname as table, c.conname as name, '{}'::text[] as columns
  from pg_constraint c join pg_class t on t.oid = c.conrelid
  where t.relnamespace = 'public'::regnamespace and c.contype in ('c', 'f', 'u', 'x')
    and c.conname ~ ('^' || t.relname || '_.*(check|fkey|key|excl)[0-9]*$')
  order by 1, 2`;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function keys(name: string, text: string): Promise<Key[]> {
  const { rows } = await database.read<Key>({ name: `tidy-${name}`, text }, []);
  return [...rows];
}

/** Keys that would let one payee's rows meet another's. */
function notByPayee(found: readonly Key[]): string[] {
  return found
    .filter(({ columns }) => columns[0] !== 'payee_id')
    .filter(({ table, name }) => !Object.hasOwn(EXCEPTIONS, table) && !Object.hasOwn(EXCEPTIONS, name))
    .map(({ table, name, columns }) => `${table}: ${name} (${columns.join(', ')}) does not start with payee_id`);
}

describe('every table but the exceptions', () => {
  test('has a primary key', async () => {
    expect(notByPayee(await keys('no-primary-key', TABLES_WITHOUT_PRIMARY_KEY))).toEqual([]);
  });

  test('starts its primary key and its unique constraints with payee_id', async () => {
    const found = await keys('unique', PRIMARY_AND_UNIQUE);
    expect(found.map(({ table }) => table)).toEqual(
      expect.arrayContaining(['payee', 'audit', 'payer_token', 'instrument']),
    );
    expect(notByPayee(found)).toEqual([]);
  });

  test('starts its foreign keys with payee_id, at both ends', async () => {
    const found = await keys('foreign', FOREIGN);
    expect(found.length).toBeGreaterThan(0);
    expect(notByPayee(found)).toEqual([]);
  });
});

test('nothing leaves a row out that is added: a COMMIT travels behind inserts without a count', async () => {
  const rows = await database.asAdmin(`
    select tgname as name from pg_trigger where not tgisinternal and tgtype & 6 = 6
    union all select rulename from pg_rules where schemaname = 'public'
    union all select polname from pg_policy`);
  expect(rows).toEqual([]);
});

test('every constraint has a name that says what holds', async () => {
  const found = await keys('unnamed', UNNAMED);
  expect(found.map(({ table, name }) => `${table}: ${name}`)).toEqual([]);
});

test('the checks find each kind of key that does not start with payee_id, and each generated name', async () => {
  await database.asAdmin(`
    create table stray (payee_id uuid, stray_id uuid primary key, number int check (number > 0) unique);
    create unique index stray_number on stray (lower(number::text));
    create table strayer (payee_id uuid primary key, stray_id uuid references stray);
    create table keyless (payee_id uuid)`);
  try {
    const found = [
      ...(await keys('unique-again', PRIMARY_AND_UNIQUE)),
      ...(await keys('foreign-again', FOREIGN)),
      ...(await keys('no-primary-key-again', TABLES_WITHOUT_PRIMARY_KEY)),
    ];
    expect(notByPayee(found).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'stray: stray_number',
      'stray: stray_number_key',
      'stray: stray_pkey',
      'strayer: strayer_stray_id_fkey',
      'strayer: strayer_stray_id_fkey',
      'keyless: no',
    ]);
    expect((await keys('unnamed-again', UNNAMED)).map(({ name }) => name)).toEqual([
      'stray_number_check',
      'stray_number_key',
      'strayer_stray_id_fkey',
    ]);
  } finally {
    await database.asAdmin('drop table strayer, stray, keyless');
  }
});
