import type { Read, Statement } from '../../db/transaction.types.ts';
import type { UnacknowledgedExchange } from './acquirers.types.ts';

/** What acquirers have not acknowledged, of all payees, the oldest first. Few rows are due at any time: an index has these alone. */
export const UNACKNOWLEDGED: Statement = {
  name: 'portal-select-unacknowledged',
  text: `
    select a.payee_id as "payeeId", p.name as "payeeName", a.payment_id as "paymentId", a.attempt_id as "attemptId",
      e.acquirer as "acquirerId", e.agreement as "agreementId", e.operation, e.amount, e.currency, a.state, a.tries,
      a.created_at as "createdAt", coalesce(a.forward_at, a.due_at) as "dueAt", e.merchant_id as "merchantId", e.terminal_id as "terminalId", e.stan,
      e.sent_at as "sentAt", e.retrieval_reference as "retrievalReference"
    from (
      select * from issuer_attempt
      where due_at is not null and state in ('REVERSING', 'FORWARDING')
      order by created_at, attempt_id
      limit $1::integer
    ) a
    cross join lateral (
      select * from acquirer_exchange
      where payee_id = a.payee_id and attempt_id = a.attempt_id and kind = 'Ask'
      limit 1
    ) e
    cross join lateral (select name from payee where payee_id = a.payee_id limit 1) p
    order by a.created_at, a.attempt_id`,
};

/** The same as a list, of as many rows at most. */
export async function selectUnacknowledged(read: Read, limit: number): Promise<readonly UnacknowledgedExchange[]> {
  return (await read<UnacknowledgedExchange>(UNACKNOWLEDGED, [limit])).rows;
}

/** The names of payees, by their ids. */
export async function selectPayeeNames(read: Read, payeeIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await read<{ readonly payeeId: string; readonly name: string }>(
    {
      name: 'portal-select-payee-names',
      text: 'select payee_id as "payeeId", name from payee where payee_id = any($1::uuid[])',
    },
    [payeeIds],
  );
  return new Map(rows.map(({ payeeId, name }) => [payeeId, name]));
}
