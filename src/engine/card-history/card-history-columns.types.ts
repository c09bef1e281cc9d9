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

/** Card payments of a payee with a card that wait for their issuer, where `v` has its digest. */
export const cardPaymentsUnderWay = (payee: string) => `(
        select count(*)::integer from card_transaction
        where payee_id = ${payee} and card_digest = v.card_digest and state = 'Initialized'
      )`;

/**
 * Account payments that wait for their issuer. A card is one account of its payee. All that wait are
 * read first: they are few, and an index has these alone.
 */
export const accountPaymentsUnderWay = (payee: string, accountId: string) => `(
        select count(*)::integer
        from (
          select payee_id, account_id from issuer_attempt
          where due_at > (select kontor_now()) and state = 'CALLING' and transaction_id is null
          offset 0
        ) waiting
        where waiting.payee_id = ${payee} and waiting.account_id = ${accountId}
      )`;
