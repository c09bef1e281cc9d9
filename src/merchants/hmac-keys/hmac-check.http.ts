import type { SignatureOptions } from '../../http/edge/edge.types.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { examineSignature } from '../../http/signing/hmac-diagnosis.ts';
import type { CardPrefixes } from '../../kit/cards/card-number.ts';
import { PayeeParams } from '../../kit/portal.wire.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import { HmacCheckAnswer, HmacCheckBody } from './hmac-check.wire.ts';

/** What the check of signatures needs. */
export interface HmacCheckOptions {
  readonly signatures: Pick<SignatureOptions, 'findSecret' | 'now'>;
  readonly cardPrefixes: () => CardPrefixes;
  /** Without a trailing slash; a function, because a free port is known only once listening. */
  readonly baseUrl: () => string;
}

/**
 * Looks at a signature for an integrator, in production too: they may make keys of the payee, so there is
 * nothing in the answer that they could not find out.
 */
export function hmacCheckRoute({ signatures, cardPrefixes, baseUrl }: HmacCheckOptions): AnyPortalRoute {
  return portalRoute({
    method: 'POST',
    path: '/portal/api/payees/:payeeId/hmac-check',
    operationId: 'checkHmac',
    tag: 'HMAC keys',
    summary: 'Look at a signed request: what is signed, and where it differs',
    description: 'Nothing of it is stored, and nothing comes of the request.',
    shape: { params: PayeeParams, query: NoQuery, body: HmacCheckBody, answer: HmacCheckAnswer },
    handle: async ({ payeeId, body }) => {
      const { method, path, headers, body: text } = body;
      const { hmac, transmissionTime } = headers;
      const request = {
        payeeId,
        method: method.toUpperCase(),
        url: path,
        hmac,
        transmissionTime,
        body: Buffer.from(text),
      };
      const around = { baseUrl: baseUrl(), prefixes: cardPrefixes() };
      const examined = await examineSignature(signatures, request, around);
      return { ...examined, causes: [...examined.causes] };
    },
  });
}
