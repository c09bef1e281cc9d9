import type { Rows, Transaction } from '../../db/transaction.types.ts';

/** The business day that an acquirer says has begun. */
export interface ToldDay {
  readonly acquirer: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** When it ends by the clock, ISO 8601 in UTC: from then on it counts no more. */
  readonly endsAt: string;
}

/** Notes the day that an acquirer says has begun. */
export function upsertDay(
  { run }: Pick<Transaction, 'run'>,
  { acquirer, day, endsAt }: ToldDay,
): Promise<Rows<unknown>> {
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
