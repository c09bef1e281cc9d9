import type { Actor } from '../kit/caller.ts';
import type { EdgeRequest } from './route.types.ts';

/** Who the audit trail names for what this request does. */
export function actorOf({ caller, sessionId, trace }: Pick<EdgeRequest, 'caller' | 'sessionId' | 'trace'>): Actor {
  return { name: caller.credential, sessionId, ...(trace !== undefined && { trace }) };
}
