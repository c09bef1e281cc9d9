import { afterAll, beforeAll, expect } from 'vitest';
import type { TestDatabase } from '../database/database.ts';
import type { TestService } from '../service.ts';

/** Does something that must change nothing, and checks that no row of any table is another than before. */
export async function withoutEffect<Result>(
  { database }: Pick<TestService, 'database'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = await tableDigests(database);
  const result = await work();
  expect(tablesThatDiffer(before, await tableDigests(database)), 'a refusal changes nothing').toEqual([]);
  return result;
}

/**
 * The same of all tests of a `describe` together, after what is prepared for them: to compare takes as long as several requests.
 * A difference fails the `describe`; `-t` finds the test.
 */
export function withoutEffectTogether(
  kontor: () => Pick<TestService, 'database'>,
  prepare: () => Promise<void> = async () => undefined,
): void {
  let before: ReadonlyMap<string, string>;
  beforeAll(async () => {
    await prepare();
    before = await tableDigests(kontor().database);
  });
  afterAll(async () => {
    expect(tablesThatDiffer(before, await tableDigests(kontor().database)), 'a refusal changes nothing').toEqual([]);
  });
}

/**
 * Tables that are not compared. Attempts: a refused one is what they count. The others follow from events, whose table is
 * compared: jobs fill them at any time. So does one with the log of calls, in which refused ones have their place, and
 * with the notes of what jobs have under way. A number that was taken for a payment that is refused is not used. Sealed
 * cards note which of them a request has in its hands; a card itself is an instrument. Days of settlement are closed,
 * sums of gift cards kept, and cards that take part in 3-D Secure asked for, by jobs. What hosts of acquirers do is noted after their answers.
 */
const LEFT_OUT = [
  'acquirer_day',
  'acquirer_habit',
  'api_call',
  'api_call_gap',
  'attempt',
  'event_pending',
  'event_head',
  'event_feed',
  'gift_card_closing',
  'gift_card_sum',
  'trial_balance_closing',
  'trial_balance_sum',
  'delivery',
  'delivery_try',
  'row_at_work',
  'number_block',
  'number_counter',
  'sealed_card',
  'settlement_day',
  'settlement_item',
  'settlement_difference',
  'settlement_mark',
  'settlement_open_day',
  'three_ds_directory',
  'three_ds_left_out',
  'three_ds_range',
];

/**
 * A row has another place or another writer once it was written, even with the values that it had: to compare these is
 * cheap, whatever the row holds. When a credential was last used is noted at any time, by the job that gathers it, and is no
 * effect of a request. When a portal session was last used is noted each half minute, by whichever request is due, also
 * a refused one. So these are compared by what else they say.
 */
const ROW = 'row.ctid::text || row.xmin::text';
/** The columns, by their tables, that note when a row was last used. */
const NOTES_OF_USE = new Map([
  ['access_token', 'last_used_on'],
  ['hmac_key', 'last_used_on'],
  ['oauth_client', 'last_used_on'],
  ['portal_session', 'used_at'],
]);

/** Who was refused is told to the audit trail a moment later: rows that a refusal leaves, and is to leave. */
const OF_REFUSED_CALLERS = `action in ('refuse-access-token', 'refuse-oauth-client', 'refuse-signature', 'refuse-stranger')`;

/** A digest of every row of every other table, by its name: the same before and after means that nothing was done. */
export async function tableDigests(database: Pick<TestDatabase, 'asAdmin'>): Promise<ReadonlyMap<string, string>> {
  const text = texts.get(database) ?? textOver(database);
  texts.set(database, text);
  const rows = await database.asAdmin(await text);
  return new Map(rows.map(({ name, count, digest }) => [String(name), `${count} ${digest}`]));
}

/** The statement of each database, which has the same tables from its beginning to its end. */
const texts = new WeakMap<Pick<TestDatabase, 'asAdmin'>, Promise<string>>();

async function textOver(database: Pick<TestDatabase, 'asAdmin'>): Promise<string> {
  const tables = await database.asAdmin(
    `select tablename from pg_tables where schemaname = 'public' and tablename <> all ('{${LEFT_OUT}}') order by tablename`,
  );
  const digests = tables.map(({ tablename }) => {
    const noted = NOTES_OF_USE.get(String(tablename));
    const row = noted === undefined ? ROW : `(to_jsonb(row) - '${noted}')::text`;
    return `select '${tablename}' as name, count(*), sum(hashtextextended(${row}, 0)) as digest from ${tablename} row
      ${tablename === 'audit' ? `where not ${OF_REFUSED_CALLERS}` : ''}`;
  });
  return digests.join(' union all ');
}

/** How many rows each of these tables has. */
export async function countedTables(database: Pick<TestDatabase, 'asAdmin'>): Promise<ReadonlyMap<string, number>> {
  const digests = await tableDigests(database);
  return new Map([...digests].map(([name, digest]) => [name, Number(digest.split(' ')[0])]));
}

/** Tables whose digests differ. */
export function tablesThatDiffer(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after.keys()].filter((table) => before.get(table) !== after.get(table));
}
