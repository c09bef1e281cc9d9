import type { Read, Statement } from '../../../db/transaction.types.ts';
import { type ActorColumns, nameOfActor } from '../../../kit/caller.ts';
import type { AccountKey } from '../../../ledger/ledger.types.ts';
import type { HistoryEntry } from './history.types.ts';

/** How a card began: issued here, or taken over from elsewhere. The trail files it under its first deposit. */
const BEGUN = `
  select b.at, b.step, b.actor_kind, b.actor_id, b.details, null::text as reason, null::text as reference, null::uuid as other
  from (
    select happened_at as at, case action when 'import-gift-card' then 'Import' else 'Issue' end as step, actor_kind,
      actor_id, details, payee_id
    from audit
    where (details->>'accountId')::uuid = $2::uuid and action in ('import-gift-card', 'issue-gift-card')
    limit 1
  ) b
  where b.payee_id = $1::uuid`;

/** What happened to another card \`g\` and concerns this one: by the trail's line of it. */
const ofAnother = ({
  step,
  action,
  cards,
}: {
  readonly step: string;
  readonly action: string;
  readonly cards: string;
}) => `
  select a.happened_at, '${step}', a.actor_kind, a.actor_id, a.details, null, null, g.account_id
  from (${cards}) g
  cross join lateral (
    select happened_at, actor_kind, actor_id, details from audit
    where payee_id = $1::uuid and object_kind = 'account' and object_id = g.account_id::text and action = '${action}'
    order by happened_at limit 1
  ) a
  where g.payee_id = $1::uuid`;

const REPLACED = ofAnother({
  step: 'Replacement',
  action: 'replace-gift-card',
  cards: 'select payee_id, account_id from gift_card where replaced_by = $2::uuid limit 1',
});

const RECEIVED = ofAnother({
  step: 'Receive',
  action: 'merge-gift-card',
  cards: 'select payee_id, account_id from gift_card where merged_into = $2::uuid order by merged_at limit $3::integer',
});

/** The sale of a card that was issued to be sold later: the first money that came to it. */
const SOLD = `
  select m.happened_at, 'Sell', a.actor_kind, a.actor_id, jsonb_build_object('amount', e.amount, 'currency', m.currency),
    null, null, null
  from (
    select 1 from gift_card
    where payee_id = $1::uuid and account_id = $2::uuid and inactive_until_sold limit 1
  ) g
  cross join lateral (
    select movement_id, amount from entry
    where payee_id = $1::uuid and account_id = $2::uuid and sequence = 1 limit 1
  ) e
  cross join lateral (
    select happened_at, currency, payment_id from movement
    where payee_id = $1::uuid and movement_id = e.movement_id limit 1
  ) m
  left join lateral (
    select actor_kind, actor_id from audit
    where payee_id = $1::uuid and object_kind = 'payment' and object_id = m.payment_id::text
      and happened_at >= m.happened_at
    order by happened_at limit 1
  ) a on true`;

/** The trail's lines of steps with the card, the first of its kind as 1. */
const TRAIL = `
  select actor_kind, actor_id, action, details,
    row_number() over (partition by action order by happened_at, audit_id) as nth
  from audit
  where payee_id = $1::uuid and object_kind = 'account' and object_id = $2::text
    and action in ('block-gift-card', 'unblock-gift-card', 'void-gift-card', 'merge-gift-card', 'replace-gift-card',
      'sweep-gift-card', 'extend-gift-card', 'restore-gift-card')`;

/** What was asked of the card. The trail says by whom: the steps of a kind stand there in the same order. */
const STEPS = `
  select s.happened_at, s.step, a.actor_kind, a.actor_id, a.details, s.reason, s.transaction_ref, s.merged_into
  from (
    select *, row_number() over (partition by step order by happened_at) as nth
    from (
      select happened_at, step, reason, transaction_ref, merged_into
      from gift_card_step
      where payee_id = $1::uuid and account_id = $2::uuid and step <> ''
      order by happened_at limit $3::integer
    ) first
  ) s
  left join trail a on a.action = lower(s.step) || '-gift-card' and a.nth = s.nth`;

const HISTORY: Statement = {
  name: 'gift-cards-select-history',
  text: `
    with trail as materialized (${TRAIL})
    select h.at, h.step, h.actor_kind as "actorKind", h.actor_id as "actorId",
      coalesce(person.name, token.name) as "actorName", h.reason, h.reference, coalesce(h.other, mine.other) as "otherAccountId",
      other.masked as "otherMasked", (h.details->>'amount')::bigint as amount,
      h.details->>'currency' as currency, h.details->>'file' as file, h.details->>'digest' as digest,
      h.details->>'day' as until
    from ((${BEGUN}) union all (${REPLACED}) union all (${RECEIVED}) union all (${SOLD}) union all (${STEPS})) h
    left join lateral (
      select replaced_by as other from gift_card
      where h.step = 'Replace' and payee_id = $1::uuid and account_id = $2::uuid limit 1
    ) mine on true
    left join lateral (
      select number_masked as masked from account
      where payee_id = $1::uuid and account_id = coalesce(h.other, mine.other) limit 1
    ) other on true
    left join lateral (
      select name from portal_user
      where payee_id in ($1::uuid, '00000000-0000-0000-0000-000000000000')
        and user_id = case when h.actor_kind = 'portal-user' then h.actor_id::uuid end limit 1
    ) person on true
    left join lateral (
      select name from access_token
      where payee_id = $1::uuid
        and access_token_id = case when h.actor_kind = 'access-token' then h.actor_id::uuid end limit 1
    ) token on true
    order by h.at`,
};

type Row = Omit<HistoryEntry, 'actor'> & (ActorColumns | { readonly actorKind: null; readonly actorId: null });

/** What happened to a card beside money, the oldest first: at most so many steps, and so many cards that were emptied onto it. */
export async function selectHistory(
  read: Read,
  { payeeId, accountId }: AccountKey,
  most: number,
): Promise<readonly HistoryEntry[]> {
  const { rows } = await read<Row>(HISTORY, [payeeId, accountId, most]);
  return rows.map((row) => {
    const { actorKind, actorId, ...entry } = row;
    return { ...entry, actor: actorKind === null ? null : nameOfActor({ kind: actorKind, id: actorId }) };
  });
}
