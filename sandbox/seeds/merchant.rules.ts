import { SCOPES, type Scope } from '../../src/kit/caller.ts';
import type { SandboxRemains } from './merchant.types.ts';

/** The credentials in a parsed `sandbox.json`, each undefined where it is absent or of another form. */
export function readSandboxRemains(file: unknown): SandboxRemains {
  const { payeeId, accessToken, oauth, hmac } = membersOf(file);
  const { clientId, clientSecret } = membersOf(oauth);
  const { user, secret } = membersOf(hmac);
  return {
    payeeId: textOf(payeeId),
    accessToken: textOf(accessToken),
    oauth: isText(clientId) && isText(clientSecret) ? { clientId, clientSecret } : undefined,
    hmac: isText(user) && isText(secret) ? { user, secret } : undefined,
  };
}

/** Whether a credential may do everything: a new version may bring a scope that an old credential lacks. */
export function hasAllScopes(scopes: readonly Scope[]): boolean {
  return SCOPES.every((scope) => scopes.includes(scope));
}

function membersOf(value: unknown): Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function textOf(value: unknown): string | undefined {
  return isText(value) ? value : undefined;
}
