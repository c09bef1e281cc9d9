import { overRows } from '../../db/over-rows.ts';
import type { Read, Transaction } from '../../db/transaction.types.ts';
import { FORGET_ROWS } from '../../kit/limits.ts';
import type { KeptRow, TraceList, TraceRow } from './trace.types.ts';

const INSERT_TRACE = overRows<KeptRow>({
  name: 'issuers-insert-trace',
  columns: {
    trace_id: ['uuid', 'traceId'],
    happened_at: ['timestamptz', 'at'],
    acquirer: ['text', 'acquirerId'],
    site: ['text', 'site'],
    is_ours: ['boolean', 'isOurs'],
    message_type: ['text', 'type'],
    retrieval_reference: ['text', 'retrievalReference'],
    action_code: ['text', 'actionCode'],
    message_fields: ['jsonb', ({ fields }) => JSON.stringify(fields)],
    left_out: ['bigint', 'leftOut'],
  },
  text: ({ names, rows }) => `
    insert into acquirer_trace (${names})
    select * from ${rows}`,
});

/** Adds messages; how many. */
export async function insertTrace(transaction: Transaction, rows: readonly KeptRow[]): Promise<number> {
  const { count } = await transaction.run(INSERT_TRACE, INSERT_TRACE.values(rows));
  return count;
}

/** The last messages, the oldest of them first. */
export async function selectTrace(
  read: Read,
  { acquirerId, reference, last }: TraceList,
): Promise<readonly TraceRow[]> {
  const { rows } = await read<TraceRow>(
    {
      name: 'issuers-select-trace',
      text: `
        select * from (
          select trace_id as "traceId", happened_at as at, acquirer as "acquirerId", site, is_ours as "isOurs",
            message_type as type, message_fields as fields, left_out as "leftOut"
          from acquirer_trace
          where ($1::text is null or acquirer = $1) and ($2::text is null or retrieval_reference = $2)
          order by trace_id desc limit $3::integer
        ) latest
        order by "traceId"`,
    },
    [acquirerId ?? null, reference ?? null, last],
  );
  return rows;
}

/** Deletes some messages that are older than so many days; how many. */
export async function deleteOldTrace(transaction: Transaction, days: number): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'issuers-delete-old-trace',
      text: `
        delete from acquirer_trace where trace_id in (
          select trace_id from acquirer_trace
          where trace_id < (lpad(to_hex(floor(extract(epoch from (select kontor_now())) * 1000)::bigint - $1::bigint * 86400000), 12, '0')
            || '70000000000000000000')::uuid
          order by trace_id limit ${FORGET_ROWS}
        )`,
    },
    [days],
  );
  return count;
}
