import type { AuditAction, AuditEntry } from '../../journal/journal.types.ts';
import type { Caller, Who } from '../../kit/caller.ts';
import { OPERATOR, type PayeeId } from '../../kit/ids.ts';
import type { RefusalReason, SignatureFault } from '../../kit/refused-caller.ts';
import type { FoundCredential, TriedCredential } from '../merchants.types.ts';

/** What the audit trail says of a caller who was refused: whose trail it is, and who did what to which object. */
export interface NotedRefusal {
  readonly payeeId: PayeeId;
  readonly actor: Who;
  readonly action: Extract<AuditAction, `refuse-${string}`>;
  readonly objectId: string;
  readonly reason: RefusalReason;
}

/** Why a client was refused, by its state. */
const REFUSED_CLIENTS = { Active: 'wrong-secret', Expired: 'expired-client', Revoked: 'revoked-client' } as const;

/** An unknown caller. What they tried to get into is the installation, so the operators have the row. */
export function refuseStranger(reason: RefusalReason): NotedRefusal {
  return { payeeId: OPERATOR, actor: { kind: 'stranger' }, action: 'refuse-stranger', objectId: OPERATOR, reason };
}

/** A request whose access token is right, and its signature wrong. */
export function refuseSignature(
  { payeeId, credential }: Pick<Caller, 'payeeId' | 'credential'>,
  fault: SignatureFault,
): NotedRefusal {
  return { payeeId, actor: credential, action: 'refuse-signature', objectId: payeeId, reason: fault };
}

/**
 * A credential by what was found of it. Undefined for an access token that is valid: it was made a moment after it was
 * tried. A client that is valid came with another secret.
 */
export function refuseTried(tried: TriedCredential, found: FoundCredential | undefined): NotedRefusal | undefined {
  const { kind, payeeId } = tried;
  const isToken = kind === 'access-token';
  if (found === undefined) return refuseStranger(isToken ? 'unknown-token' : 'unknown-client');
  const { id, state } = found;
  const known = { payeeId, actor: { kind, id }, objectId: id };
  if (!isToken) {
    return { ...known, action: 'refuse-oauth-client', reason: REFUSED_CLIENTS[state] };
  }
  if (state === 'Active') return undefined;
  return { ...known, action: 'refuse-access-token', reason: state === 'Revoked' ? 'revoked-token' : 'expired-token' };
}

/** How often, and from where; what is not known of many is left out. */
interface Circumstances {
  readonly address?: string;
  readonly sessionId?: string;
  readonly times: number;
}

/** The row of the audit trail. */
export function auditRefusal(refusal: NotedRefusal, { address, sessionId, times }: Circumstances): AuditEntry {
  const { payeeId, actor, action, objectId, reason } = refusal;
  const details = { reason, ...(address !== undefined && { address }), times };
  return { payeeId, actor: { ...actor, sessionId }, action, objectId, details };
}
