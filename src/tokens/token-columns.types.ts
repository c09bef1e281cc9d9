// What statements about tokens read of them.

// The sealed value comes along only where reading the token opens it: a card's number never leaves the vault this way.
/** A token with what the vault says of its instrument, of `FROM`. */
export const COLUMNS = `
  t.payee_id as "payeeId", t.token, t.token_type as "tokenType", t.payer_reference as "payerReference", t.instrument,
  t.correlation_id as "correlationId", t.instrument_id as "instrumentId", t.display_name as "displayName", t.expiry_date as "expiryDate",
  t.network_token_last_four as "networkTokenLastFour", t.network_token_expiry_date as "networkTokenExpiryDate",
  t.card_brand as "cardBrand", t.last_four as "lastFour", t.state, t.archived_by as "archivedBy",
  t.archive_reason as "archiveReason", t.created_at::text as "createdAt",
  i.bin, i.card_type as "cardType", i.holder_type as "holderType", i.issuer_name as "issuerName",
  i.country_code as "countryCode", case when i.kind = 'Card' then null else i.sealed end as sealed`;

/** Tokens with their instruments. */
export const FROM = `payer_token t left join instrument i on i.payee_id = t.payee_id and i.instrument_id = t.instrument_id`;

/** What a change of tokens answers of each. */
export const CHANGED = `
  token_type as "tokenType", correlation_id as "correlationId", event_sequence as "eventSequence",
  greatest(kontor_now(), created_at, archived_at, deleted_at) as "changedAt"`;
