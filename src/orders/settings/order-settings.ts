import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { AuditDetails } from '../../journal/journal.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { inputError } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { OfferKey, OrderSettings, OwnOrderSettings, PayeeOffer } from '../orders.types.ts';
import type { OrdersContext } from '../orders-context.types.ts';
import {
  DEFAULT_WRITTEN,
  effectiveSettings,
  readSetting,
  SETTING_NAMES,
  type ShownSetting,
  shownSettings,
} from './order-settings.rules.ts';
import { lockOrderSettings, selectOrderSettings, updateOrderSettings } from './order-settings.store.ts';

/**
 * What a payee offers to pay its orders in a currency with. All who ask in one turn share one look-up, so it is asked for with each
 * request, and a change of a setting holds at once.
 */
export async function payeeOffer(
  { findOffer }: Pick<OrdersContext, 'findOffer'>,
  { payeeId, currency }: OfferKey,
): Promise<PayeeOffer> {
  const found = await findOffer({ payeeId, currency });
  assert(found, 'every payee has an offer');
  const { hasGiftCards, limitsGiftCards, ...own } = found;
  return { settings: effectiveSettings(own), hasGiftCards, limitsGiftCards };
}

/** What a payee has settled about its orders, the defaults filled in: one row by its key. */
export async function orderSettings(read: Read, payeeId: PayeeId): Promise<OrderSettings> {
  return effectiveSettings(await selectOrderSettings(read, payeeId));
}

/** Every setting of a payee, as people write them. */
export async function showOrderSettings(read: Read, payeeId: PayeeId): Promise<ShownSetting[]> {
  return shownSettings(await selectOrderSettings(read, payeeId));
}

/** Whose settings, and what becomes of them: names and values as people write them. */
export interface ChangeOrderSettings {
  readonly payeeId: PayeeId;
  readonly changes: readonly (readonly [name: string, value: string])[];
  readonly actor: Actor;
}

/**
 * Changes settings of a payee, all or none. What is as it was before is no change, and is not noted as one.
 *
 * @throws Refusal `inputerror` for a name that there is no setting of, a value that is none of its values, or a name twice
 */
export async function changeOrderSettings(
  transaction: Transaction,
  { payeeId, changes, actor }: ChangeOrderSettings,
): Promise<ShownSetting[]> {
  if (new Set(changes.map(([name]) => name)).size < changes.length) throw inputError('settings', 'must differ');
  const wanted: OwnOrderSettings = Object.assign({}, ...changes.map(([name, value]) => readSetting(name, value)));
  await lockOrderSettings(transaction, payeeId);
  const before = await selectOrderSettings(transaction.run.bind(transaction), payeeId);
  const own = { ...before, ...wanted };
  const saved = await updateOrderSettings(transaction, payeeId, own);
  assert(saved === 1, 'the settings of a payee are one row');
  const changed = SETTING_NAMES.filter((name) => (own[name] ?? null) !== (before?.[name] ?? null));
  const details: AuditDetails = Object.fromEntries(changed.map((name) => [name, own[name] ?? DEFAULT_WRITTEN]));
  if (changed.length > 0) {
    await writeAudit(transaction, [{ payeeId, actor, action: 'change-order-settings', objectId: payeeId, details }]);
  }
  return shownSettings(own);
}
