import type { Read } from '../../db/transaction.types.ts';
import { isUuid, type PayeeId } from '../../kit/ids.ts';
import { PAGE_ACTIVITY } from '../../kit/limits.ts';
import { selectSomeOrders } from '../orders/orders.store.ts';
import { selectSomePayments } from '../payments/payments.store.ts';
import { selectWaiting } from './approvals.store.ts';
import type { ChangeObject, ObjectKind, PendingChange, ShownChange } from './approvals.types.ts';
import { afterwardsOf, orderObject, paymentObject } from './change-objects.rules.ts';
import {
  selectBatchesOfChanges,
  selectCardsOfChanges,
  selectDifferencesOfChanges,
  selectDisputesOfChanges,
  selectProductsOfChanges,
} from './change-objects.store.ts';

/** Says of changes what they are about and what stays afterwards: the person who decides sees it before. */
export async function describeChanges(
  read: Read,
  payeeId: PayeeId,
  changes: readonly PendingChange[],
): Promise<ShownChange[]> {
  const objects = await selectObjects(read, payeeId, changes);
  const find = (kind: ObjectKind | null, id: string | null): ChangeObject | null =>
    objects.find((one) => one.kind === kind && one.id === id) ?? null;
  return changes.map((change) => {
    const object = find(change.objectKind, change.objectId);
    const into = find('gift-card', change.intoId);
    return { ...change, object, into, afterwards: afterwardsOf(change, object, into) };
  });
}

const BY_UUID: readonly ObjectKind[] = ['payment', 'order', 'gift-card', 'difference', 'dispute'];

async function selectObjects(
  read: Read,
  payeeId: PayeeId,
  changes: readonly PendingChange[],
): Promise<readonly ChangeObject[]> {
  const named = changes.flatMap(({ objectKind: kind, objectId: id, intoId }) => [
    { kind, id },
    { kind: 'gift-card' as const, id: intoId },
  ]);
  /** Asks only where something of the kind is named. */
  const ofKind = async (
    kind: ObjectKind,
    select: (ids: readonly string[]) => Promise<readonly ChangeObject[]>,
  ): Promise<readonly ChangeObject[]> => {
    const ids = named.flatMap((one) =>
      one.kind === kind && one.id !== null && (!BY_UUID.includes(kind) || isUuid(one.id)) ? one.id : [],
    );
    return ids.length === 0 ? [] : select([...new Set(ids)]);
  };
  const found = await Promise.all([
    ofKind('payment', async (ids) => (await selectSomePayments(read, payeeId, ids)).map(paymentObject)),
    ofKind('order', async (ids) => (await selectSomeOrders(read, payeeId, ids)).map(orderObject)),
    ofKind('gift-card', (ids) => selectCardsOfChanges(read, payeeId, ids)),
    ofKind('product', (ids) => selectProductsOfChanges(read, payeeId, ids)),
    ofKind('difference', (ids) => selectDifferencesOfChanges(read, payeeId, ids)),
    ofKind('dispute', (ids) => selectDisputesOfChanges(read, payeeId, ids)),
    ofKind('batch', (ids) => selectBatchesOfChanges(read, payeeId, ids)),
  ]);
  return found.flat();
}

/** What waits for another person and is about an object: its page shows it, and takes it off what remains. */
export async function waitingFor(read: Read, payeeId: PayeeId, objectId: string): Promise<ShownChange[]> {
  const rows = await selectWaiting(read, { payeeId, objectId }, PAGE_ACTIVITY);
  return rows.length === 0 ? [] : describeChanges(read, payeeId, rows);
}

/** A change as it is told: its object in place of the object's id. */
export function shownChange({ objectKind: _kind, objectId: _id, intoId: _into, ...shown }: ShownChange) {
  return shown;
}
