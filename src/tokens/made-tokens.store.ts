import type { GuardedCall } from '../db/batch.types.ts';
import type { MadeToken } from './make-tokens.types.ts';

/** Locks payers until the transaction ends, and makes those that are new. Each is named once. */
export function touchPayers(payers: readonly Pick<MadeToken, 'payeeId' | 'payerReference'>[]): GuardedCall {
  return {
    statement: {
      name: 'tokens-touch-payers',
      text: `
        insert into payer (payee_id, payer_reference)
        select payee_id, payer_reference
        from unnest($1::uuid[], $2::text[]) as v (payee_id, payer_reference)
        order by payee_id, payer_reference collate "C"
        -- To do nothing would not lock the row.
        on conflict (payee_id, payer_reference) do update set first_seen_at = payer.first_seen_at`,
    },
    values: [payers.map(({ payeeId }) => payeeId), payers.map(({ payerReference }) => payerReference)],
    expected: payers.length,
  };
}

/** Adds tokens of cards, each a moment newer than the one before it, and each with the event that tells of it. */
export function insertMadeTokens(tokens: readonly MadeToken[]): GuardedCall {
  const column = (read: (token: MadeToken) => unknown) => tokens.map(read);
  return {
    statement: {
      name: 'tokens-insert-made',
      text: `
        insert into payer_token (payee_id, token, token_type, payer_reference, instrument, instrument_id, correlation_id,
          display_name, expiry_date, card_brand, last_four, created_at, identity_digest, event_sequence)
        select payee_id, token, token_type, payer_reference, 'CreditCard', instrument_id, instrument_id, display_name,
          expiry_date, card_brand, last_four, moment + position * interval '1 microsecond', identity_digest, 1
        from (select kontor_now() as moment) clock
        cross join unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::text[], $8::text[],
          $9::text[], $10::bytea[]) with ordinality as v (payee_id, token, token_type, payer_reference, instrument_id,
          display_name, expiry_date, card_brand, last_four, identity_digest, position)
        order by token`,
    },
    values: [
      column(({ payeeId }) => payeeId),
      column(({ token }) => token),
      column(({ tokenType }) => tokenType),
      column(({ payerReference }) => payerReference),
      column(({ instrument }) => instrument.instrumentId),
      column(({ instrument }) => instrument.masked),
      column(({ expiryDate }) => expiryDate),
      column(({ instrument }) => instrument.brand),
      column(({ instrument }) => instrument.lastFour),
      column(({ identityDigest }) => identityDigest),
    ],
    expected: tokens.length,
  };
}
