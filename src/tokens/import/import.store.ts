import { readNow } from '../../db/clock.ts';
import { overPlainRows } from '../../db/rows/over-rows.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { TokenGuid } from '../tokens.types.ts';
import type { FormerCard, KnownTokens, NewToken } from './import.types.ts';

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
  wanted: {
    readonly tokens: readonly TokenGuid[];
    readonly identities: readonly Buffer[];
    readonly formers: readonly FormerCard[];
  },
): Promise<KnownTokens> {
  const [byToken, byIdentity, formers] = await Promise.all([
    transaction.run<{ readonly token: TokenGuid; readonly digest: Buffer }>(
      {
        name: 'tokens-known-guids',
        text: `
          select known.token, coalesce(known.content_digest, known.identity_digest) as digest
          from unnest($2::uuid[]) as wanted (token)
          cross join lateral (
            select token, content_digest, identity_digest from payer_token where payee_id = $1 and token = wanted.token limit 1
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
    readFormers(transaction, payeeId, wanted.formers),
  ]);
  return {
    contentByToken: new Map(byToken.rows.map((row) => [row.token, row.digest.toString('hex')])),
    identities: new Set(byIdentity.rows.map((row) => row.identityDigest.toString('hex'))),
    formers,
  };
}

/** Those of the cards that tokens of the payee had before an update. */
async function readFormers(
  transaction: Transaction,
  payeeId: PayeeId,
  wanted: readonly FormerCard[],
): Promise<readonly FormerCard[]> {
  if (wanted.length === 0) return [];
  const { rows } = await transaction.run<FormerCard>(
    {
      name: 'tokens-known-former-cards',
      text: `
        select wanted.payer_reference as "payerReference", wanted.token_type as "tokenType", wanted.instrument, wanted.card
        from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as wanted (payer_reference, token_type, instrument, card)
        cross join lateral (
          select from payer_token t
          where t.payee_id = $1 and t.payer_reference = wanted.payer_reference and t.token_type = wanted.token_type
            and t.instrument = wanted.instrument and t.former_cards is not null and wanted.card = any (t.former_cards)
          limit 1
        ) known`,
    },
    [
      payeeId,
      wanted.map(({ payerReference }) => payerReference),
      wanted.map(({ tokenType }) => tokenType),
      wanted.map(({ instrument }) => instrument),
      wanted.map(({ card }) => card),
    ],
  );
  return rows;
}

const INSERT_TOKENS = overPlainRows<NewToken, [PayeeId]>({
  name: 'tokens-insert',
  beside: 1,
  columns: {
    token: ['uuid', 'token'],
    token_type: ['text', ({ line }) => line.tokenType],
    payer_reference: ['text', ({ line }) => line.payerReference],
    instrument: ['text', ({ line }) => line.instrument],
    instrument_id: ['uuid', ({ instrument }) => instrument.instrumentId],
    display_name: ['text', ({ line, instrument }) => line.displayName ?? instrument.masked],
    expiry_date: ['text', ({ line }) => line.expiryDate ?? null],
    network_token_last_four: ['text', ({ line }) => line.networkTokenLastFour ?? null],
    network_token_expiry_date: ['text', ({ line }) => line.networkTokenExpiryDate ?? null],
    card_brand: ['text', ({ instrument }) => instrument.brand],
    last_four: ['text', ({ instrument }) => instrument.lastFour],
    archived_by: ['text', ({ line }) => line.archived?.by ?? null],
    archive_reason: ['text', ({ line }) => line.archived?.reason ?? null],
    identity_digest: ['bytea', 'identityDigest'],
    identity_key_id: ['text', 'identityKeyId'],
    content_digest: ['bytea', 'contentDigest'],
  },
  text: ({ places }) => `
    insert into payer_token (
      payee_id, token, token_type, payer_reference, instrument, instrument_id, correlation_id, display_name,
      expiry_date, network_token_last_four, network_token_expiry_date, card_brand, last_four,
      state, archived_by, archive_reason, archived_at, created_at, imported, identity_digest,
      identity_key_id, content_digest
    )
    select
      $1, token, token_type, payer_reference, instrument, instrument_id, instrument_id, display_name,
      expiry_date, network_token_last_four, network_token_expiry_date, card_brand, last_four,
      case when archived_by is null then 'Active' else 'Archived' end, archived_by, archive_reason,
      case when archived_by is null then null else moment + position * interval '1 microsecond' end,
      moment + position * interval '1 microsecond', true, identity_digest, identity_key_id, content_digest
    from (select kontor_now() as moment) clock
    cross join ${places}
    order by token`,
});

/** The time of the database. */
export const selectNow = readNow;

/** Adds imported tokens, each a moment newer than the one before it, so that a list shows the file's last line first. */
export async function insertTokens(
  transaction: Transaction,
  payeeId: PayeeId,
  tokens: readonly NewToken[],
): Promise<void> {
  if (tokens.length === 0) return;
  const { count } = await transaction.run(INSERT_TOKENS, INSERT_TOKENS.values(tokens, payeeId));
  assert(count === tokens.length, 'every new token is added');
}
