import type { Call } from '../db/batch/batch.types.ts';
import { overRows } from '../db/rows/over-rows.ts';
import { columnsOf, insertRows, some } from '../db/rows/tables.ts';
import type { Transaction } from '../db/transaction.types.ts';
import type { KeyChange, KeyId } from '../keys/keys.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { AccountKey } from '../ledger/ledger.types.ts';
import { GIFT_CARD } from './gift-cards.tables.ts';
import type { GiftCard, ProductId, SealedCard } from './gift-cards.types.ts';

/** The key that new values are sealed with, for each of the commands. It stays so until the transaction ends. */
export function loadCurrentKey(commands: readonly unknown[]): Call {
  return {
    statement: {
      name: 'gift-cards-load-current-key',
      text: `
        select v.position, k.key_id as "sealWith"
        from generate_series(0, $1::integer - 1) as v (position)
        cross join keys_for_writing() k
        where k.purpose = 'card-data' and k.state = 'Current'`,
    },
    values: [commands.length],
  };
}

/** Whose sums a product `g` limits. */
const LIMITED_SCOPES = `
  coalesce((
    select array_agg(distinct scope order by scope) from gift_card_limit l
    where l.payee_id = g.payee_id and l.product_id = g.product_id and l.amount is not null
  ), '{}')`;

/** What a deposit on a gift card may be, by its product. */
export const FIND_LIMITS = overRows<AccountKey>({
  name: 'gift-cards-find-limits',
  columns: GIFT_CARD.key,
  text: ({ payee, places }) => `
    select v.position::int, g.*
    from ${places}
    cross join lateral (
      select product_id, payer_reference from gift_card where payee_id = ${payee} and account_id = v.account_id limit 1
    ) c
    cross join lateral (
      select product_id as "productId", c.payer_reference as "payerReference", smallest_amount as "smallestAmount",
        largest_amount as "largestAmount", ${LIMITED_SCOPES} as scopes
      from gift_card_product g
      where payee_id = ${payee} and product_id = c.product_id
      limit 1
    ) g`,
});

/** Adds gift cards whose accounts are there. */
export const insertGiftCards = insertRows('gift-cards-insert', GIFT_CARD);

/** Rows that use a key, up to a limit. */
export async function countSealedWith(
  transaction: Transaction,
  { keyId, limit }: { readonly keyId: KeyId; readonly limit: number },
): Promise<number> {
  const { rows } = await transaction.run<{ count: number }>(
    {
      name: 'gift-cards-count-sealed-with',
      text: 'select count(*) as count from (select from gift_card where sealed_with = $1 limit $2) counted',
    },
    [keyId, limit],
  );
  return rows[0]?.count ?? 0;
}

const SEALED = ['payeeId', 'accountId', 'numberSealed', 'emailSealed', 'msisdnSealed'] as const;

/** Locks some rows that use a key, of those that no transaction has locked. */
export async function lockSealedWith(
  transaction: Transaction,
  { keyId, limit }: { readonly keyId: KeyId; readonly limit: number },
): Promise<readonly SealedCard[]> {
  const { rows } = await transaction.run<SealedCard>(
    {
      name: 'gift-cards-lock-sealed-with',
      text: `
        select ${some(GIFT_CARD, ...SEALED, 'sealedWith')}
        from gift_card
        where sealed_with = $1
        limit $2
        for no key update skip locked`,
    },
    [keyId, limit],
  );
  return rows;
}

const UPDATE_SEALED = overRows<SealedCard, [from: KeyId, to: KeyId]>({
  name: 'gift-cards-update-sealed',
  beside: 2,
  columns: columnsOf(GIFT_CARD, ...SEALED),
  text: ({ payee, rows }) => `
    update gift_card c
    set number_sealed = v.number_sealed, email_sealed = v.email_sealed, msisdn_sealed = v.msisdn_sealed,
      sealed_with = $2
    from ${rows}
    where c.payee_id = ${payee} and c.account_id = v.account_id and c.sealed_with = $1`,
});

/** Writes what another key wraps now. */
export async function updateSealed(
  transaction: Transaction,
  cards: readonly SealedCard[],
  change: KeyChange,
): Promise<number> {
  const { count } = await transaction.run(UPDATE_SEALED, UPDATE_SEALED.values(cards, change.from, change.to));
  return count;
}

/** Waits until no other run commits cards of the payee that are in a file; a run that was cut off may still do so. */
export async function lockCardFiles(transaction: Transaction, payeeId: PayeeId): Promise<void> {
  await transaction.run(
    {
      name: 'gift-cards-lock-files',
      text: `select pg_advisory_xact_lock(hashtextextended('gift-card files ' || $1, 0))`,
    },
    [payeeId],
  );
}

/** Which of the accounts are gift cards, and of which product. */
export async function selectIssued(
  transaction: Transaction,
  payeeId: PayeeId,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, ProductId>> {
  const { rows } = await transaction.run<Pick<GiftCard, 'accountId' | 'productId'>>(
    {
      name: 'gift-cards-select-issued',
      text: `
        select g.*
        from unnest($2::uuid[]) as v (account_id)
        cross join lateral (
          select ${some(GIFT_CARD, 'accountId', 'productId')}
          from gift_card
          where payee_id = $1::uuid and account_id = v.account_id
          limit 1
        ) g`,
    },
    [payeeId, accountIds],
  );
  return new Map(rows.map(({ accountId, productId }) => [accountId, productId]));
}
