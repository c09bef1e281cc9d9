import { overPlainRows } from '../../db/rows/over-rows.ts';
import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { LeftOutMember } from './three-ds.types.ts';

const ADD_LEFT_OUT = overPlainRows<LeftOutMember>({
  name: 'three-ds-add-left-out',
  columns: {
    scheme: ['text', 'scheme'],
    message_type: ['text', 'message'],
    member: ['text', 'member'],
    times: ['bigint', 'times'],
  },
  text: ({ names, rows }) => `
    insert into three_ds_left_out as known (${names}, last_seen_at)
    select v.*, kontor_now() from ${rows}
    order by 1, 2, 3
    on conflict (scheme, message_type, member) do update
      set times = known.times + excluded.times, last_seen_at = greatest(excluded.last_seen_at, known.last_seen_at)`,
});

/** Counts members that were left out. None may stand in the list twice. */
export async function addLeftOut(transaction: Transaction, members: readonly LeftOutMember[]): Promise<void> {
  await transaction.run(ADD_LEFT_OUT, ADD_LEFT_OUT.values(members));
}

/** What was left out of messages in the last days, with how often it was since it was first. */
export async function selectLeftOut(read: Read, days: number): Promise<readonly LeftOutMember[]> {
  const { rows } = await read<LeftOutMember>(
    {
      name: 'three-ds-select-left-out',
      text: `
        select scheme, message_type as message, member, times
        from three_ds_left_out
        where last_seen_at > (select kontor_now()) - $1::integer * interval '1 day'
        order by scheme, message_type, member`,
    },
    [days],
  );
  return rows;
}
