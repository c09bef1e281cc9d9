import type { Transaction } from '../db/transaction.types.ts';
import { OPERATOR } from '../kit/ids.ts';
import { type SandboxCredential, selectSandboxCredentials } from '../portal/installation/sandbox-credentials.store.ts';

/**
 * The credentials that a sandbox made by itself, for a database of production: their secrets lie in a file, and its operator has
 * no second factor. A sandbox that was started without its settings may have left them there.
 */
export async function sandboxComplaints(reader: Transaction): Promise<readonly string[]> {
  return (await selectSandboxCredentials(reader)).map(
    (credential) => `The database has a credential of a sandbox. End it: ${commandFor(credential)}`,
  );
}

function commandFor({ kind, id, payeeId }: SandboxCredential): string {
  const owner = payeeId === OPERATOR ? '--operator' : `--payee ${payeeId}`;
  return `kontor ${kind} ${kind === 'portal-users' ? 'disable' : 'revoke'} ${id} ${owner} --as NAME`;
}
