/**
 * Whether an instant is on days of payee `$1`'s, where that payee is, as a condition of SQL.
 *
 * @param first number of the parameter that has the first day, null: from the beginning; the next one has the last day
 */
export function openedWithin(column: string, first: number): string {
  const dayStart = (day: string) =>
    `(${day})::timestamp at time zone (select time_zone from payee where payee_id = $1::uuid)`;
  return `($${first}::date is null or ${column} >= ${dayStart(`$${first}::date`)})
          and ($${first + 1}::date is null or ${column} < ${dayStart(`$${first + 1}::date + 1`)})`;
}
