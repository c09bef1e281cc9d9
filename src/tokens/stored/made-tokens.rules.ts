import type { AuditEntry, OwnEvent } from '../../journal/journal.types.ts';
import { tokenId } from '../tokens.rules.ts';
import type { MadeToken } from './make-tokens.types.ts';

/** The first event of a token: a payment has made it. It says nothing of the payer or the card. */
export function createdEvent(token: MadeToken): OwnEvent {
  return {
    type: 'token.created',
    resourceId: tokenId(token),
    resourceSequence: 1,
    payload: { token: token.token, tokenType: token.tokenType },
  };
}

/** What the audit trail says of a token that a payment has made. */
export function createdAudit(token: MadeToken): Omit<AuditEntry, 'payeeId' | 'actor'> {
  return { action: 'create-token', objectId: tokenId(token) };
}
