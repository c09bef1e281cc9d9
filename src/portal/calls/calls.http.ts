import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { PayeeParams } from '../../kit/portal.wire.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import type { Kontor } from '../../kontor.types.ts';
import { getCall, listCalls } from './browse-calls.ts';
import { CallAnswer, CallParams, CallsAnswer, CallsQuery } from './calls.wire.ts';

const TAG = 'Calls';
const HERE = '/portal/api/payees/:payeeId/calls';

/** The log of a payee's calls. */
export function portalCallRoutes({ database, config }: Kontor): AnyPortalRoute[] {
  const { read } = database;
  const callHours = config.apiLogHours;
  return [
    portalRoute({
      method: 'GET',
      path: HERE,
      operationId: 'listCalls',
      tag: TAG,
      summary: "List the calls of the payee's programs, the newest first",
      shape: { params: PayeeParams, query: CallsQuery, body: undefined, answer: CallsAnswer },
      handle: async ({ payeeId, query }) => {
        const { rows, ...page } = await listCalls(read, payeeId, query);
        return { calls: [...rows], ...page, keptHours: callHours };
      },
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/:callId`,
      operationId: 'getCall',
      tag: TAG,
      summary: 'See one call with its masked bodies',
      shape: { params: CallParams, query: NoQuery, body: undefined, answer: CallAnswer },
      handle: async ({ payeeId, params }) => {
        const { headers, requestBody, answerBody, ...call } = await getCall(read, payeeId, params.callId);
        return {
          call: {
            ...call,
            headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
            requestBody: JSON.stringify(requestBody, undefined, 2),
            answerBody: JSON.stringify(answerBody, undefined, 2),
          },
        };
      },
    }),
  ];
}
