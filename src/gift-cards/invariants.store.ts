import type { Invariant } from '../journal/invariants.types.ts';

/** What must hold of gift cards, in the order in which one would look for the cause. */
export const INVARIANTS: readonly Invariant[] = [
  {
    holds: 'A gift card has ended where its account is closed, and nowhere else; a closed account is empty.',
    statement: {
      name: 'gift-cards-verify-ends',
      text: `
        select a.payee_id as "payeeId", 'account ' || a.account_id as row
        from account a
        left join gift_card g on g.payee_id = a.payee_id and g.account_id = a.account_id
        where (a.closed_at is not null) <>
            coalesce(num_nonnulls(g.voided_at, g.merged_at, g.replaced_at, g.swept_at) > 0, false)
          or (a.closed_at is not null and a.available + a.held > 0)
        order by a.account_id`,
    },
  },
  {
    holds: 'Each gift card that has ended was asked to, and each step has its reference.',
    statement: {
      name: 'gift-cards-verify-steps',
      text: `
        select coalesce(r.payee_id, s.payee_id) as "payeeId",
          'step ' || coalesce(r.reference, s.transaction_ref) as row
        from (select payee_id, reference from reference where scope = 'gift-card') r
        full join gift_card_step s on s.payee_id = r.payee_id and s.transaction_ref = r.reference
        where r.reference is null or s.transaction_ref is null
        union all
        select g.payee_id, 'gift card ' || g.account_id
        from gift_card g
        left join (
          select payee_id, account_id, array_agg(step) as steps from gift_card_step group by payee_id, account_id
        ) s on s.payee_id = g.payee_id and s.account_id = g.account_id
        where num_nonnulls(g.voided_at, g.merged_at, g.replaced_at, g.swept_at) > 0
          and case
            when g.voided_at is not null then 'Void'
            when g.merged_at is not null then 'Merge'
            when g.replaced_at is not null then 'Replace'
            else 'Sweep'
          end <> all (coalesce(s.steps, '{}'))
        order by 2`,
    },
  },
  {
    holds: 'No gift card was given back more than was swept of it, and a card that was restored has another last day.',
    statement: {
      name: 'gift-cards-verify-sweeps',
      text: `
        select g.payee_id as "payeeId", 'gift card ' || g.account_id as row
        from gift_card g
        join (
          select e.payee_id, e.account_id, sum(e.amount) as swept, max(e.amount) as restored
          from movement m join entry e on e.payee_id = m.payee_id and e.movement_id = m.movement_id
          where m.kind = 'Sweep' and e.account_id is not null
          group by e.payee_id, e.account_id
        ) s on s.payee_id = g.payee_id and s.account_id = g.account_id
        where s.swept > 0 or (s.restored > 0 and g.extended_to is null)
        order by g.account_id`,
    },
  },
];
