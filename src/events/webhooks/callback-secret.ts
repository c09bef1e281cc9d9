import type { Transaction } from '../../db/transaction.types.ts';
import type { AuditAction } from '../../journal/journal.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { Actor } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Secret } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import type { RotatedSecret } from '../events.types.ts';
import { lockCallbackSecret } from './secrets.store.ts';
import { createSigningSecret, openSigningSecrets, rotateSigningSecret } from './signing-secrets.ts';

/** Whose callback secret, and who asks. */
export interface CallbackSecretCommand {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
}

/** The secret that callbacks of a payee's payments are signed with; made where there is none yet. Asking is audited. */
export async function showCallbackSecret(
  transaction: Transaction,
  kontor: Kontor,
  command: CallbackSecretCommand,
): Promise<Secret> {
  const { payeeId } = command;
  await note(transaction, command, 'show-callback-secret');
  return ensureCallbackSecret(transaction, kontor, payeeId);
}

/** The same for code that needs it to work: made where there is none yet. */
export async function ensureCallbackSecret(
  transaction: Transaction,
  kontor: Kontor,
  payeeId: PayeeId,
): Promise<Secret> {
  const owner = { payeeId, webhookId: null };
  await lockCallbackSecret(transaction, payeeId);
  const [newest] = await openSigningSecrets(transaction.run.bind(transaction), kontor.keyRing, owner);
  return newest ?? createSigningSecret(transaction, kontor, owner);
}

/**
 * Puts a new secret in its place. For a while callbacks are signed with both.
 *
 * @param command `overlap` as in `24h` or `7d`; undefined is 24 hours
 * @throws Refusal `inputerror`
 */
export async function rotateCallbackSecret(
  transaction: Transaction,
  kontor: Kontor,
  command: CallbackSecretCommand & { readonly overlap: string | undefined },
): Promise<RotatedSecret> {
  const { payeeId, overlap } = command;
  await lockCallbackSecret(transaction, payeeId);
  const rotated = await rotateSigningSecret(transaction, kontor, { owner: { payeeId, webhookId: null }, overlap });
  await note(transaction, command, 'rotate-callback-secret');
  return rotated;
}

function note(transaction: Transaction, { payeeId, actor }: CallbackSecretCommand, action: AuditAction): Promise<void> {
  return writeAudit(transaction, [{ payeeId, actor, action, objectId: payeeId }]);
}
