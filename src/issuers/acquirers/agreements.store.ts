import { overRows } from '../../db/rows/over-rows.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Agreement } from './acquirers.types.ts';

/** An agreement as it was noted first. */
export interface NotedAgreement {
  readonly payeeId: PayeeId;
  readonly agreement: string;
  readonly acquirer: string;
  readonly merchantId: string;
}

/** Adds agreements that are not noted yet. */
export const INSERT_AGREEMENTS = overRows<Agreement>({
  name: 'issuers-insert-agreements',
  columns: {
    agreement: ['text', 'id'],
    acquirer: ['text', 'acquirer'],
    merchant_id: ['text', 'merchantId'],
  },
  text: ({ names, values, rows }) => `
    insert into acquirer_agreement (${names})
    select ${values} from ${rows}
    on conflict do nothing`,
});

/** All agreements that were noted at any start. */
export async function selectAgreements({ run }: Transaction): Promise<readonly NotedAgreement[]> {
  const { rows } = await run<NotedAgreement>(
    {
      name: 'issuers-select-agreements',
      text: `
        select payee_id as "payeeId", agreement, acquirer, merchant_id as "merchantId"
        from acquirer_agreement
        order by payee_id, agreement`,
    },
    [],
  );
  return rows;
}

/** Whether payments were made under an agreement that something can follow yet, or whose outcome is open. */
export async function findOpenUnder(
  { run }: Transaction,
  { payeeId, agreement }: Pick<NotedAgreement, 'payeeId' | 'agreement'>,
  days: number,
): Promise<boolean> {
  const { rows } = await run<{ readonly isOpen: boolean }>(
    {
      name: 'issuers-find-open-under',
      text: `
        select exists (
          select from acquirer_exchange e
          join issuer_attempt a on a.payee_id = e.payee_id and a.attempt_id = e.attempt_id
          where e.payee_id = $1 and e.agreement = $2 and e.kind = 'Ask'
            and (a.due_at is not null
              or (a.state = 'SETTLED' and e.original_attempt_id is null and e.sent_at > kontor_now() - make_interval(days => $3::integer)))
        ) as "isOpen"`,
    },
    [payeeId, agreement, days],
  );
  return rows[0]?.isOpen === true;
}
