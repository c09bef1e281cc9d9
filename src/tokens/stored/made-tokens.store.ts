import { overRows } from '../../db/rows/over-rows.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import { STORED_CREDENTIAL } from '../tokens.tables.ts';
import type { MadeToken, StoredCredential } from './make-tokens.types.ts';

/** Locks payers until the transaction ends, and makes those that are new. Each is named once. */
export const touchPayers = overRows<Pick<MadeToken, 'payeeId' | 'payerReference'>, [now: string]>({
  name: 'tokens-touch-payers',
  beside: 1,
  columns: {
    payer_reference: ['text', 'payerReference'],
  },
  guard: 'adds',
  text: ({ payee, names, values, rows }) => `
    insert into payer (${names}, first_seen_at)
    select ${values}, $1::timestamptz from ${rows}
    order by ${payee}, payer_reference collate "C"
    -- To do nothing would not lock the row.
    on conflict (payee_id, payer_reference) do update set first_seen_at = payer.first_seen_at`,
}).call;

/** Adds tokens of cards, each a moment newer than the one before it, and each with the event that tells of it. */
export const insertMadeTokens = overRows<MadeToken, [now: string]>({
  name: 'tokens-insert-made',
  beside: 1,
  columns: {
    token: ['uuid', 'token'],
    token_type: ['text', 'tokenType'],
    payer_reference: ['text', 'payerReference'],
    instrument_id: ['uuid', ({ instrument }) => instrument.instrumentId],
    display_name: ['text', ({ instrument }) => instrument.masked],
    expiry_date: ['text', 'expiryDate'],
    card_brand: ['text', ({ instrument }) => instrument.brand],
    last_four: ['text', ({ instrument }) => instrument.lastFour],
    identity_digest: ['bytea', 'identityDigest'],
    identity_key_id: ['text', 'identityKeyId'],
  },
  guard: 'adds',
  text: ({ payee, places }) => `
    insert into payer_token (payee_id, token, token_type, payer_reference, instrument, instrument_id, correlation_id,
      display_name, expiry_date, card_brand, last_four, created_at, identity_digest, identity_key_id,
      event_sequence)
    select ${payee}, token, token_type, payer_reference, 'CreditCard', instrument_id, instrument_id, display_name,
      expiry_date, card_brand, last_four, $1::timestamptz + position * interval '1 microsecond', identity_digest, identity_key_id, 1
    from ${places}
    order by token`,
}).call;

/** Adds what the cards of new tokens are charged by later. */
export const insertCredentials = overRows<StoredCredential, [now: string]>({
  name: 'tokens-insert-credentials',
  beside: 1,
  columns: STORED_CREDENTIAL.added,
  guard: 'adds',
  text: ({ names, values, rows }) => `
    insert into stored_credential (${names}, created_at)
    select ${values}, $1::timestamptz from ${rows}`,
}).call;

/** The scheme's name of the payment that stored a token's card first; undefined where it is not known. */
export async function selectSchemeTransactionId(
  { run }: Transaction,
  { payeeId, token }: Pick<StoredCredential, 'payeeId' | 'token'>,
): Promise<string | undefined> {
  const { rows } = await run<Pick<StoredCredential, 'schemeTransactionId'>>(
    {
      name: 'tokens-select-scheme-transaction',
      text: `
        select scheme_transaction_id as "schemeTransactionId" from stored_credential
        where payee_id = $1 and token = $2`,
    },
    [payeeId, token],
  );
  return rows[0]?.schemeTransactionId;
}
