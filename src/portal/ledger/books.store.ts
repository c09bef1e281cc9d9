import type { Read, Statement } from '../../db/transaction.types.ts';
import { OPERATOR } from '../../kit/ids.ts';
import type { Books } from './ledger.types.ts';

const LAST_VERIFICATION: Statement = {
  name: 'portal-select-books',
  text: `
    select verified_at as "verifiedAt", invariants, broken from ledger_verification where payee_id = $1::uuid`,
};

/** What the last check of the books found; it is made for all payees together. */
export async function selectBooks(read: Read): Promise<Books | undefined> {
  return (await read<Books>(LAST_VERIFICATION, [OPERATOR])).rows[0];
}
