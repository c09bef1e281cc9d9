import { overRows } from '../db/rows/over-rows.ts';
import type { Transaction } from '../db/transaction.types.ts';
import type { KeyChange, KeyId } from '../keys/keys.types.ts';
import type { SealedInstrument } from '../vault/vault.types.ts';
import type { StoredToken } from './tokens.types.ts';

/** A token whose digest is under a key, with what opens its instrument; a tombstone has none. */
export interface DigestedToken
  extends Pick<StoredToken, 'payeeId' | 'token' | 'tokenType' | 'payerReference' | 'instrument' | 'lastFour'> {
  readonly expiryDate: string | null;
  readonly sealed: SealedInstrument | null;
}

/** How many tokens are known by a digest under a key, up to `limit`. */
export async function countDigested(
  transaction: Transaction,
  { keyId, limit }: { readonly keyId: KeyId; readonly limit: number },
): Promise<number> {
  const { rows } = await transaction.run<{ readonly tokens: number }>(
    {
      name: 'tokens-count-digested',
      text: `
        select count(*)::integer as tokens
        from (select from payer_token where identity_key_id = $1::text limit $2::integer) counted`,
    },
    [keyId, limit],
  );
  return rows[0]?.tokens ?? 0;
}

/** Locks some of them; those that another transaction has locked are left out. */
export async function lockDigested(
  transaction: Transaction,
  { keyId, limit }: { readonly keyId: KeyId; readonly limit: number },
): Promise<readonly DigestedToken[]> {
  const { rows } = await transaction.run<
    Omit<DigestedToken, 'sealed'> & {
      readonly instrumentId: SealedInstrument['instrumentId'] | null;
      readonly kind: SealedInstrument['kind'];
      readonly sealedContent: Buffer;
    }
  >(
    {
      name: 'tokens-lock-digested',
      text: `
        select t.payee_id as "payeeId", t.token, t.token_type as "tokenType", t.payer_reference as "payerReference",
          t.instrument, t.last_four as "lastFour", t.expiry_date as "expiryDate",
          i.instrument_id as "instrumentId", i.kind, i.sealed as "sealedContent"
        from payer_token t
        left join instrument i on i.payee_id = t.payee_id and i.instrument_id = t.instrument_id
        where t.identity_key_id = $1::text
        limit $2::integer
        for no key update of t skip locked`,
    },
    [keyId, limit],
  );
  return rows.map(({ instrumentId, kind, sealedContent, ...token }) => ({
    ...token,
    sealed: instrumentId === null ? null : { payeeId: token.payeeId, instrumentId, kind, sealed: sealedContent },
  }));
}

/** A token with its new digest. */
interface Redigested extends Pick<StoredToken, 'payeeId' | 'token'> {
  readonly digest: Buffer;
}

const UPDATE_DIGESTED = overRows<Redigested, [from: KeyId, to: KeyId]>({
  name: 'tokens-update-digested',
  beside: 2,
  columns: {
    token: ['uuid', 'token'],
    identity_digest: ['bytea', 'digest'],
  },
  text: ({ payee, rows }) => `
    update payer_token t
    set identity_digest = v.identity_digest, identity_key_id = $2::text, content_digest = null
    from ${rows}
    where t.payee_id = ${payee} and t.token = v.token and t.identity_key_id = $1::text`,
});

/** Gives tokens the digests of another key. That of a whole line is let go: the line is not there to be digested again. */
export async function updateDigested(
  transaction: Transaction,
  tokens: readonly Redigested[],
  { from, to }: KeyChange,
): Promise<number> {
  const { count } = await transaction.run(UPDATE_DIGESTED, UPDATE_DIGESTED.values(tokens, from, to));
  return count;
}
