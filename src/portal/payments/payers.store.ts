import type { Read, Statement } from '../../db/transaction.types.ts';

/** A payer, and how many tokens they have. */
export interface ListedPayer {
  readonly payerReference: string;
  readonly firstSeenAt: string;
  readonly activeTokens: number;
  readonly archivedTokens: number;
}

/** Payers whose reference is from a text on, before another one, and after the cursor's; in the order of their bytes. */
export const PAYERS: Statement = {
  name: 'portal-select-payers',
  text: `
    select p.payer_reference as "payerReference", p.first_seen_at as "firstSeenAt", t.active as "activeTokens",
      t.archived as "archivedTokens"
    from (
      select * from payer
      where payee_id = $1::uuid and payer_reference <> ''
        and payer_reference collate "C" >= $2::text and payer_reference collate "C" < $3::text
        and payer_reference collate "C" > $4::text
      order by payer_reference collate "C" limit $5::integer
    ) p
    cross join lateral (
      select count(*) filter (where state = 'Active') as active, count(*) filter (where state = 'Archived') as archived
      from payer_token
      where payee_id = p.payee_id and payer_reference = p.payer_reference and state <> 'Deleted'
    ) t
    order by p.payer_reference collate "C"`,
};

/** Which payers are wanted. */
export interface PayerList {
  readonly payeeId: string;
  /** What their references begin with; empty: anything. */
  readonly beginning: string;
  /** The last one of the page before; empty: there was none. */
  readonly after: string;
  readonly limit: number;
}

/** Payers in the order of their references. */
export async function selectPayers(
  read: Read,
  { payeeId, beginning, after, limit }: PayerList,
): Promise<readonly ListedPayer[]> {
  // In the order of bytes this character is behind all others.
  const values = [payeeId, beginning, `${beginning}\u{10ffff}`, after, limit];
  return (await read<ListedPayer>(PAYERS, values)).rows;
}
