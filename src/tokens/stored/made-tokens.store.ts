import { overRows } from '../../db/rows/over-rows.ts';
import { insertRows } from '../../db/rows/tables.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import { STORED_CREDENTIAL } from '../tokens.tables.ts';
import type { MadeToken, StoredCredential } from './make-tokens.types.ts';

/** Locks payers until the transaction ends, and makes those that are new. Each is named once. */
export const touchPayers = overRows<Pick<MadeToken, 'payeeId' | 'payerReference'>>({
  name: 'tokens-touch-payers',
  columns: {
    payee_id: ['uuid', 'payeeId'],
    payer_reference: ['text', 'payerReference'],
  },
  guard: 'adds',
  text: ({ names, rows }) => `
    insert into payer (${names})
    select * from ${rows}
    order by payee_id, payer_reference collate "C"
    -- To do nothing would not lock the row.
    on conflict (payee_id, payer_reference) do update set first_seen_at = payer.first_seen_at`,
}).call;

/** Adds tokens of cards, each a moment newer than the one before it, and each with the event that tells of it. */
export const insertMadeTokens = overRows<MadeToken>({
  name: 'tokens-insert-made',
  columns: {
    payee_id: ['uuid', 'payeeId'],
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
  text: ({ places }) => `
    insert into payer_token (payee_id, token, token_type, payer_reference, instrument, instrument_id, correlation_id,
      display_name, expiry_date, card_brand, last_four, created_at, identity_digest, identity_key_id,
      event_sequence)
    select payee_id, token, token_type, payer_reference, 'CreditCard', instrument_id, instrument_id, display_name,
      expiry_date, card_brand, last_four, moment + position * interval '1 microsecond', identity_digest, identity_key_id, 1
    from (select kontor_now() as moment) clock
    cross join ${places}
    order by token`,
}).call;

/** Adds what the cards of new tokens are charged by later. */
export const insertCredentials = insertRows('tokens-insert-credentials', STORED_CREDENTIAL);

/** The scheme's name of the payment that stored a token's card first; undefined where it is not known. */
export async function selectSchemeTransactionId(
  { run }: Pick<Transaction, 'run'>,
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
