import type { Transaction } from '../db/transaction.types.ts';
import { forbidden, notFound } from '../kit/errors.ts';
import { isUuid } from '../kit/ids.ts';
import { SAVED_VIEWS } from '../kit/portal-limits.ts';
import { deleteView, insertView, type View, type ViewOwner } from './views.store.ts';

/**
 * Saves a list as a user wants to see it again. It is theirs alone, so nothing is said of it in the audit trail.
 *
 * @throws Refusal `forbidden` where they have too many
 */
export async function saveView(
  transaction: Transaction,
  owner: ViewOwner,
  view: Omit<View, 'createdAt'>,
): Promise<View> {
  const [saved] = (await insertView(transaction, owner, { ...view, most: SAVED_VIEWS })).rows;
  if (saved === undefined) throw forbidden('views', `You have ${SAVED_VIEWS} views: delete one first.`);
  return saved;
}

/**
 * Forgets a view of a user.
 *
 * @throws Refusal `notfound`
 */
export async function forgetView(transaction: Transaction, owner: ViewOwner, viewId: string): Promise<void> {
  if (!isUuid(viewId) || (await deleteView(transaction, owner, viewId)) === 0) throw notFound();
}
