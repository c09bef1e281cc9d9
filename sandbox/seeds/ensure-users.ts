import type { Transaction } from '../../src/db/transaction.types.ts';
import { assert } from '../../src/kit/assert.ts';
import type { Actor } from '../../src/kit/caller.ts';
import { OPERATOR, type PayeeId } from '../../src/kit/ids.ts';
import type { Role } from '../../src/kit/portal-user.ts';
import { Secret } from '../../src/kit/secret.ts';
import { createUser } from '../../src/portal-users/create-user.ts';
import { setPassword } from '../../src/portal-users/passwords/set-password.ts';
import type { PortalUsersContext } from '../../src/portal-users/portal-users.types.ts';
import { findUserByEmail } from '../../src/portal-users/show-user.ts';
import { checkOf, readSandboxUsers, type SandboxUser, type SandboxUsers } from './users.rules.ts';

/** Who a user of the sandbox is. */
interface Wanted {
  readonly payeeId: PayeeId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly actor: Actor;
}

/** A password that works, or will once its hash is stored. */
interface Password {
  readonly password: string;
  readonly hash: string;
  readonly isNew: boolean;
}

/** The passwords of the sandbox's users, by who they are. */
export type SandboxPasswords = Readonly<Record<'administrator' | 'operator', Password>>;

const EMAILS = { administrator: 'demo@kontor.example', operator: 'operator@kontor.example' } as const;

/** The hashes of the passwords that the sandbox's users have, each undefined where there is none. */
export async function findSandboxHashes(
  transaction: Transaction,
  context: PortalUsersContext,
): Promise<Readonly<Record<keyof typeof EMAILS, string | undefined>>> {
  const hashOf = async (who: keyof typeof EMAILS) =>
    (await findUserByEmail(transaction, context, EMAILS[who]))?.passwordHash ?? undefined;
  return { administrator: await hashOf('administrator'), operator: await hashOf('operator') };
}

/**
 * The passwords of `sandbox.json`, and new ones for those that do not work. Outside of any transaction: to hash one takes longer on a
 * busy machine than a transaction may wait.
 *
 * @param known `file`: the parsed `sandbox.json` of an earlier start, or undefined; `hashes`: of `findSandboxHashes`
 */
export async function makeSandboxPasswords(
  context: PortalUsersContext,
  { file, hashes }: { readonly file: unknown; readonly hashes: Awaited<ReturnType<typeof findSandboxHashes>> },
): Promise<SandboxPasswords> {
  assert(context.config.mode === 'sandbox', 'passwords in a file are for the sandbox');
  const remains = readSandboxUsers(file);
  const passwordOf = async (who: keyof typeof EMAILS): Promise<Password> => {
    const [remembered, hash] = [remains[who], hashes[who]];
    if (remembered === undefined || hash === undefined) return makePassword(context);
    const { password, check } = remembered;
    const works = check === checkOf(password, hash) || (await context.passwords.isRight(new Secret(password), hash));
    return works ? { password, hash, isNew: false } : makePassword(context);
  };
  const [administrator, operator] = await Promise.all([passwordOf('administrator'), passwordOf('operator')]);
  return { administrator, operator };
}

async function makePassword({ newSecret, passwords }: PortalUsersContext): Promise<Password> {
  const password = newSecret().slice(-20);
  return { password, hash: await passwords.hash(new Secret(password)), isNew: true };
}

/**
 * Makes sure that the sandbox's portal has an administrator of the demo payee and an operator, whose passwords are in
 * `sandbox.json`. One that works stays as it is; else it is set anew. They have no second factor: their passwords lie in a
 * file, and are worth nothing outside of the sandbox.
 */
export async function ensureSandboxUsers(
  transaction: Transaction,
  context: PortalUsersContext,
  command: { payeeId: PayeeId; passwords: SandboxPasswords; actor: Actor },
): Promise<SandboxUsers> {
  const { payeeId, passwords, actor } = command;
  const administrator = await ensureUser(transaction, context, {
    wanted: { payeeId, actor, email: EMAILS.administrator, name: 'Demo administrator', role: 'administrator' },
    password: passwords.administrator,
  });
  const operator = await ensureUser(transaction, context, {
    wanted: { payeeId: OPERATOR, actor, email: EMAILS.operator, name: 'Sandbox operator', role: 'operator' },
    password: passwords.operator,
  });
  return { ...administrator, operator };
}

async function ensureUser(
  transaction: Transaction,
  context: PortalUsersContext,
  { wanted, password: { password, hash, isNew } }: { readonly wanted: Wanted; readonly password: Password },
): Promise<SandboxUser> {
  const { email } = wanted;
  if (isNew) {
    const known = await findUserByEmail(transaction, context, email);
    await setPassword(transaction, known ?? (await createUser(transaction, context, wanted)), hash);
  }
  return { email, password, check: checkOf(password, hash) };
}
