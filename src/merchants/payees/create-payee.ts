import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Kontor } from '../../kontor.types.ts';
import { checkName } from '../access-tokens/credentials.rules.ts';
import { insertPayee } from './payees.store.ts';

/**
 * Creates a payee. Two payees may bear the same name: a name is for people.
 *
 * @throws Refusal `inputerror` for a name that breaks its rules
 */
export async function createPayee(
  transaction: Transaction,
  context: Kontor,
  command: { name: string; actor: Actor },
): Promise<PayeeId> {
  const name = checkName(command.name, context.cardPrefixes());
  const payeeId = context.newId() as PayeeId;
  const inserted = await insertPayee(transaction, { payeeId, name });
  assert(inserted === 1, 'a new payee is one row');
  await writeAudit(transaction, [{ payeeId, actor: command.actor, action: 'create-payee', objectId: payeeId }]);
  return payeeId;
}
