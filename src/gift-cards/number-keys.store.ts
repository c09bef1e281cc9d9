import type { Transaction } from '../db/transaction.types.ts';
import type { KeyId } from '../keys/keys.types.ts';
import type { SealedCard } from './gift-cards.types.ts';

const NUMBERED_WITH = `
  from account a
  join gift_card c on c.payee_id = a.payee_id and c.account_id = a.account_id
  where a.number_key_id collate "C" = $1::text
  limit $2::integer`;

/** How many gift cards are found by a digest under a key, up to `limit`. */
export async function countNumberedWith(
  transaction: Transaction,
  { keyId, limit }: { readonly keyId: KeyId; readonly limit: number },
): Promise<number> {
  const { rows } = await transaction.run<{ readonly cards: number }>(
    {
      name: 'gift-cards-count-numbered-with',
      text: `select count(*)::integer as cards from (select ${NUMBERED_WITH}) counted`,
    },
    [keyId, limit],
  );
  return rows[0]?.cards ?? 0;
}

/** Locks the accounts of some of them; those that another transaction has locked are left out. */
export async function lockNumberedWith(
  transaction: Transaction,
  { keyId, limit }: { readonly keyId: KeyId; readonly limit: number },
): Promise<readonly Pick<SealedCard, 'payeeId' | 'accountId' | 'numberSealed'>[]> {
  const { rows } = await transaction.run<Pick<SealedCard, 'payeeId' | 'accountId' | 'numberSealed'>>(
    {
      name: 'gift-cards-lock-numbered-with',
      text: `
        select a.payee_id as "payeeId", a.account_id as "accountId", c.number_sealed as "numberSealed"
        ${NUMBERED_WITH}
        for update of a skip locked`,
    },
    [keyId, limit],
  );
  return rows;
}
