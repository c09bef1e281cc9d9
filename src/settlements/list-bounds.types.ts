// Stand among the types because a store imports no other store. No bound is ever null: an index is walked between them.

const zone = '(select time_zone from payee where payee_id = $1::uuid)';

/**
 * Whether a row was opened on days of payee `$1`'s, where that payee is: from one to the other, both with; null: from the beginning, or
 * to the end.
 */
export function openedWithin(from: '$3' | '$4', to: '$4' | '$5'): string {
  return `opened_at >= coalesce(${from}::date::timestamp at time zone ${zone}, '-infinity')
          and opened_at < coalesce((${to}::date + 1)::timestamp at time zone ${zone}, 'infinity')`;
}

/** A list of a payee's that has the latest first. */
interface LatestFirst {
  readonly table: string;
  readonly at: string;
  readonly id: string;
}

const BEHIND_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Whether a row of such a list of payee `$1`'s stands behind its row `$3`; null: from the first. */
export function behind({ table, at, id }: LatestFirst): string {
  const its = `(select ${at} from ${table} where payee_id = $1::uuid and ${id} = $3::uuid)`;
  return `(${at}, ${id}) < (case when $3::uuid is null then 'infinity' else ${its} end, coalesce($3::uuid, '${BEHIND_ALL}'))`;
}
