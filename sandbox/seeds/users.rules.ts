import { sha256 } from '../../src/kit/secret.ts';

/** A user who can sign in to the sandbox's portal, as `sandbox.json` shows them. */
export interface SandboxUser {
  readonly email: string;
  readonly password: string;
  /** Of `checkOf`: while it fits, the password does. */
  readonly check: string;
}

/** The administrator of the demo payee, and the operator. */
export interface SandboxUsers extends SandboxUser {
  readonly operator: SandboxUser;
}

/** What a parsed `sandbox.json` says of a user's password. */
interface RememberedPassword {
  readonly password: string;
  readonly check: string | undefined;
}

/** What is in a parsed `sandbox.json`, each undefined where it is absent or of another form. */
export function readSandboxUsers(
  file: unknown,
): Readonly<Record<'administrator' | 'operator', RememberedPassword | undefined>> {
  const { portal } = membersOf(file);
  return { administrator: passwordOf(portal), operator: passwordOf(membersOf(portal)['operator']) };
}

/**
 * Says that a password is the one that a hash is of, in base64url. To hash it again takes a quarter of a second, at each
 * start; who can read this can read the password beside it.
 *
 * @param hash what is stored of the password
 */
export function checkOf(password: string, hash: string): string {
  return sha256(`${password}\n${hash}`).toString('base64url');
}

function passwordOf(user: unknown): RememberedPassword | undefined {
  const { password, check } = membersOf(user);
  return typeof password === 'string' ? { password, check: textOf(check) } : undefined;
}

function membersOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
