import { insertRows } from '../../db/rows/tables.ts';
import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { Currency } from '../../kit/money.ts';
import type { DisputeBefore, DisputedItem, DisputeLineName } from '../disputes/disputes.types.ts';
import { SETTLEMENT_DIFFERENCE } from '../settlements.tables.ts';
import type { BatchKey } from './files.types.ts';
import { SAID_AMOUNT, SAID_CURRENCY } from './said-of-sale.types.ts';

/** A line about a dispute, with the sale or refund that was found to it: what it says is in the currency of that. */
export interface DisputeLine extends DisputeLineName {
  readonly lineId: string;
  readonly merchantId: string;
  readonly currency: Currency;
  readonly caseId: string | null;
  readonly respondBy: string | null;
  readonly item: DisputedItem | null;
}

/** The lines of a batch that are about disputes, in the order of the file. */
export async function selectDisputeLines(
  transaction: Transaction,
  { payeeId, acquirer, batchId }: BatchKey,
): Promise<readonly DisputeLine[]> {
  const { rows } = await transaction.run<DisputeLine>(
    {
      name: 'settlements-select-dispute-lines',
      text: `
        select l.line_id as "lineId", l.type, ${SAID_AMOUNT} as gross, l.merchant_id as "merchantId",
          ${SAID_CURRENCY} as currency, l.case_id as "caseId",
          l.reason_code as "reasonCode", l.respond_by::text as "respondBy", l.transaction_date::text as "transactionDate",
          case when i.attempt_id is not null then jsonb_build_object('type', i.type, 'attemptId', i.attempt_id,
            'agreement', i.agreement, 'merchantId', i.merchant_id, 'currency', i.currency, 'amount', i.amount, 'day', i.day,
            'paymentId', i.payment_id, 'transactionId', i.transaction_id) end as item
        from settlement_line l
        left join lateral (
          select * from settlement_item i
          where i.payee_id = l.payee_id and i.attempt_id = l.attempt_id and i.type in ('Sale', 'Refund')
          limit 1
        ) i on true
        where l.payee_id = $1::uuid and l.acquirer = $2::text and l.batch_id = $3::text
          and l.type in ('Chargeback', 'ChargebackReversal')
        order by length(l.line_id), l.line_id`,
    },
    [payeeId, acquirer, batchId],
  );
  return rows;
}

/** A booked line of a sale. */
export interface BookedDisputeLine extends DisputeLineName {
  readonly disputeId: string;
}

/** The lines of a sale's disputes that are booked. */
export async function selectBookedDisputeLines(
  transaction: Transaction,
  { payeeId, attemptId }: { readonly payeeId: string; readonly attemptId: string },
): Promise<readonly BookedDisputeLine[]> {
  const { rows } = await transaction.run<BookedDisputeLine>(
    {
      name: 'settlements-select-booked-dispute-lines',
      text: `
        select dispute_id as "disputeId", type, ${SAID_AMOUNT} as gross, reason_code as "reasonCode",
          transaction_date::text as "transactionDate"
        from settlement_line l
        where payee_id = $1::uuid and attempt_id = $2::uuid and dispute_id is not null and booked_by is not null`,
    },
    [payeeId, attemptId],
  );
  return rows;
}

/** Notes which dispute a line is about, how that stood before, and whether the line is booked. */
export function noteDisputeLine(
  transaction: Transaction,
  { payeeId, acquirer, batchId }: BatchKey,
  noted: { readonly lineId: string; readonly before: DisputeBefore; readonly isBooked: boolean },
): Promise<Rows<unknown>> {
  return transaction.run(
    {
      name: 'settlements-note-dispute-line',
      text: `
        update settlement_line
        set dispute_id = $5::uuid, dispute_before = $7::jsonb, booked_by = case when $6::boolean then batch_id end
        where payee_id = $1::uuid and acquirer = $2::text and batch_id = $3::text and line_id = $4::text`,
    },
    [payeeId, acquirer, batchId, noted.lineId, noted.before.disputeId, noted.isBooked, JSON.stringify(noted.before)],
  );
}

/** Opens differences of lines. */
export const insertLineDifferences = insertRows('settlements-insert-line-differences', SETTLEMENT_DIFFERENCE);
