import type { Read } from '../../db/transaction.types.ts';
import { inputError } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { PAYER_REFERENCE_CHARACTERS } from '../../kit/limits.ts';
import { readLimit } from '../newest-first.rules.ts';
import { type ListedPayer, selectPayers } from './payers.store.ts';

/** A list of payers as a request asks for it: the cursor is the last reference of the page before. */
export interface AskedPayers {
  readonly search?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: string | undefined;
}

/**
 * A page of a payee's payers whose reference begins with a text, in the order of the references.
 *
 * @throws Refusal `inputerror`
 */
export async function searchPayers(
  read: Read,
  payeeId: PayeeId,
  { search = '', cursor = '', limit: asked }: AskedPayers,
): Promise<{ readonly payers: readonly ListedPayer[]; readonly next: string | null }> {
  const limit = readLimit(asked);
  refuseLong({ search, cursor });
  const found = await selectPayers(read, { payeeId, beginning: search, after: cursor, limit: limit + 1 });
  const payers = found.slice(0, limit);
  return { payers, next: found.length > limit ? (payers.at(-1)?.payerReference ?? null) : null };
}

function refuseLong(texts: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(texts)) {
    if (text.length > PAYER_REFERENCE_CHARACTERS || text.includes('\0')) {
      throw inputError(name, `must have at most ${PAYER_REFERENCE_CHARACTERS} characters`);
    }
  }
}
