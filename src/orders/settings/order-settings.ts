import type { Read } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { OrderSettings } from '../orders.types.ts';
import { effectiveSettings } from './order-settings.rules.ts';
import { selectOrderSettings } from './order-settings.store.ts';

/** What a payee has settled about its orders, the defaults filled in: one row by its key. */
export async function orderSettings(read: Read, payeeId: PayeeId): Promise<OrderSettings> {
  return effectiveSettings(await selectOrderSettings(read, payeeId));
}
