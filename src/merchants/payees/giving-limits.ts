import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { inputError } from '../../kit/errors.ts';
import { type GivingLimits, NO_LIMIT, readLimits, type WrittenLimits } from '../../kit/giving-limits.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { parseCurrency } from '../../kit/money.ts';
import { ALL_CURRENCIES, selectGivingLimits, upsertGivingLimits } from './giving-limits.store.ts';

/** Whose limits, and what they are to be. */
export interface SetGivingLimits extends WrittenLimits {
  readonly payeeId: PayeeId;
  /** Undefined: every currency without limits of its own. */
  readonly currency: string | undefined;
  readonly actor: Actor;
}

/**
 * Sets how much people of a payee give away by pages of the portal at once, and with their password.
 *
 * @throws Refusal `inputerror` for a currency or an amount that is none, or a second limit below the first one
 */
export async function setGivingLimits(transaction: Transaction, command: SetGivingLimits): Promise<GivingLimits> {
  const { payeeId, currency = ALL_CURRENCIES, actor } = command;
  if (currency !== ALL_CURRENCIES && parseCurrency(currency) === undefined) {
    throw inputError('currency', 'must be a code of ISO 4217, as in NOK');
  }
  const limits = readLimits(command);
  const saved = await upsertGivingLimits(transaction, { payeeId, currency }, limits);
  assert(saved === 1, 'the limits of a currency are one row');
  const said = (limit: number | null) => limit ?? NO_LIMIT;
  const details = {
    currency,
    confirmAbove: said(limits.confirmAbove),
    secondPersonAbove: said(limits.secondPersonAbove),
  };
  await writeAudit(transaction, [{ payeeId, actor, action: 'set-giving-limits', objectId: payeeId, details }]);
  return limits;
}

/** The limits of a payee in a currency, else those that it has for all; undefined where it has none of its own. */
export async function findGivingLimits(
  transaction: Transaction,
  where: { readonly payeeId: PayeeId; readonly currency: string },
): Promise<GivingLimits | undefined> {
  return (await selectGivingLimits(transaction, where)).rows[0];
}
