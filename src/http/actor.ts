import type { Actor } from '../kit/caller.ts';
import type { EdgeRequest } from './route.types.ts';

/** A request of a known caller, by access token or by cookie. */
interface ActingRequest extends Pick<EdgeRequest, 'sessionId' | 'trace' | 'remoteAddress'> {
  readonly caller: Pick<EdgeRequest['caller'], 'credential' | 'client'>;
}

/** Who the audit trail names for what this request does. */
export function actorOf({ caller, sessionId, trace, remoteAddress }: ActingRequest): Actor {
  const { credential, client } = caller;
  return {
    ...credential,
    sessionId,
    ...(client !== undefined && { client }),
    ...(trace !== undefined && { trace }),
    ...(credential.kind === 'portal-user' && { address: remoteAddress }),
  };
}

/** Where a request came from, as it is stored with what it does; what is not known is left out. */
interface RequestCircumstances {
  /** Instant of the `Transmission-Time` header, else of receipt. */
  readonly transmissionTime?: string;
  readonly userAgent?: string;
  readonly payerAddress?: string;
}

/** Where a request came from. */
export function circumstancesOf({
  signature,
  userAgent,
  payerAddress,
}: Pick<EdgeRequest, 'signature' | 'userAgent' | 'payerAddress'>): RequestCircumstances {
  return {
    ...(signature !== undefined && { transmissionTime: signature.transmittedAt }),
    ...(userAgent !== undefined && { userAgent }),
    ...(payerAddress !== undefined && { payerAddress }),
  };
}
