import type { Read } from '../../db/transaction.types.ts';
import { inputError } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { readLimit } from '../newest-first.rules.ts';
import { selectListedProducts } from './installation.store.ts';
import type { ListedProduct } from './installation.types.ts';

/** A list of products as a request asks for it. */
export interface AskedProducts {
  readonly payeeId?: string | undefined;
  readonly state?: ListedProduct['state'] | undefined;
  /** A payee's id, a dash, and the id of its product that the page before ended with. */
  readonly cursor?: string | undefined;
  readonly limit?: string | undefined;
}

/** Before the products of every payee. */
const START = '00000000-0000-0000-0000-000000000000';

/**
 * A page of the gift-card products of all payees, or of one: the oldest payee first, each one's in the order of their ids.
 *
 * @throws Refusal `inputerror`
 */
export async function searchProducts(
  read: Read,
  { payeeId, state, cursor, limit: asked }: AskedProducts,
): Promise<{ readonly products: readonly ListedProduct[]; readonly next: string | null }> {
  const limit = readLimit(asked);
  if (payeeId !== undefined && !isUuid(payeeId)) throw inputError('payeeId', 'must be the id of a payee');
  const after = cursor === undefined ? { payeeId: payeeId ?? START, productId: '' } : readCursor(cursor);
  const wanted = { payeeId: payeeId ?? null, state: state ?? null, after, limit: limit + 1 };
  const found = await selectListedProducts(read, wanted);
  const products = found.slice(0, limit);
  const last = products.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { products, next: hasMore ? `${last.payeeId}-${last.productId}` : null };
}

function readCursor(cursor: string): { readonly payeeId: string; readonly productId: string } {
  const payeeId = cursor.slice(0, START.length);
  const productId = cursor.slice(START.length + 1);
  if (!isUuid(payeeId) || cursor[START.length] !== '-' || productId.includes('\0')) {
    throw inputError('cursor', 'must be the next of the page before');
  }
  return { payeeId, productId };
}
