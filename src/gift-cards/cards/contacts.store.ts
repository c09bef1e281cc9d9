import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { AccountId } from '../../ledger/ledger.types.ts';

/** A gift card of which it is known whose it is, or who has bought it. */
export interface CardWithContact {
  readonly payeeId: PayeeId;
  readonly accountId: AccountId;
  readonly productId: string;
  readonly issuedAt: string;
  readonly emailSealed: Buffer | null;
  readonly msisdnSealed: Buffer | null;
}

const CARD = `
  select payee_id as "payeeId", account_id as "accountId", product_id as "productId", issued_at as "issuedAt",
    email_sealed as "emailSealed", msisdn_sealed as "msisdnSealed"
  from gift_card`;

/** The gift cards that a payer has bought, by the payee's reference. */
export async function selectOfPayer(
  read: Read,
  { payeeId, payerReference }: { readonly payeeId: PayeeId; readonly payerReference: string },
): Promise<readonly CardWithContact[]> {
  const { rows } = await read<CardWithContact>(
    {
      name: 'gift-cards-select-of-payer',
      text: `${CARD} where payee_id = $1 and payer_reference = $2::text order by account_id`,
    },
    [payeeId, payerReference],
  );
  return rows;
}

/** How many gift cards a payer has bought, counted up to a number. */
export async function countOfPayer(
  read: Read,
  { payeeId, payerReference }: { readonly payeeId: PayeeId; readonly payerReference: string },
  upTo: number,
): Promise<number> {
  const { count } = await read(
    {
      name: 'gift-cards-count-of-payer',
      text: 'select 1 from gift_card where payee_id = $1 and payer_reference = $2::text limit $3',
    },
    [payeeId, payerReference, upTo],
  );
  return count;
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
        ${CARD}
        where payee_id = $1 and account_id > $2::uuid and email_sealed is not null
        order by account_id
        limit $3`,
    },
    [payeeId, after, limit],
  );
  return rows;
}

/** Erases whose gift cards are and who has bought them, and answers of how many. The pseudonym stands where a reference stood. */
export async function eraseContacts(
  transaction: Transaction,
  payeeId: PayeeId,
  { accountIds, pseudonym }: { readonly accountIds: readonly AccountId[]; readonly pseudonym: string },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'gift-cards-erase-contacts',
      text: `
        update gift_card set email_sealed = null, msisdn_sealed = null,
          payer_reference = case when payer_reference is not null then $3::text end
        where payee_id = $1 and account_id = any ($2::uuid[])`,
    },
    [payeeId, accountIds, pseudonym],
  );
  return count;
}
