// Stands among the types because a store imports no other store.

const zone = '(select time_zone from payee where payee_id = $1::uuid)';

/**
 * Whether a row was opened on days of payee `$1`'s, where that payee is: from `$5` to `$6`, both with; null: from the beginning, or to
 * the end.
 */
export const OPENED_WITHIN = `($5::date is null or opened_at >= $5::date::timestamp at time zone ${zone})
          and ($6::date is null or opened_at < ($6::date + 1)::timestamp at time zone ${zone})`;
