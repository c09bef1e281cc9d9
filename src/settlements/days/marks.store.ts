import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { DaysAsked, OpenDay } from './days.types.ts';

/**
 * Lets one transaction at a time collect or close at an acquirer: the day of a sale is not closed while it is collected.
 *
 * @returns whether something was collected there before
 */
export async function lockMark(transaction: Transaction, acquirer: string): Promise<boolean> {
  await transaction.run(
    {
      name: 'settlements-add-mark',
      text: `insert into settlement_mark (acquirer, collected_to) values ($1::text, '-infinity') on conflict do nothing`,
    },
    [acquirer],
  );
  const { rows } = await transaction.run<{ readonly isCollected: boolean }>(
    {
      name: 'settlements-lock-mark',
      text: `
        select collected_to <> '-infinity' as "isCollected" from settlement_mark
        where acquirer = $1::text
        for update`,
    },
    [acquirer],
  );
  return rows[0]?.isCollected === true;
}

/** Notes that the answers of an acquirer are collected up to now. */
export function moveMark(transaction: Transaction, acquirer: string): Promise<Rows<unknown>> {
  return transaction.run(
    {
      name: 'settlements-move-mark',
      text: 'update settlement_mark set collected_to = kontor_now() where acquirer = $1::text',
    },
    [acquirer],
  );
}

/** Adds the open days of items that were collected before open days had a table. */
export function addOpenDays(transaction: Transaction, acquirer: string): Promise<Rows<unknown>> {
  return transaction.run(
    {
      name: 'settlements-add-open-days',
      text: `
        insert into settlement_open_day (payee_id, agreement, currency, day, acquirer)
        select distinct i.payee_id, i.agreement, i.currency, i.day, i.acquirer
        from settlement_item i
        where i.acquirer = $1::text and not exists (
          select from settlement_day d
          where d.payee_id = i.payee_id and d.agreement = i.agreement and d.currency = i.currency and d.day = i.day
        )
        on conflict do nothing`,
    },
    [acquirer],
  );
}

/** Days that have items and are not closed. */
export async function selectOpenDays(
  { run }: Transaction,
  acquirer: string,
  { to, isOne }: DaysAsked,
): Promise<readonly OpenDay[]> {
  const { rows } = await run<OpenDay>(
    {
      name: 'settlements-select-open-days',
      text: `
        select payee_id as "payeeId", acquirer, agreement, currency, day::text as day
        from settlement_open_day
        where acquirer = $1::text and day <= $2::date and (day = $2::date or not $3::boolean)
        order by settlement_open_day.day, "payeeId", agreement, currency`,
    },
    [acquirer, to, isOne],
  );
  return rows;
}

/** A closed day is open no more. */
export function deleteOpenDay(
  transaction: Transaction,
  { payeeId, agreement, currency, day }: OpenDay,
): Promise<Rows<unknown>> {
  return transaction.run(
    {
      name: 'settlements-delete-open-day',
      text: `
        delete from settlement_open_day
        where payee_id = $1::uuid and agreement = $2::text and currency = $3::text and day = $4::date`,
    },
    [payeeId, agreement, currency, day],
  );
}
