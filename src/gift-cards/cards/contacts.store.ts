import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { AccountId } from '../../ledger/ledger.types.ts';

/** A gift card of which it is known whose it is, sealed. */
export interface CardWithContact {
  readonly payeeId: PayeeId;
  readonly accountId: AccountId;
  readonly productId: string;
  readonly issuedAt: string;
  readonly emailSealed: Buffer;
  readonly msisdnSealed: Buffer | null;
}

/** Some gift cards with an e-mail address, behind one, in the order of their ids. */
export async function selectWithEmail(
  read: Read,
  { payeeId, after, limit }: { readonly payeeId: PayeeId; readonly after: string; readonly limit: number },
): Promise<readonly CardWithContact[]> {
  const { rows } = await read<CardWithContact>(
    {
      name: 'gift-cards-select-with-email',
      text: `
        select payee_id as "payeeId", account_id as "accountId", product_id as "productId", issued_at as "issuedAt",
          email_sealed as "emailSealed", msisdn_sealed as "msisdnSealed"
        from gift_card
        where payee_id = $1 and account_id > $2::uuid and email_sealed is not null
        order by account_id
        limit $3`,
    },
    [payeeId, after, limit],
  );
  return rows;
}

/** Erases whose gift cards are, and answers of how many. */
export async function eraseContacts(
  transaction: Transaction,
  payeeId: PayeeId,
  accountIds: readonly AccountId[],
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'gift-cards-erase-contacts',
      text: `
        update gift_card set email_sealed = null, msisdn_sealed = null, payer_reference = null
        where payee_id = $1 and account_id = any ($2::uuid[]) and (email_sealed is not null or msisdn_sealed is not null)`,
    },
    [payeeId, accountIds],
  );
  return count;
}
