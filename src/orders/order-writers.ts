import { timedWriter, writer } from '../kit/row-writes.ts';
import {
  CHANGED_LEG,
  CHANGED_ORDER,
  ENDED_ORDER_TRANSACTION,
  HISTORY_ENTRY,
  NEW_LEG,
  NEW_ORDER,
  NEW_ORDER_TRANSACTION,
  NEW_PART,
  OTHER_TERMS,
  PAYER_OF_ORDER,
} from './orders.types.ts';
import { insertPayers } from './payers/payers.store.ts';
import {
  insertHistory,
  insertLegs,
  insertOrders,
  insertOrderTransactions,
  insertParts,
  updateLegs,
  updateOrders,
  updateOrderTransactions,
  updateTerms,
} from './save-orders.store.ts';

/** What writes orders in a batch, in the order in which their rows refer to each other. */
export const ORDER_WRITERS = [
  writer(NEW_ORDER, insertOrders),
  writer(CHANGED_ORDER, updateOrders),
  writer(OTHER_TERMS, updateTerms),
  writer(NEW_LEG, insertLegs),
  writer(CHANGED_LEG, updateLegs),
  writer(NEW_ORDER_TRANSACTION, insertOrderTransactions),
  writer(NEW_PART, insertParts),
  writer(ENDED_ORDER_TRANSACTION, updateOrderTransactions),
  writer(HISTORY_ENTRY, insertHistory),
  timedWriter(PAYER_OF_ORDER, insertPayers),
];
