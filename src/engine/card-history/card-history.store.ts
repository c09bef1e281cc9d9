import { overRows } from '../../db/rows/over-rows.ts';
import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { CARD_HISTORY_DAYS, type CardVerdict, type Renewal } from './card-history.types.ts';

/** Declines that are kept of each card: as many as any scheme allows within 30 days. */
const MOST_DECLINES = 35;

/** Which of these cards of a payee an issuer has said lately never to try again. */
export async function selectBlocked(
  read: Read,
  { payeeId, digests }: { readonly payeeId: PayeeId; readonly digests: readonly Buffer[] },
): Promise<readonly Buffer[]> {
  const { rows } = await read<{ readonly digest: Buffer }>(
    {
      name: 'engine-select-blocked',
      text: `
        select card_digest as digest from blocked_card
        where payee_id = $1 and card_digest = any ($2::bytea[]) and blocked_until > (select kontor_now())`,
    },
    [payeeId, digests],
  );
  return rows.map(({ digest }) => digest);
}

/**
 * Notes what issuers have said of cards. A card that is blocked already stays so for the longer time. An approval ends the count
 * of declines and the wait, but no block.
 */
export const noteVerdicts = overRows<CardVerdict, [now: string]>({
  name: 'engine-note-verdicts',
  beside: 1,
  columns: {
    card_digest: ['bytea', 'cardDigest'],
    blocked_until: ['timestamptz', 'blockedUntil'],
    retry_at: ['timestamptz', 'retryAt'],
    declined_at: ['timestamptz', 'declinedAt'],
    is_approved: ['boolean', 'isApproved'],
  },
  guard: 'adds',
  // Two payments with one card may end in one batch. In one order for all, so that batches do not wait for each other.
  text: ({ payee, rows }) => `
    with told as (
      select ${payee} as payee_id, card_digest, max(blocked_until) as blocked_until, max(retry_at) as retry_at,
        case when not bool_and(is_approved) then
          coalesce(array_agg(declined_at) filter (where declined_at is not null), '{}')
        end as declined_at
      from ${rows}
      group by 1, 2
      order by 1, 2
    ), noted as (
      insert into blocked_card as known (payee_id, card_digest, blocked_until, retry_at, declined_at)
      select payee_id, card_digest, blocked_until, retry_at, declined_at from told
      on conflict (payee_id, card_digest) do update
        set blocked_until = greatest(known.blocked_until, excluded.blocked_until),
          retry_at = case when excluded.declined_at is not null then greatest(known.retry_at, excluded.retry_at) end,
          declined_at = case when excluded.declined_at is not null then array(
            select at
            from unnest(known.declined_at || excluded.declined_at) as at
            where at > $1::timestamptz - interval '30 days'
            order by at desc
            limit ${MOST_DECLINES}
          ) end
    )
    select from ${rows}`,
}).call;

/** Brings what issuers have said of a card under its digest of now. */
export async function renewBlocks(transaction: Transaction, { payeeId, digest, earlier }: Renewal): Promise<void> {
  await transaction.run(
    {
      name: 'engine-renew-blocks',
      text: `
        with before as (
          delete from blocked_card where payee_id = $1::uuid and card_digest = any ($3::bytea[]) returning *
        )
        insert into blocked_card as known (payee_id, card_digest, blocked_until, retry_at, declined_at)
        select $1::uuid, $2::bytea, max(blocked_until), max(retry_at),
          (select array_agg(at) from before b cross join unnest(b.declined_at) as at)
        from before
        having count(*) > 0
        on conflict (payee_id, card_digest) do update
          set blocked_until = greatest(known.blocked_until, excluded.blocked_until),
            retry_at = greatest(known.retry_at, excluded.retry_at),
            declined_at = coalesce(known.declined_at || excluded.declined_at, known.declined_at, excluded.declined_at)`,
    },
    [payeeId, digest, earlier],
  );
}

/** Deletes what issuers have said of cards and does not hold any more, at most `limit` rows. */
export async function endBlocks(transaction: Transaction, limit: number): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'engine-end-blocks',
      text: `
        delete from blocked_card
        where (payee_id, card_digest) in (
          select payee_id, card_digest
          from blocked_card
          where blocked_until < (select kontor_now())
            and (retry_at is null or retry_at < (select kontor_now()))
            and not exists (
              select from unnest(declined_at) as at
              where at > (select kontor_now()) - make_interval(days => $2::integer)
            )
          limit $1::integer
          for update skip locked
        )`,
    },
    [limit, CARD_HISTORY_DAYS],
  );
  return count;
}
