import type { Actor } from '../kit/caller.ts';
import type { EdgeRequest } from './route.types.ts';

/** Who the audit trail names for what this request does. */
export function actorOf({ caller, sessionId }: Pick<EdgeRequest, 'caller' | 'sessionId'>): Actor {
  return { name: caller.credential, sessionId };
}
