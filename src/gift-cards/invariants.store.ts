import { along } from '../db/reading/walk.ts';
import type { Invariant } from '../journal/invariants.types.ts';
import { WALKS } from '../journal/walks.types.ts';

/** What must hold of gift cards, in the order in which one would look for the cause. */
export const INVARIANTS: readonly Invariant[] = [
  {
    holds: 'A gift card has ended where its account is closed, and nowhere else; a closed account is empty.',
    searches: [
      along(
        WALKS.account,
        'gift-cards-verify-ends',
        (rows) => `
        select a.payee_id as "payeeId", 'account ' || a.account_id as row
        from ${rows} a
        where (a.closed_at is not null) <> exists (
            select from gift_card g
            where g.payee_id = a.payee_id and g.account_id = a.account_id
              and num_nonnulls(g.voided_at, g.merged_at, g.replaced_at, g.swept_at) > 0
          )
          or (a.closed_at is not null and a.available + a.held > 0)`,
      ),
    ],
  },
  {
    holds: 'Each gift card that has ended was asked to, and each step has its reference.',
    searches: [
      along(
        WALKS.giftCardStep,
        'gift-cards-verify-steps',
        (rows) => `
        select s.payee_id as "payeeId", 'step ' || s.transaction_ref as row
        from ${rows} s
        where not exists (
          select from reference where payee_id = s.payee_id and scope = 'gift-card' and reference = s.transaction_ref
        )`,
      ),
      along(
        WALKS.reference,
        'gift-cards-verify-references',
        (rows) => `
        select r.payee_id as "payeeId", 'step ' || r.reference as row
        from ${rows} r
        where r.scope = 'gift-card' and not exists (
          select from gift_card_step where payee_id = r.payee_id and transaction_ref = r.reference
        )`,
      ),
      along(
        WALKS.giftCard,
        'gift-cards-verify-asked',
        (rows) => `
        select g.payee_id as "payeeId", 'gift card ' || g.account_id as row
        from ${rows} g
        where num_nonnulls(g.voided_at, g.merged_at, g.replaced_at, g.swept_at) > 0 and not exists (
          select from gift_card_step
          where payee_id = g.payee_id and account_id = g.account_id and step <> '' and step = case
            when g.voided_at is not null then 'Void'
            when g.merged_at is not null then 'Merge'
            when g.replaced_at is not null then 'Replace'
            else 'Sweep'
          end
        )`,
      ),
    ],
  },
  {
    holds: 'No gift card was given back more than was swept of it, and a card that was restored has another last day.',
    searches: [
      along(
        WALKS.giftCard,
        'gift-cards-verify-sweeps',
        (rows) => `
        select g.payee_id as "payeeId", 'gift card ' || g.account_id as row
        from ${rows} g
        cross join lateral (
          select sum(e.amount) as swept, max(e.amount) as restored
          from (
            select payee_id, movement_id, amount from entry
            where payee_id = g.payee_id and account_id = g.account_id offset 0
          ) e
          where exists (
            select from movement where payee_id = e.payee_id and movement_id = e.movement_id and kind = 'Sweep'
          )
        ) s
        where s.swept > 0 or (s.restored > 0 and g.extended_to is null)`,
      ),
    ],
  },
];
