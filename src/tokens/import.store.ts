import type { Transaction } from '../db/transaction.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { KnownTokens, NewToken } from './import.types.ts';
import type { TokenGuid } from './tokens.types.ts';

/** Waits for other imports of the payee: two lines with one GUID would else not see each other until one has failed. */
export async function lockImports(transaction: Transaction, payeeId: PayeeId): Promise<void> {
  await transaction.run(
    { name: 'tokens-lock-imports', text: `select pg_advisory_xact_lock(hashtextextended('import-tokens ' || $1, 0))` },
    [payeeId],
  );
}

/** What the payee already has of these GUIDs and identities, deleted tokens among them. */
export async function readKnown(
  transaction: Transaction,
  payeeId: PayeeId,
  wanted: { readonly tokens: readonly TokenGuid[]; readonly identities: readonly Buffer[] },
): Promise<KnownTokens> {
  const [byToken, byIdentity] = await Promise.all([
    transaction.run<{ readonly token: TokenGuid; readonly contentDigest: Buffer | null }>(
      {
        name: 'tokens-known-guids',
        text: `
          select known.token, known.content_digest as "contentDigest"
          from unnest($2::uuid[]) as wanted (token)
          cross join lateral (
            select token, content_digest from payer_token where payee_id = $1 and token = wanted.token limit 1
          ) known`,
      },
      [payeeId, wanted.tokens],
    ),
    transaction.run<{ readonly identityDigest: Buffer }>(
      {
        name: 'tokens-known-identities',
        text: `
          select wanted.digest as "identityDigest"
          from unnest($1::bytea[]) as wanted (digest)
          cross join lateral (
            -- One look-up for each key. As a list of keys, a plan made on a small table reads all of the payee's tokens;
            -- so does one that may choose the primary key, by the payee. The digest has the payee in it.
            select from payer_token where identity_digest = wanted.digest limit 1
          ) known`,
      },
      [wanted.identities],
    ),
  ]);
  return {
    contentByToken: new Map(byToken.rows.map((row) => [row.token, row.contentDigest?.toString('hex')])),
    identities: new Set(byIdentity.rows.map((row) => row.identityDigest.toString('hex'))),
  };
}

/**
 * Adds imported tokens, each a moment newer than the one before it, so that a list shows the file's last line first.
 *
 * @returns how many were added
 */
export async function insertTokens(
  transaction: Transaction,
  payeeId: PayeeId,
  tokens: readonly NewToken[],
): Promise<number> {
  const column = (read: (token: NewToken) => unknown) => tokens.map(read);
  const { count } = await transaction.run(
    {
      name: 'tokens-insert',
      text: `
        insert into payer_token (
          payee_id, token, token_type, payer_reference, instrument, instrument_id, correlation_id, display_name,
          expiry_date, network_token_last_four, network_token_expiry_date, card_brand, last_four,
          state, archived_by, archive_reason, archived_at, created_at, imported, identity_digest, content_digest
        )
        select
          $1, token, token_type, payer_reference, instrument, instrument_id, instrument_id, display_name,
          expiry_date, network_token_last_four, network_token_expiry_date, card_brand, last_four,
          case when archived_by is null then 'Active' else 'Archived' end, archived_by, archive_reason,
          case when archived_by is null then null else moment + position * interval '1 microsecond' end,
          moment + position * interval '1 microsecond', true, identity_digest, content_digest
        from (select kontor_now() as moment) clock
        cross join unnest(
          $2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::text[], $8::text[], $9::text[], $10::text[],
          $11::text[], $12::text[], $13::text[], $14::text[], $15::bytea[], $16::bytea[]
        ) with ordinality as line (
          token, token_type, payer_reference, instrument, instrument_id, display_name, expiry_date,
          network_token_last_four, network_token_expiry_date, card_brand, last_four, archived_by, archive_reason,
          identity_digest, content_digest, position
        )
        order by token`,
    },
    [
      payeeId,
      column(({ token }) => token),
      column(({ line }) => line.tokenType),
      column(({ line }) => line.payerReference),
      column(({ line }) => line.instrument),
      column(({ instrument }) => instrument.instrumentId),
      column(({ line, instrument }) => line.displayName ?? instrument.masked),
      column(({ line }) => line.expiryDate ?? null),
      column(({ line }) => line.networkTokenLastFour ?? null),
      column(({ line }) => line.networkTokenExpiryDate ?? null),
      column(({ instrument }) => instrument.brand),
      column(({ instrument }) => instrument.lastFour),
      column(({ line }) => line.archived?.by ?? null),
      column(({ line }) => line.archived?.reason ?? null),
      column(({ identityDigest }) => identityDigest),
      column(({ contentDigest }) => contentDigest),
    ],
  );
  return count;
}
