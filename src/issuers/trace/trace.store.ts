import { overPlainRows } from '../../db/rows/over-rows.ts';
import type { Read, Transaction } from '../../db/transaction.types.ts';
import { FORGET_ROWS } from '../../kit/limits.ts';
import type { KeptRow, TraceList, TraceRow } from './trace.types.ts';

const INSERT_TRACE = overPlainRows<KeptRow>({
  name: 'issuers-insert-trace',
  columns: {
    trace_id: ['uuid', 'traceId'],
    happened_at: ['timestamptz', 'at'],
    acquirer: ['text', 'acquirerId'],
    scheme: ['text', 'scheme'],
    three_ds_server_trans_id: ['uuid', 'serverTransactionId'],
    ds_trans_id: ['uuid', 'dsTransactionId'],
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
  { acquirerId, reference, scheme, transaction, last }: TraceList,
): Promise<readonly TraceRow[]> {
  const { rows } = await read<TraceRow>(
    {
      name: 'issuers-select-trace',
      text: `
        select * from (
          select trace_id as "traceId", happened_at as at, acquirer as "acquirerId", scheme,
            three_ds_server_trans_id as "serverTransactionId", ds_trans_id as "dsTransactionId", site, is_ours as "isOurs",
            message_type as type, message_fields as fields, left_out as "leftOut"
          from acquirer_trace
          where ($1::text is null or acquirer = $1) and ($2::text is null or retrieval_reference = $2)
            and ($3::text is null or scheme = $3)
            and ($4::uuid is null or trace_id in (
              with named as (
                select $4::uuid as id union select three_ds_server_trans_id from acquirer_trace where ds_trans_id = $4
              )
              select trace_id from acquirer_trace where ds_trans_id = $4
              union select trace_id from acquirer_trace join named on three_ds_server_trans_id = named.id))
          order by trace_id desc limit $5::integer
        ) latest
        order by "traceId"`,
    },
    [acquirerId ?? null, reference ?? null, scheme ?? null, transaction ?? null, last],
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
