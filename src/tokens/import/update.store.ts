import { overRows } from '../../db/rows/over-rows.ts';
import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { KeyId } from '../../keys/keys.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Secret } from '../../kit/secret.ts';
import type { InstrumentId } from '../../vault/vault.types.ts';
import { CHANGED, COLUMNS, FROM } from '../token-columns.types.ts';
import type { ChangedToken, StoredToken, TokenGuid, TokenRecord } from '../tokens.types.ts';

/** A token with another card, or the same one with another expiry. */
export interface UpdatedToken extends TokenRecord {
  /** The new number; undefined where that stays. */
  readonly number?: Secret | undefined;
}

/** The same as it is written; nulls where the number stays. */
interface UpdatedRow extends UpdatedToken {
  readonly identityDigest: Buffer | null;
  readonly identityKeyId: KeyId | null;
}

const byGuid = (name: string, lock: string) => ({
  name,
  text: `
    select t.*
    from (select token from unnest($2::uuid[]) as wanted (token) order by token) v
    cross join lateral (
      select ${COLUMNS} from ${FROM} where t.payee_id = $1::uuid and t.token = v.token limit 1 ${lock}
    ) t`,
});

/** Tokens by their GUIDs, deleted ones too. */
export function selectByGuid(
  transaction: Transaction,
  payeeId: PayeeId,
  tokens: readonly TokenGuid[],
): Promise<Rows<StoredToken>> {
  return transaction.run<StoredToken>(byGuid('tokens-select-by-guid', ''), [payeeId, tokens]);
}

/** The same, locked one after the other until the transaction ends. */
export function lockByGuid(
  transaction: Transaction,
  payeeId: PayeeId,
  tokens: readonly TokenGuid[],
): Promise<Rows<StoredToken>> {
  return transaction.run<StoredToken>(byGuid('tokens-lock-by-guid', 'for update of t'), [payeeId, tokens]);
}

/** Tokens of a payee that have a card, archived ones too. */
export async function selectByInstrument(
  transaction: Transaction,
  payeeId: PayeeId,
  instrumentId: InstrumentId,
): Promise<readonly StoredToken[]> {
  const { rows } = await transaction.run<StoredToken>(
    {
      name: 'tokens-select-by-instrument',
      text: `
        select ${COLUMNS} from ${FROM}
        where t.payee_id = $1::uuid and t.instrument_id = $2::uuid and t.state <> 'Deleted'
        order by t.token`,
    },
    [payeeId, instrumentId],
  );
  return rows;
}

/** What a file that has the card of a token `p` is known by later: `formerCard` writes the same of a line. */
const FORMER_CARD = `p.last_four || ' ' || coalesce(p.expiry_date, '')`;

const UPDATE_TOKENS = overRows<UpdatedRow>({
  name: 'tokens-update-cards',
  columns: {
    token: ['uuid', 'token'],
    instrument_id: ['uuid', 'instrumentId'],
    expiry_date: ['text', 'expiryDate'],
    card_brand: ['text', 'cardBrand'],
    last_four: ['text', 'lastFour'],
    identity_digest: ['bytea', 'identityDigest'],
    identity_key_id: ['text', 'identityKeyId'],
  },
  text: ({ payee, rows }) => `
    update payer_token p
    set instrument_id = v.instrument_id, expiry_date = v.expiry_date, card_brand = v.card_brand, last_four = v.last_four,
      identity_digest = coalesce(v.identity_digest, p.identity_digest),
      identity_key_id = coalesce(v.identity_key_id, p.identity_key_id),
      content_digest = null, event_sequence = event_sequence + 1,
      former_cards = array_append(array_remove(p.former_cards, ${FORMER_CARD}), ${FORMER_CARD})
    from ${rows}
    where p.payee_id = ${payee} and p.token = v.token and p.state <> 'Deleted'
    returning p.token, ${CHANGED}`,
});

/** Writes tokens that were updated. The line that they were imported by is theirs no longer. */
export function saveUpdated(transaction: Transaction, tokens: readonly UpdatedRow[]): Promise<Rows<ChangedToken>> {
  return transaction.run<ChangedToken>(UPDATE_TOKENS, UPDATE_TOKENS.values(tokens));
}
