import { overRows } from '../db/rows/over-rows.ts';
import type { Read, Rows, Statement, Transaction } from '../db/transaction.types.ts';
import type { KeyId } from '../keys/keys.types.ts';
import { GREATEST_UUID, type PayeeId } from '../kit/ids.ts';
import type { InstrumentId } from '../vault/vault.types.ts';
import { CHANGED, COLUMNS, FROM } from './token-columns.types.ts';
import type {
  Archiving,
  ChangedToken,
  StoredToken,
  TokenCursor,
  TokenFilter,
  TokenGuid,
  TokenKey,
} from './tokens.types.ts';

/** The hottest statement of the token API: reads of one tick, in one round trip. */
export const READ_TOKENS = overRows<TokenKey>({
  name: 'tokens-read',
  columns: { token: ['uuid', 'token'] },
  text: ({ payee, places }) => `
    select v.position::int, t.*
    from ${places}
    cross join lateral (
      select ${COLUMNS} from ${FROM} where t.payee_id = ${payee} and t.token = v.token
      -- Keeps the planner from making a plain join of it, which would walk the index anew for each key.
      limit 1
    ) t`,
});

/** One token, locked until the transaction ends. */
export async function lockToken(transaction: Transaction, key: TokenKey): Promise<StoredToken | undefined> {
  const { rows } = await transaction.run<StoredToken>(
    {
      name: 'tokens-lock',
      text: `select ${COLUMNS} from ${FROM} where t.payee_id = $1 and t.token = $2 for update of t`,
    },
    [key.payeeId, key.token],
  );
  return rows[0];
}

export interface PageOfTokens {
  readonly payeeId: PayeeId;
  readonly payerReference: string;
  readonly archivedOnly: boolean;
  readonly filter: TokenFilter;
  readonly after: TokenCursor | undefined;
  readonly limit: number;
}

interface PageRow extends StoredToken {
  /** Of the whole collection; on each row, and on a row without a token where the page is empty. */
  readonly imported: boolean;
}

/** One page of a payer's tokens, newest first, and whether any token of the collection came by import. */
export async function readPage(read: Read, page: PageOfTokens): Promise<{ tokens: StoredToken[]; imported: boolean }> {
  const { rows } = await read<PageRow>(
    {
      name: 'tokens-page',
      text: `
        select collection.imported, page.*
        from (
          select exists (
            select from payer_token
            where payee_id = $1 and payer_reference = $2 and state <> 'Deleted' and imported
              and (not $9::boolean or state = 'Archived')
          ) as imported
        ) collection
        left join lateral (
          select ${COLUMNS} from ${FROM}
          where t.payee_id = $1 and t.payer_reference = $2 and t.state <> 'Deleted'
            and (not $9::boolean or t.state = 'Archived')
            and ($3::text is null or t.state = $3)
            and ($4::text is null or t.token_type = $4)
            and ($5::text is null or t.instrument = $5)
            and (t.created_at, t.token) < ($6::timestamptz, $7::uuid)
          order by t.created_at desc, t.token desc
          limit $8
        ) page on true
        order by page."createdAt"::timestamptz desc, page.token desc`,
    },
    [
      page.payeeId,
      page.payerReference,
      page.filter.state ?? null,
      page.filter.tokenType ?? null,
      page.filter.instrument ?? null,
      page.after?.createdAt ?? 'infinity',
      page.after?.token ?? GREATEST_UUID,
      page.limit,
      page.archivedOnly,
    ],
  );
  return { tokens: rows.filter((row) => row.token !== null), imported: rows[0]?.imported ?? false };
}

export interface PayerCards {
  readonly payeeId: PayeeId;
  readonly payerReference: string;
  /** `YYYY-MM`: cards that expired before are left out. */
  readonly oldestMonth: string;
  readonly limit: number;
}

/** Of each card that a payer may pay with the newest token, newest first: however many tokens of it there are. */
export async function selectPayerCards(read: Read, cards: PayerCards): Promise<readonly StoredToken[]> {
  const { rows } = await read<StoredToken>(
    {
      name: 'tokens-payer-cards',
      text: `
        select * from (
          select distinct on (t.instrument_id) ${COLUMNS} from ${FROM}
          where t.payee_id = $1 and t.payer_reference = $2 and t.state = 'Active'
            and t.token_type = 'Payment' and t.instrument = 'CreditCard'
            and right(t.expiry_date, 4) || '-' || left(t.expiry_date, 2) >= $3
          order by t.instrument_id, t.created_at desc, t.token desc
        ) card
        order by "createdAt"::timestamptz desc, token desc
        limit $4`,
    },
    [cards.payeeId, cards.payerReference, cards.oldestMonth, cards.limit],
  );
  return rows;
}

/** Locks the payer, whose row is made where it is missing; who makes tokens and who archives all of them wait here. */
export async function lockPayers(
  transaction: Transaction,
  payeeId: PayeeId,
  references: readonly string[],
): Promise<void> {
  const sorted = [...new Set(references)].sort();
  const values = [payeeId, sorted];
  const [, { count }] = await Promise.all([transaction.run(MAKE_PAYERS, values), transaction.run(LOCK_PAYERS, values)]);
  // The job for unused payers has deleted one between both statements.
  if (count < sorted.length) await lockPayers(transaction, payeeId, sorted);
}

const MAKE_PAYERS: Statement = {
  name: 'tokens-make-payers',
  text: `
    insert into payer (payee_id, payer_reference)
    select $1, payer_reference from unnest($2::text[]) as payer_reference
    order by payer_reference collate "C"
    on conflict do nothing`,
};

const LOCK_PAYERS: Statement = {
  name: 'tokens-lock-payers',
  text: `
    select from payer where payee_id = $1 and payer_reference = any ($2::text[])
    order by payer_reference collate "C"
    for no key update`,
};

/** All tokens of a payer that are there, locked. */
export async function lockPayerTokens(
  transaction: Transaction,
  payeeId: PayeeId,
  payerReference: string,
): Promise<readonly StoredToken[]> {
  const { rows } = await transaction.run<StoredToken>(
    {
      name: 'tokens-lock-of-payer',
      text: `
        select ${COLUMNS} from ${FROM}
        where t.payee_id = $1 and t.payer_reference = $2 and t.state <> 'Deleted'
        order by t.created_at desc, t.token desc
        for update of t`,
    },
    [payeeId, payerReference],
  );
  return rows;
}

/** @returns the tokens that were changed: those that are not deleted */
export function saveDisplayName(
  transaction: Transaction,
  key: TokenKey,
  displayName: string,
): Promise<Rows<ChangedToken>> {
  return transaction.run(
    {
      name: 'tokens-rename',
      text: `
        update payer_token
        set display_name = $3, event_sequence = event_sequence + 1
        where payee_id = $1 and token = $2 and state <> 'Deleted'
        returning token, ${CHANGED}`,
    },
    [key.payeeId, key.token, displayName],
  );
}

/** @returns the tokens that were changed: those that were active */
export function saveArchived(
  transaction: Transaction,
  payeeId: PayeeId,
  tokens: readonly TokenGuid[],
  { updatedBy, reason }: Archiving,
): Promise<Rows<ChangedToken>> {
  return transaction.run(
    {
      name: 'tokens-archive',
      text: `
        update payer_token
        set state = 'Archived', archived_by = $3, archive_reason = $4, archived_at = greatest(kontor_now(), created_at),
          event_sequence = event_sequence + 1
        where payee_id = $1 and token = any ($2::uuid[]) and state = 'Active'
        returning token, ${CHANGED}`,
    },
    [payeeId, tokens, updatedBy, reason],
  );
}

/** Tokens to be deleted, with the digest that each is known by afterwards, which is made without a number. */
interface Tombstones {
  readonly tokens: readonly TokenGuid[];
  /** Null where a token has no last digits: it is known by the digest that it has, until the key is rotated. */
  readonly digests: readonly (Buffer | null)[];
  readonly keyId: KeyId;
}

/**
 * Makes tombstones of the tokens.
 *
 * @returns the tokens that were changed
 */
export function saveDeleted(
  transaction: Transaction,
  payeeId: PayeeId,
  tombstones: Tombstones,
  comment: string | undefined,
): Promise<Rows<ChangedToken>> {
  const { tokens, digests, keyId } = tombstones;
  return transaction.run(
    {
      name: 'tokens-delete',
      text: `
        with forgotten as (delete from stored_credential where payee_id = $1 and token = any ($2::uuid[]))
        update payer_token
        set state = 'Deleted', deleted_at = greatest(kontor_now(), created_at, archived_at), delete_comment = $3, instrument_id = null,
          identity_digest = coalesce(($4::bytea[])[array_position($2::uuid[], token)], identity_digest),
          identity_key_id = case when last_four is null then identity_key_id else $5::text end,
          content_digest = null, event_sequence = event_sequence + 1
        where payee_id = $1 and token = any ($2::uuid[]) and state <> 'Deleted'
        returning token, ${CHANGED}`,
    },
    [payeeId, tokens, comment ?? null, digests, keyId],
  );
}

/** Of these instruments, those that no token points to any more. */
export async function findUnused(
  transaction: Transaction,
  payeeId: PayeeId,
  instrumentIds: readonly InstrumentId[],
): Promise<readonly InstrumentId[]> {
  const { rows } = await transaction.run<{ readonly instrumentId: InstrumentId }>(
    {
      name: 'tokens-find-unused',
      text: `
        select candidate as "instrumentId"
        from unnest($2::uuid[]) as candidate
        where not exists (select from payer_token where payee_id = $1 and instrument_id = candidate)`,
    },
    [payeeId, instrumentIds],
  );
  return rows.map((row) => row.instrumentId);
}
