import type { Read, Rows, Transaction } from '../../../db/transaction.types.ts';
import type { HostHabit } from '../../../iso8583/messages.types.ts';

/** A habit of an acquirer's host, as it was seen. */
export interface SeenHabit extends HostHabit {
  readonly acquirer: string;
}

/** Notes a habit, or that it was seen again. */
export function upsertHabit({ run }: Transaction, { acquirer, habit, field }: SeenHabit): Promise<Rows<unknown>> {
  return run(
    {
      name: 'issuers-upsert-habit',
      text: `
        insert into acquirer_habit (acquirer, habit, field, first_seen_at, last_seen_at)
        values ($1::text, $2::text, $3::smallint, kontor_now(), kontor_now())
        on conflict (acquirer, habit, field) do update
          set last_seen_at = greatest(excluded.last_seen_at, acquirer_habit.last_seen_at)`,
    },
    [acquirer, habit, field],
  );
}

/** All habits that were ever seen. */
export async function selectHabits(read: Read): Promise<readonly SeenHabit[]> {
  const { rows } = await read<SeenHabit>(
    {
      name: 'issuers-select-habits',
      text: 'select acquirer, habit, field from acquirer_habit order by acquirer, habit, field',
    },
    [],
  );
  return rows;
}

/** The business day that an acquirer says has begun. */
export interface ToldDay {
  readonly acquirer: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** When it ends by the clock, ISO 8601 in UTC: from then on it counts no more. */
  readonly endsAt: string;
}

/** Notes the day that an acquirer says has begun. */
export function upsertDay({ run }: Transaction, { acquirer, day, endsAt }: ToldDay): Promise<Rows<unknown>> {
  return run(
    {
      name: 'issuers-upsert-day',
      text: `
        insert into acquirer_day (acquirer, day, told_at, ends_at)
        values ($1::text, $2::date, kontor_now(), $3::timestamptz)
        on conflict (acquirer) do update set day = excluded.day, told_at = excluded.told_at, ends_at = excluded.ends_at`,
    },
    [acquirer, day, endsAt],
  );
}
