import { isFreeFor } from '../../db/rows-at-work.ts';
import type { Read } from '../../db/transaction.types.ts';
import type { CardHold } from '../../vault/vault.types.ts';

/** A held card that is to be looked after. */
export interface DueHold extends CardHold {
  /** Whether anything may follow its payment that the acquirer is asked with the card for. */
  readonly isNeeded: boolean;
}

/**
 * Held cards that are due, those of the oldest one's payee. One is needed while its attempt has no answer, as long as
 * something is left to capture or to give back of what it has approved, and while a cancel is told again or something is taken back.
 */
export async function selectDueHolds(
  read: Read,
  which: { readonly limit: number; readonly mostDays: number; readonly issuerIds: readonly string[] },
): Promise<readonly DueHold[]> {
  const { rows } = await read<DueHold>(
    {
      name: 'payments-select-due-holds',
      text: `
        with due as materialized (
          select *
          from held_card
          where due_at <= (select kontor_now())
            and ${isFreeFor('release-held-cards', 'held_card.payee_id', 'held_card.attempt_id::text')}
          order by due_at
          limit $1::integer
        )
        select h.payee_id as "payeeId", h.attempt_id as "attemptId", h.instrument_id as "instrumentId",
          h.expiry_date as "expiryDate",
          h.held_at > kontor_now() - $2::integer * interval '1 day' and coalesce(a.is_open, false) as "isNeeded"
        from due h
        left join lateral (
          select state in ('CALLING', 'REVERSING')
            or exists (
              select from issuer_attempt f
              where f.due_at is not null and f.state in ('FORWARDING', 'REVERSING')
                and f.payee_id = a.payee_id and f.payment_id = a.payment_id
            )
            or state = 'SETTLED' and exists (
              select from acquirer_exchange e
              where e.payee_id = a.payee_id and e.attempt_id = a.attempt_id and e.kind = 'Ask'
                and e.state = 'Answered' and e.retry is null
            ) and exists (
              select from card_payment p
              where p.payee_id = a.payee_id and p.payment_id = a.payment_id and p.paid_by is not null
                and (p.amount > p.captured + p.cancelled or p.captured > p.reversed)
              union all
              select from payment p
              where p.payee_id = a.payee_id and p.payment_id = a.payment_id and p.state = 'OK'
                and (p.amount > p.captured + p.cancelled or p.captured > p.reversed)
            ) as is_open
          from issuer_attempt a
          where a.payee_id = h.payee_id and a.attempt_id = h.attempt_id and a.issuer = any ($3::text[])
        ) a on true
        where h.payee_id = (select payee_id from due order by due_at limit 1)`,
    },
    [which.limit, which.mostDays, which.issuerIds],
  );
  return rows;
}
