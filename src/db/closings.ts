import type { RowOfWork } from '../kit/work/background.ts';
import type { Closing, Closings, KeptSums } from './closings.types.ts';
import { isFreeFor } from './rows-at-work.ts';
import type { Transaction } from './transaction.types.ts';

/** Minutes after its end at which a day or an hour is closed: what is written later has it made anew. */
const OPEN_MINUTES = 10;

/**
 * The instant at which the day of another begins, in a zone. Where midnight comes twice it is the second one, and what happened between
 * them belongs to the day before.
 */
export function dayOf(instant: string, zone: string): string {
  const day = (of: string) => `date_trunc('day', ${of}, ${zone})`;
  return `case when ${day(instant)} <= ${instant} then ${day(instant)} else ${day(`${instant} - interval '3 hours'`)} end`;
}

/** The day of an instant in a zone, as a date: that which `dayOf` begins. */
export function dateOf(instant: string, zone: string): string {
  return `(${dayOf(instant, zone)} at time zone ${zone})::date`;
}

/** The first id of an instant. */
const idAt = (instant: string) =>
  `(lpad(to_hex((extract(epoch from ${instant}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

/** Ids of what happened on a day, given as its beginning: they begin with the time at which a process made them. */
export function isIdOfDay(id: string, day: string): string {
  return `${id} >= ${idAt(`${day} - interval '1 day'`)} and ${id} < ${idAt(`${day} + interval '51 hours'`)}`;
}

const CLOSABLE = `((select kontor_now()) - interval '${OPEN_MINUTES} minutes')`;
/** Where in time zone p what may not be closed yet begins. */
const LATEST = { day: dayOf(CLOSABLE, 'p.time_zone'), hour: `date_trunc('hour', ${CLOSABLE})` };

/** Clocks are set back in the longest day. */
const LONGEST_HOURS = { day: 25, hour: 1 };

/** Statements about how far kept sums reach. */
export function closingsOf<Known extends Closing>(kept: KeptSums): Closings<Known> {
  const { slice, sums, closings, work, every, hasSome, place } = kept;
  const set =
    (name: string, columns: string) =>
    async (transaction: Transaction, { payeeId, ...closing }: Closing, to: string = closing.latest) => {
      const text = `
        update ${closings} c set ${columns}
        from (select $1::uuid as payee_id, $2::text as time_zone, $3::timestamptz as instant) of
        where c.payee_id = of.payee_id`;
      await transaction.run({ name: `${slice}-${name}`, text }, [payeeId, closing.timeZone, to]);
    };
  const places = Object.entries(place);
  return {
    async selectUnclosed(read, after, limit) {
      const text = `
        select p.payee_id as "payeeId", 'sums' as "rowId"
        from payee p
        left join ${closings} c on c.payee_id = p.payee_id
        where p.payee_id > $1::uuid
          and case when c.payee_id is null then coalesce((${hasSome} limit 1), false)
            else c.closed_to is distinct from ${LATEST[every]} or c.time_zone <> p.time_zone end
          and ${isFreeFor(work, 'p.payee_id', `'sums'`)}
        order by p.payee_id
        limit $2::integer`;
      const { rows } = await read<RowOfWork>({ name: `${slice}-select-unclosed`, text }, [after, limit]);
      return rows;
    },
    async selectOverdue(read) {
      const text = `
        select greatest(0, extract(epoch from kontor_now() - min(closed_to)
          - interval '${LONGEST_HOURS[every]} hours ${OPEN_MINUTES} minutes'))::float8 as seconds
        from ${closings}`;
      const { rows } = await read<{ readonly seconds: number }>({ name: `${slice}-select-overdue-sums`, text }, []);
      return rows[0]?.seconds ?? 0;
    },
    async insertClosing({ run }, payeeId) {
      const text = `
        insert into ${closings} (payee_id, time_zone)
        select payee_id, time_zone from payee where payee_id = $1::uuid
        on conflict do nothing`;
      await run({ name: `${slice}-insert-closing`, text }, [payeeId]);
    },
    async lockClosing({ run }, payeeId) {
      const text = `
        select c.payee_id as "payeeId", p.time_zone as "timeZone", c.time_zone <> p.time_zone as "hasMoved",
          c.closed_to as "closedTo", c.closing_to as "closingTo",
          -- A copy of the database has other numbers of transactions.
          coalesce(c.mark <= pg_snapshot_xmax(pg_current_snapshot()), false) as "isMarked",
          coalesce(c.mark <= pg_snapshot_xmin(pg_current_snapshot()), false) as "isSettled",
          ${places.map(([column, { as }]) => `c.${column} as "${as}"`).join(', ')}, ${LATEST[every]} as latest
        from ${closings} c join payee p on p.payee_id = c.payee_id
        where c.payee_id = $1::uuid
        for no key update of c skip locked`;
      const { rows } = await run<Known>({ name: `${slice}-lock-closing`, text }, [payeeId]);
      return rows[0];
    },
    reopenClosing: set('reopen-closing', 'closed_to = null, closing_to = null, mark = null'),
    async deleteSums({ run }, { payeeId }, limit) {
      const text = `
        delete from ${sums}
        where ctid = any (array(select ctid from ${sums} where payee_id = $1::uuid limit $2::integer))`;
      return (await run({ name: `${slice}-delete-sums`, text }, [payeeId, limit])).count;
    },
    beginClosing: set(
      'begin-closing',
      `time_zone = of.time_zone, closing_to = of.instant, ${places.map(([column, { from }]) => `${column} = ${from}`).join(', ')}`,
    ),
    advanceClosing: set('advance-closing', 'closing_to = of.instant, mark = null'),
    markClosing: set('mark-closing', 'mark = pg_snapshot_xmax(pg_current_snapshot())'),
    noteClosed: set('note-closed', 'closed_to = of.instant'),
    async selectNextEnd({ run }, { payeeId, closedTo, closingTo }, limit) {
      const text = `
        select greatest(coalesce((
            select happened_at from movement
            where payee_id = $1::uuid and happened_at >= $2::timestamptz and happened_at < $3::timestamptz
            order by happened_at
            offset $4::integer limit 1
          ), $3::timestamptz), $2::timestamptz + interval '1 millisecond') as to`;
      const { rows } = await run<{ readonly to: string }>({ name: `${slice}-select-next-end`, text }, [
        payeeId,
        closedTo,
        closingTo,
        limit,
      ]);
      return rows[0]?.to ?? '';
    },
  };
}
