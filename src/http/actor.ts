import type { Actor } from '../kit/caller.ts';
import type { EdgeRequest } from './route.types.ts';

/** A request of somebody who is known, by access token or by cookie. */
interface ActingRequest extends Pick<EdgeRequest, 'sessionId' | 'trace'> {
  readonly caller: Pick<EdgeRequest['caller'], 'credential' | 'client'>;
}

/** Who the audit trail names for what this request does. */
export function actorOf({ caller, sessionId, trace }: ActingRequest): Actor {
  const { credential, client } = caller;
  return {
    name: credential,
    sessionId,
    ...(client !== undefined && { client }),
    ...(trace !== undefined && { trace }),
  };
}
