import { Refusal } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { ROW_CRASHES, ROW_CRASHES_OF_CHANCE } from '../kit/limits.ts';
import type { BackgroundWork, ReportFailure, RowOfWork, RowSetAside, WorkOn } from '../kit/work/background.ts';
import { overRows, overRowsOf } from './rows/over-rows.ts';
import { isLost, unavailable } from './server/failures.ts';
import type { Read, Transact, Transaction } from './transaction.types.ts';

/**
 * Seconds until the row of a process that has ended is taken by another. As long as a process works at a row it renews that,
 * three times as often: what a kill interrupts waits no longer, whatever its work takes.
 */
const ROW_LEASE_SECONDS = 15;
const ROW_RENEWAL_MS = (ROW_LEASE_SECONDS / 3) * 1_000;
/** Milliseconds of a round in which rows are begun that go alone. */
const ROW_ALONE_MS = 1_000;
/** Failures of a row after which it is set aside: with their pauses, a quarter of an hour. */
const ROW_FAILURES = 9;
/** The longest pause after a failure of a row. */
const ROW_PAUSE_MOST_SECONDS = 3600;
/** Days after which the note of a row that no process came back to is deleted. */
const ROW_NOTE_DAYS = 2;
/** Rows that one process remembers to give back, of each work, while the database is away. */
const ROWS_OWED = 2_000;
/** Seconds of pause after a failure that was the database's. */
const ROW_UNAVAILABLE_SECONDS = 1;

/**
 * A condition of SQL: the row is free for background work. It is not, while a process works at it, after a failure for
 * a while, and where it is set aside.
 *
 * @param payeeId and `rowId` expressions of SQL
 */
export function isFreeFor(work: BackgroundWork, payeeId: string, rowId: string): string {
  // A look-up for each row, which `limit` ends: joined, the planner would read more of the other table than it has to.
  return `coalesce((
    select not_before <= kontor_now() from row_at_work
    where payee_id = ${payeeId} and work = '${work}' and row_id = ${rowId}), true)`;
}

/** Work that holds a payer's money: a row of it comes again for ever, an hour later at most. */
const NEVER_SET_ASIDE: ReadonlySet<BackgroundWork> = new Set(['recover-attempts']);

/**
 * Makes the way in which background work takes rows. Each is noted before it is worked at, in a transaction of its own: a
 * process that ends in between leaves the note behind. The first time that may be chance, and the row comes again with the
 * others. The second time it goes alone, which tells the row that ends processes from those beside it, and comes again
 * after 4, 8 … seconds. One that fails comes again after 2, 4, 8 … seconds. Either is set aside after the ninth time in a
 * row, and stays so until an operator puts it back; but nothing that holds a payer's money is for the ends of processes.
 *
 * @param renewalMs milliseconds after which the lease of a row that is worked at is renewed, again and again
 */
export function makeWorkOn(transact: Transact, report: ReportFailure, renewalMs = ROW_RENEWAL_MS): WorkOn {
  const desk: Desk = { transact, report, renewalMs, owed: new Map() };
  return async (work, rows, doThem) => {
    await giveBackOwed(desk, work);
    if (rows.length === 0) return;
    const together = await begin(desk, work, { rows, alone: false });
    const named = new Set(together.map(nameOf));
    await workOnAll(desk, work, { rows: rows.filter((row) => named.has(nameOf(row))), doThem });
    const since = performance.now();
    for (const row of rows.filter((row) => !named.has(nameOf(row)))) {
      if (performance.now() - since > ROW_ALONE_MS) return;
      const [noted] = await begin(desk, work, { rows: [row], alone: true });
      if (noted === undefined) continue;
      if (noted.isUnderWay) await workOnAll(desk, work, { rows: [row], doThem });
      else
        report(work, new Suspect(`a row was under way at ${noted.crashes} ends of processes; kontor background list`));
    }
  };
}

/** What one process has to do with rows at work. */
interface Desk {
  readonly transact: Transact;
  readonly report: ReportFailure;
  readonly renewalMs: number;
  /** Rows that it could not give back, because the database was away: they must not look as if it had ended. */
  readonly owed: Map<BackgroundWork, RowOfWork[]>;
}

async function giveBackOwed(desk: Desk, work: BackgroundWork): Promise<void> {
  const rows = desk.owed.get(work);
  if (rows === undefined) return;
  // Before it waits: more may be owed meanwhile, by work of the same name that goes on beside this.
  desk.owed.delete(work);
  const change = () => desk.transact((transaction) => noteFailures(transaction, work, rows.map(unavailableRow)));
  await orOwe(desk, work, { rows, change });
}

function unavailableRow(row: RowOfWork): Failure<RowOfWork> {
  return { row, error: unavailable('The row could not be given back.') };
}

/** Does what begins or ends work at rows. Where it is not known whether it is done, they are owed. */
async function orOwe<Result>(
  { owed }: Desk,
  work: BackgroundWork,
  { rows, change }: { readonly rows: readonly RowOfWork[]; readonly change: () => Promise<Result> },
): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    owed.set(work, [...(owed.get(work) ?? []), ...rows].slice(-ROWS_OWED));
    throw error;
  }
}

/** The pause after so many times in a row: 2, 4, 8 … seconds. */
function pauseAfter(times: string): string {
  return `make_interval(secs => least(${ROW_PAUSE_MOST_SECONDS}, 2 ^ least(${times}, 30)))`;
}

class Suspect extends Error {}

interface Lot<Row> {
  readonly rows: readonly Row[];
  readonly doThem: (rows: readonly Row[]) => Promise<unknown>;
}

interface Failure<Row> {
  readonly row: Row;
  readonly error: unknown;
}

/** Works at rows together, and where that fails at each alone: so one does not fail those beside it. */
async function workOnAll<Row extends RowOfWork>(
  desk: Desk,
  work: BackgroundWork,
  { rows, doThem }: Lot<Row>,
): Promise<void> {
  if (rows.length === 0) return;
  const stopRenewing = renewLeases(desk, work, rows);
  const { done, failed } = await workApart({ rows, doThem }).finally(stopRenewing);
  for (const { error } of failed) desk.report(work, error);
  const settle = async (transaction: Transaction) => {
    await withoutWaitingForTheDisk(transaction);
    await Promise.all([forget(transaction, work, done), noteFailures(transaction, work, failed)]);
  };
  await orOwe(desk, work, { rows, change: () => desk.transact(settle) });
}

async function workApart<Row extends RowOfWork>({ rows, doThem }: Lot<Row>): Promise<Outcome<Row>> {
  const done: Row[] = [];
  const failed: Failure<Row>[] = [];
  try {
    await doThem(rows);
    done.push(...rows);
  } catch (error) {
    if (rows.length === 1) failed.push(...rows.map((row) => ({ row, error })));
    else {
      for (const row of rows) {
        await doThem([row]).then(
          () => done.push(row),
          (reason: unknown) => failed.push({ row, error: reason }),
        );
      }
    }
  }
  return { done, failed };
}

interface Outcome<Row> {
  readonly done: readonly Row[];
  readonly failed: readonly Failure<Row>[];
}

/** Keeps rows for this process while it works at them; answers how to stop. Most work is done before the first time. */
function renewLeases(
  { transact, renewalMs }: Desk,
  work: BackgroundWork,
  rows: readonly RowOfWork[],
): () => Promise<void> {
  let underWay: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let hasStopped = false;
  const renewLater = () => {
    if (hasStopped) return;
    timer = setTimeout(() => {
      // Where the database is away, no other process can take them either.
      underWay = transact((transaction) => renew(transaction, work, rows))
        .catch(() => undefined)
        .finally(renewLater);
    }, renewalMs).unref();
  };
  renewLater();
  return async () => {
    hasStopped = true;
    clearTimeout(timer);
    await underWay;
  };
}

function nameOf({ payeeId, rowId }: RowOfWork): string {
  return `${payeeId} ${rowId}`;
}

interface Noted extends RowOfWork {
  readonly isUnderWay: boolean;
  readonly crashes: number;
}

/** Notes rows as under way; those that another process has, or that have to wait, are left out. */
function begin(
  desk: Desk,
  work: BackgroundWork,
  { rows, alone }: { readonly rows: readonly RowOfWork[]; readonly alone: boolean },
): Promise<readonly Noted[]> {
  const change = () => desk.transact((transaction) => note(transaction, work, { rows, alone }));
  return orOwe(desk, work, { rows, change });
}

const BEGIN_COLUMNS = { row_id: ['text', 'rowId'] } as const;

/** Ends of processes while the row was under way, with the one that is found now. */
const CRASHES = 'known.crashes + known.is_under_way::integer';

/** Begins rows that may go together. */
const BEGIN = overRows<RowOfWork, [work: BackgroundWork, leaseSeconds: number]>({
  name: 'rows-at-work-begin',
  beside: 2,
  columns: BEGIN_COLUMNS,
  text: ({ rows }) => `
    insert into row_at_work as known (payee_id, work, row_id, not_before, is_under_way)
    select payee_id, $1::text, row_id, kontor_now() + make_interval(secs => $2::float8), true
    from ${rows}
    order by payee_id, row_id
    on conflict (payee_id, work, row_id) do update
    set crashes = ${CRASHES}, is_under_way = true, not_before = excluded.not_before, begun_at = excluded.begun_at
    where known.not_before <= kontor_now() and ${CRASHES} <= ${ROW_CRASHES_OF_CHANCE}
    returning payee_id as "payeeId", row_id as "rowId", is_under_way as "isUnderWay", crashes`,
});

/** Begins a row that goes alone, or puts it off where a process has just ended with it. */
const BEGIN_ALONE = overRows<RowOfWork, [work: BackgroundWork, leaseSeconds: number, mostCrashes: number | null]>({
  name: 'rows-at-work-begin-alone',
  beside: 3,
  columns: BEGIN_COLUMNS,
  text: ({ rows }) => `
    insert into row_at_work as known (payee_id, work, row_id, not_before, is_under_way)
    select payee_id, $1::text, row_id, kontor_now() + make_interval(secs => $2::float8), true
    from ${rows}
    on conflict (payee_id, work, row_id) do update
    set crashes = ${CRASHES}, is_under_way = not known.is_under_way, begun_at = excluded.begun_at,
      not_before = case when not known.is_under_way then excluded.not_before
        when ${CRASHES} >= $3::integer then 'infinity'
        else kontor_now() + ${pauseAfter(CRASHES)} end
    where known.not_before <= kontor_now()
    returning payee_id as "payeeId", row_id as "rowId", is_under_way as "isUnderWay", crashes`,
});

async function note(
  transaction: Transaction,
  work: BackgroundWork,
  { rows, alone }: { readonly rows: readonly RowOfWork[]; readonly alone: boolean },
): Promise<readonly Noted[]> {
  await withoutWaitingForTheDisk(transaction);
  const mostCrashes = NEVER_SET_ASIDE.has(work) ? null : ROW_CRASHES;
  return alone
    ? (await transaction.run<Noted>(BEGIN_ALONE, BEGIN_ALONE.values(rows, work, ROW_LEASE_SECONDS, mostCrashes))).rows
    : (await transaction.run<Noted>(BEGIN, BEGIN.values(rows, work, ROW_LEASE_SECONDS))).rows;
}

const RENEW = overRows<RowOfWork, [work: BackgroundWork, leaseSeconds: number]>({
  name: 'rows-at-work-renew',
  beside: 2,
  columns: BEGIN_COLUMNS,
  text: ({ payee, rows }) => `
    update row_at_work
    set not_before = kontor_now() + make_interval(secs => $2::float8)
    from ${rows}
    where row_at_work.payee_id = ${payee} and work = $1::text and row_at_work.row_id = v.row_id and is_under_way`,
});

async function renew(transaction: Transaction, work: BackgroundWork, rows: readonly RowOfWork[]): Promise<void> {
  await withoutWaitingForTheDisk(transaction);
  await transaction.run(RENEW, RENEW.values(rows, work, ROW_LEASE_SECONDS));
}

const FORGET = overRows<RowOfWork, [work: BackgroundWork]>({
  name: 'rows-at-work-forget',
  beside: 1,
  columns: {
    row_id: ['text', 'rowId'],
  },
  text: ({ payee, rows }) => `
    delete from row_at_work
    using ${rows}
    where row_at_work.payee_id = ${payee} and work = $1::text and row_at_work.row_id = v.row_id`,
});

async function forget(transaction: Transaction, work: BackgroundWork, rows: readonly RowOfWork[]): Promise<void> {
  if (rows.length > 0) await transaction.run(FORGET, FORGET.values(rows, work));
}

const NOTE_FAILURES = overRowsOf<Failure<RowOfWork>, [work: BackgroundWork]>(({ row }) => row.payeeId, {
  name: 'rows-at-work-note-failures',
  beside: 1,
  columns: {
    row_id: ['text', ({ row }) => row.rowId],
    counts: ['boolean', ({ error }) => !isUnavailable(error)],
    fault: ['text', ({ error }) => (error instanceof Error ? error.name : typeof error)],
  },
  text: ({ payee, rows }) => `
    update row_at_work
    set is_under_way = false, failures = failures + v.counts::integer, fault = v.fault, crashes = 0,
      not_before = case when not v.counts then kontor_now() + make_interval(secs => ${ROW_UNAVAILABLE_SECONDS})
        when failures + 1 >= ${ROW_FAILURES} then 'infinity'
        else kontor_now() + ${pauseAfter('failures + 1')} end
    from ${rows}
    where row_at_work.payee_id = ${payee} and work = $1::text and row_at_work.row_id = v.row_id and is_under_way`,
});

/** Where the database is away or too busy, that is not the row's fault: it comes again soon, and nothing is counted. */
async function noteFailures(
  transaction: Transaction,
  work: BackgroundWork,
  failed: readonly Failure<RowOfWork>[],
): Promise<void> {
  if (failed.length > 0) await transaction.run(NOTE_FAILURES, NOTE_FAILURES.values(failed, work));
}

function isUnavailable(error: unknown): boolean {
  return (error instanceof Refusal && error.code === 'unavailable') || isLost(error);
}

/** A note must outlive this process and not the server: payments do not wait behind its commit. */
async function withoutWaitingForTheDisk(transaction: Transaction): Promise<void> {
  await transaction.run(
    { name: 'rows-at-work-without-waiting', text: `select set_config('synchronous_commit', 'off', true)` },
    [],
  );
}

/** Rows that are set aside, those of all payees. */
export async function listRowsSetAside(read: Read): Promise<readonly RowSetAside[]> {
  const { rows } = await read<RowSetAside>(
    {
      name: 'rows-at-work-list-set-aside',
      text: `
        select payee_id as "payeeId", work, row_id as "rowId", crashes, failures, fault, begun_at as "begunAt"
        from row_at_work
        where not_before = 'infinity'
        order by begun_at`,
    },
    [],
  );
  return rows;
}

/** Puts rows back that were set aside, as if nothing had been; how many. */
export async function putBack(
  transaction: Transaction,
  { payeeId, work, rowId }: { readonly payeeId: PayeeId; readonly work: string; readonly rowId: string },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'rows-at-work-put-back',
      text: `
        delete from row_at_work
        where payee_id = $1::uuid and work = $2::text and row_id = $3::text and not_before = 'infinity'`,
    },
    [payeeId, work, rowId],
  );
  return count;
}

/** Deletes notes of rows that no process came back to: they were done when their process ended, or are gone. */
export async function forgetRowsAtWork(transaction: Transaction): Promise<void> {
  await transaction.run(
    {
      name: 'rows-at-work-forget-old',
      text: `
        delete from row_at_work
        where not_before < kontor_now() and begun_at < kontor_now() - make_interval(days => $1::integer)`,
    },
    [ROW_NOTE_DAYS],
  );
}
