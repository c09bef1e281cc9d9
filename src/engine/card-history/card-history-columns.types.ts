/** Of what issuers have said of a card, where `b` is its row of `blocked_card`: see `CardHistory`. */
export const HISTORY_COLUMNS = `
      coalesce(b.blocked_until > kontor_now(), false) as "isBlocked",
      coalesce(b.retry_at > kontor_now(), false) as "isTooSoon",
      b.declined_at is not null as "isCounted",
      (
        select count(*)::integer from unnest(b.declined_at) as at where at > kontor_now() - interval '24 hours'
      ) as "declinesInDay",
      (
        select count(*)::integer from unnest(b.declined_at) as at where at > kontor_now() - interval '30 days'
      ) as "declinesInMonth"`;

/** Locks a payee's card by its digest until the transaction ends. */
export const LOCK_CARD = `pg_advisory_xact_lock(hashtextextended('renewal ' || payee_id || encode(card_digest, 'hex'), 0))::text`;
