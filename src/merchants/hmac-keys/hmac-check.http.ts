import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { examineSignature } from '../../http/signing/hmac-diagnosis.ts';
import { PayeeParams } from '../../kit/portal.wire.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import type { Kontor } from '../../kontor.types.ts';
import { HmacCheckAnswer, HmacCheckBody } from './hmac-check.wire.ts';

/**
 * Looks at a signature for an integrator, in production too: they may make keys of the payee, so there is
 * nothing in the answer that they could not find out.
 */
export function hmacCheckRoute({ cardPrefixes }: Kontor, { signatures, baseUrl }: RouteGiven): AnyPortalRoute {
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
      return examined;
    },
  });
}
