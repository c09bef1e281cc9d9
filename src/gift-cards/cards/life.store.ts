import { overRows } from '../../db/rows/over-rows.ts';
import { columnsOf, some, updateRows } from '../../db/rows/tables.ts';
import type { Read, Rows, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { AccountId, AccountKey } from '../../ledger/ledger.types.ts';
import { GIFT_CARD, GIFT_CARD_STEP } from '../gift-cards.tables.ts';
import type { ChangeCardCommand, ChangedCard, ExtendedCard, TakenStep } from './life.types.ts';
import type { PageCard } from './many/selection.types.ts';

/** Gift cards that one statement looks through: some milliseconds of work. */
const PAGE_CARDS = 2000;

const LIFE_COLUMNS = `
  g.product_id as "productId", g.voided_at as "voidedAt", g.merged_at as "mergedAt", g.merged_into as "mergedInto",
  g.replaced_at as "replacedAt", g.replaced_by as "replacedBy", g.swept_at as "sweptAt",
  g.inactive_until_sold as "inactiveUntilSold", g.extended_to as "extendedTo", g.event_sequence as "eventSequence", f.kind as "firstKind",
  f.payment_id as "firstPaymentId"`;

/** The movement that brought the card its first money. */
const FIRST_MOVEMENT = `
  select m.kind, m.payment_id
  from (
    select movement_id from entry where payee_id = g.payee_id and account_id = g.account_id and sequence = 1 limit 1
  ) e
  cross join lateral (
    select kind, payment_id from movement where payee_id = g.payee_id and movement_id = e.movement_id limit 1
  ) m`;

/** Gift cards with what their accounts say, as of one instant. */
export const FIND_CARDS = overRows<AccountKey>({
  name: 'gift-cards-find-cards',
  columns: GIFT_CARD.key,
  text: ({ payee, places }) => `
    select v.position::int, c.*, kontor_now() as now
    from ${places}
    cross join lateral (
      select g.payee_id as "payeeId", g.account_id as "accountId", g.issued_at as "issuedAt", ${LIFE_COLUMNS}, a.*,
        i.imported, b.replaces
      from gift_card g
      cross join lateral (
        select number_masked as "numberMasked", currency, available, held, expires_on as "expiresOn",
          expires_at as "expiresAt", blocked_at as "blockedAt", blocked_until as "blockedUntil", strikers,
          closed_at as "closedAt", entry_count as "entryCount", cvc_required as "cvcRequired", cvc_key_id as "cvcKeyId",
          cvc_sequence as "cvcSequence", allowed_product_ids as "allowedProductIds", largest_balance as "largestBalance"
        from account
        where payee_id = ${payee} and account_id = v.account_id
        limit 1
      ) a
      left join lateral (${FIRST_MOVEMENT}) f on true
      left join lateral (
        select payee_id, jsonb_build_object('balance', details->'amount', 'file', details->'file', 'digest', details->'digest') as imported
        from audit
        where (details->>'accountId')::uuid = v.account_id and action = 'import-gift-card'
        limit 1
      ) i on i.payee_id = ${payee}
      left join lateral (
        select payee_id, account_id as replaces from gift_card where replaced_by = v.account_id limit 1
      ) b on b.payee_id = ${payee}
      where g.payee_id = ${payee} and g.account_id = v.account_id
      limit 1
    ) c`,
});

/** What is kept sealed of cards. */
export const FIND_SEALED_CARDS = overRows<AccountKey>({
  name: 'gift-cards-find-sealed-cards',
  columns: GIFT_CARD.key,
  text: ({ places, matches }) => `
    select v.position::int, g.*
    from ${places}
    cross join lateral (
      select ${some(GIFT_CARD, 'payeeId', 'accountId', 'numberSealed', 'emailSealed', 'msisdnSealed', 'sealedWith', 'payerReference')}
      from gift_card
      where ${matches}
      limit 1
    ) g`,
});

/**
 * What steps are decided on, beside their accounts: the card, the other card of a merge, what the reference stands for,
 * and the key that new values are sealed with where a card is made. That key stays so until the transaction ends.
 */
export const loadLife = overRows<ChangeCardCommand>({
  name: 'gift-cards-load-life',
  columns: {
    account_id: ['uuid', 'accountId'],
    into_id: ['uuid', ({ asked }) => (asked.step === 'Merge' ? asked.into : null)],
    transaction_ref: ['text', 'transactionRef'],
    seals: ['boolean', ({ asked }) => asked.step === 'Replace'],
  },
  text: ({ payee, places }) => `
    select v.position::int - 1 as position, c.*, o.event_sequence as "intoSequence",
      o.inactive_until_sold as "intoInactiveUntilSold", coalesce(p.merge_keeps_limits, false) as "keepsLimits",
      coalesce(p.is_limited and o.product_id <> c."productId", false) as "intoHasOtherLimits",
      s.account_id as "stepAccountId", s.step, s.reason, s.merged_into as "stepMergedInto", s.until as "stepUntil", k.key_id as "sealWith",
      e.happened_at as "updatedAt"
    from ${places}
    cross join lateral (
      select ${LIFE_COLUMNS}
      from gift_card g
      left join lateral (${FIRST_MOVEMENT}) f on true
      where g.payee_id = ${payee} and g.account_id = v.account_id
      limit 1
    ) c
    left join lateral (
      select event_sequence, inactive_until_sold, product_id
      from gift_card where payee_id = ${payee} and account_id = v.into_id limit 1
    ) o on true
    left join lateral (
      select merge_keeps_limits, (
        select true from gift_card_limit l
        where l.payee_id = g.payee_id and l.product_id = g.product_id and l.amount is not null limit 1
      ) as is_limited
      from gift_card_product g
      where v.into_id is not null and g.payee_id = ${payee} and g.product_id = c."productId"
      limit 1
    ) p on true
    left join lateral (
      select account_id, step, reason, merged_into, until
      from gift_card_step
      where payee_id = ${payee} and transaction_ref = v.transaction_ref
      limit 1
    ) s on true
    left join lateral (
      select key_id from keys_for_writing() where v.seals and purpose = 'card-data' and state = 'Current' limit 1
    ) k on true
    left join lateral (
      select max(happened_at) as happened_at from gift_card
      join event on event.payee_id = gift_card.payee_id and resource_kind = 'gift-card'
        and resource_id = account_id::text and resource_sequence = event_sequence
      where gift_card.payee_id = ${payee} and account_id in (v.account_id, v.into_id)
    ) e on true`,
}).call;

/** Writes cards that were changed, each where it is as it was seen. */
export const updateCards = updateRows({
  name: 'gift-cards-update',
  table: GIFT_CARD,
  seen: 'eventSequence',
  from: ({ seen }: ChangedCard) => seen,
  set: ['voidedAt', 'mergedAt', 'mergedInto', 'replacedAt', 'replacedBy', 'sweptAt', 'eventSequence'],
});

/** Writes the last days of cards that were extended, under the locks of their accounts. */
export const extendCards = overRows<ExtendedCard>({
  name: 'gift-cards-extend',
  columns: columnsOf(GIFT_CARD, 'accountId', 'extendedTo'),
  text: ({ payee, rows }) => `
    update gift_card c set extended_to = v.extended_to
    from ${rows}
    where c.payee_id = ${payee} and c.account_id = v.account_id`,
}).call;

/** What sweeps have booked of a card to the payee, less what was given back of that. */
export async function selectSwept(read: Read, { payeeId, accountId }: AccountKey): Promise<number> {
  const { rows } = await read<{ readonly swept: number }>(
    {
      name: 'gift-cards-select-swept',
      text: `
        select -coalesce(sum(e.amount), 0)::bigint as swept
        from (
          select movement_id, amount from entry where payee_id = $1::uuid and account_id = $2::uuid and sequence > 0
        ) e
        cross join lateral (
          select kind from movement where payee_id = $1::uuid and movement_id = e.movement_id limit 1
        ) m
        where m.kind = 'Sweep'`,
    },
    [payeeId, accountId],
  );
  return rows[0]?.swept ?? 0;
}

/** Whether a day has begun where a payee is. */
export async function selectHasBegun(
  read: Read,
  payeeId: PayeeId,
  day: string,
): Promise<{ readonly hasBegun: boolean; readonly now: string } | undefined> {
  const { rows } = await read<{ readonly hasBegun: boolean; readonly now: string }>(
    {
      name: 'gift-cards-select-has-begun',
      text: `
        select $2::date::timestamp at time zone time_zone <= kontor_now() as "hasBegun", kontor_now() as now
        from payee where payee_id = $1::uuid`,
    },
    [payeeId, day],
  );
  return rows[0];
}

/** Notes steps as they were asked for. */
export const insertSteps = overRows<TakenStep, [now: string]>({
  name: 'gift-cards-insert-steps',
  beside: 1,
  columns: GIFT_CARD_STEP.added,
  guard: 'adds',
  text: ({ names, values, rows }) => `
    insert into gift_card_step (${names}, happened_at)
    select ${values}, $1::timestamptz
    from ${rows}`,
}).call;

/** The next cards of a payee by their ids: an index on the expiry would make each payment dearer. */
export async function selectPage(
  read: Read,
  {
    payeeId,
    after,
    movedSince,
  }: { readonly payeeId: PayeeId; readonly after: AccountId | null; readonly movedSince: string | undefined },
): Promise<readonly PageCard[]> {
  const { rows } = await read<PageCard>(
    {
      name: 'gift-cards-select-page',
      text: `
        select g.account_id as "accountId", g.product_id as "productId",
          (g.issued_at at time zone p.time_zone)::date::text as "issuedOn",
          coalesce(g.extended_to, a.expires_on)::text as "lastDay", a.expires_at <= kontor_now() as "isExpired",
          a.closed_at is not null as "isEnded",
          a.blocked_at is not null and coalesce(a.blocked_until > kontor_now(), true) as "isBlocked",
          a.blocked_at is not null and a.blocked_until is null as "isBlockedForGood", a.available, a.currency,
          $3::timestamptz is not null and coalesce((
            select m.happened_at > $3::timestamptz
            from (
              select payee_id, movement_id from entry
              where payee_id = g.payee_id and account_id = g.account_id
              order by sequence desc
              limit 1
            ) e
            cross join lateral (
              select happened_at from movement where payee_id = e.payee_id and movement_id = e.movement_id limit 1
            ) m
          ), false) as "hasMoved"
        from (
          select payee_id, account_id, product_id, issued_at, extended_to
          from gift_card
          where payee_id = $1::uuid and account_id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
          order by account_id
          limit ${PAGE_CARDS}
        ) g
        cross join lateral (
          select expires_on, expires_at, closed_at, blocked_at, blocked_until, available, currency
          from account
          where payee_id = g.payee_id and account_id = g.account_id
          limit 1
        ) a
        cross join lateral (select time_zone from payee where payee_id = g.payee_id limit 1) p
        order by g.account_id`,
    },
    [payeeId, after, movedSince ?? null],
  );
  return rows;
}

/** Raises the number of a card's latest event, under its account's lock; no row where the account is no gift card. */
export function raiseCardSequence(
  transaction: Transaction,
  { payeeId, accountId }: AccountKey,
): Promise<Rows<{ readonly eventSequence: number }>> {
  return transaction.run(
    {
      name: 'gift-cards-raise-sequence',
      text: `
        with locked as materialized (
          select account_id from account where payee_id = $1::uuid and account_id = $2::uuid for no key update
        )
        update gift_card set event_sequence = event_sequence + 1
        where payee_id = $1::uuid and account_id = (select account_id from locked)
        returning event_sequence as "eventSequence"`,
    },
    [payeeId, accountId],
  );
}
