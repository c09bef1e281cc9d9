import { compactUuid, expandUuid, type PayeeId } from '../../kit/ids.ts';
import { sha256 } from '../../kit/secret.ts';
import type { PortalSecret } from '../portal-users.types.ts';

type Kind = 'session' | 'invitation';

const PREFIXES: Readonly<Record<Kind, string>> = { session: 'kp_', invitation: 'ki_' };
const FORM = /^(k[pi]_)([0-9a-f]{32})_[0-9A-Za-z]{43}$/;

/** Puts the value of a cookie or of an invitation together: `kp_<payee>_<secret>`, `ki_<payee>_<secret>`. */
export function composeSecret(kind: Kind, payeeId: PayeeId, secret: string): string {
  return `${PREFIXES[kind]}${compactUuid(payeeId)}_${secret}`;
}

/** The payee and the digest of such a text; undefined where it has another form. */
export function readSecret(kind: Kind, text: string): PortalSecret | undefined {
  const [, prefix, compactPayee = ''] = FORM.exec(text) ?? [];
  if (prefix !== PREFIXES[kind]) return undefined;
  const payeeId = expandUuid(compactPayee);
  return payeeId === undefined ? undefined : { payeeId: payeeId as PayeeId, hash: sha256(text) };
}
