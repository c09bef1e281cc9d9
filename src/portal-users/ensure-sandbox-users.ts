import type { Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import type { Actor } from '../kit/caller.ts';
import { OPERATOR, type PayeeId } from '../kit/ids.ts';
import type { Role } from '../kit/portal-user.ts';
import { Secret } from '../kit/secret.ts';
import { createUser } from './create-user.ts';
import { setPassword } from './passwords/set-password.ts';
import type { PortalUsersContext } from './portal-users.types.ts';
import { readSandboxUsers, type SandboxUser, type SandboxUsers } from './sandbox-users.rules.ts';
import { findUserByEmail } from './show-user.ts';

/** Who a user of the sandbox is. */
interface Wanted {
  readonly payeeId: PayeeId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Of an earlier start; undefined where there is none. */
  readonly password: string | undefined;
  readonly actor: Actor;
}

/**
 * Makes sure that the sandbox's portal has an administrator of the demo payee and an operator, whose passwords are in
 * `sandbox.json`. One that works stays as it is; else it is set anew. They have no second factor: their passwords lie in a
 * file, and are worth nothing outside of the sandbox.
 *
 * @param command `file`: the parsed `sandbox.json` of an earlier start, or undefined
 */
export async function ensureSandboxUsers(
  transaction: Transaction,
  context: PortalUsersContext,
  command: { payeeId: PayeeId; file: unknown; actor: Actor },
): Promise<SandboxUsers> {
  assert(context.mode === 'sandbox', 'passwords in a file are for the sandbox');
  const { payeeId, actor } = command;
  const remains = readSandboxUsers(command.file);
  const administrator = await ensureUser(transaction, context, {
    payeeId,
    actor,
    email: 'demo@kontor.example',
    name: 'Demo administrator',
    role: 'administrator',
    password: remains.administrator,
  });
  const operator = await ensureUser(transaction, context, {
    payeeId: OPERATOR,
    actor,
    email: 'operator@kontor.example',
    name: 'Sandbox operator',
    role: 'operator',
    password: remains.operator,
  });
  return { ...administrator, operator };
}

async function ensureUser(transaction: Transaction, context: PortalUsersContext, wanted: Wanted): Promise<SandboxUser> {
  const { email, password } = wanted;
  const known = await findUserByEmail(transaction, context, email);
  const hash = known?.passwordHash ?? undefined;
  if (password !== undefined && hash !== undefined && (await context.passwords.isRight(new Secret(password), hash))) {
    return { email, password };
  }
  const user = known ?? (await createUser(transaction, context, wanted));
  const fresh = context.newSecret().slice(-20);
  await setPassword(transaction, user, await context.passwords.hash(new Secret(fresh)));
  return { email, password: fresh };
}
