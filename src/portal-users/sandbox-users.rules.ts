/** A user who can sign in to the sandbox's portal, as `sandbox.json` shows them. */
export interface SandboxUser {
  readonly email: string;
  readonly password: string;
}

/** The administrator of the demo payee, and the operator. */
export interface SandboxUsers extends SandboxUser {
  readonly operator: SandboxUser;
}

/** The passwords in a parsed `sandbox.json`, each undefined where it is absent or of another form. */
export function readSandboxUsers(file: unknown): Readonly<Record<'administrator' | 'operator', string | undefined>> {
  const { portal } = membersOf(file);
  const { password, operator } = membersOf(portal);
  return { administrator: textOf(password), operator: textOf(membersOf(operator)['password']) };
}

function membersOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
