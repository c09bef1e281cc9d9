import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { PORTAL_PAGE_ROWS_MOST } from '../../kit/portal-limits.ts';
import { NoParams, NoQuery } from '../../kit/schemas.wire.ts';
import type { PortalContext } from '../portal.types.ts';
import { adviceFor, describeAcquirer } from './acquirers.rules.ts';
import { selectUnacknowledged } from './acquirers.store.ts';
import { AcquirersAnswer, AgreementsAnswer, AgreementsQuery, ExchangesAnswer } from './acquirers.wire.ts';
import { listAgreements } from './list-agreements.ts';

/** What operators see of acquirers: their lines, the agreements, and what is not acknowledged. */
export function acquirerRoutes({ database, acquirers: shown }: PortalContext): AnyPortalRoute[] {
  const { setup, lineStates, instance } = shown;
  const { read } = database.background;
  const common = { method: 'GET', tag: 'Installation' } as const;
  return [
    portalRoute({
      ...common,
      path: '/portal/api/acquirers',
      operationId: 'listAcquirers',
      summary: 'List the acquirers, and how the lines of the answering instance to them are',
      description:
        'Each instance has lines of its own; their number is in the metric `kontor_acquirer_ready_connections` of each.',
      shape: { params: NoParams, query: NoQuery, body: undefined, answer: AcquirersAnswer },
      handle: async () => {
        const states = lineStates();
        const acquirers = setup.acquirers.map((acquirer) => describeAcquirer(acquirer, states));
        return {
          instance,
          acquirers,
          isEveryPayeeAgreed: setup.path === undefined && acquirers.length > 0,
        };
      },
    }),
    portalRoute({
      ...common,
      path: '/portal/api/agreements',
      operationId: 'listAgreements',
      summary: 'List the agreements of payees at acquirers',
      description: 'By their ids, as the file of acquirers has them.',
      shape: { params: NoParams, query: AgreementsQuery, body: undefined, answer: AgreementsAnswer },
      handle: ({ query }) => listAgreements(read, setup.agreements, query),
    }),
    portalRoute({
      ...common,
      path: '/portal/api/exchanges',
      operationId: 'listUnacknowledged',
      summary:
        'List take-backs, and forwarded cancellations and captures, that acquirers have not acknowledged, the oldest first',
      shape: { params: NoParams, query: NoQuery, body: undefined, answer: ExchangesAnswer },
      handle: async () => {
        const found = await selectUnacknowledged(read, PORTAL_PAGE_ROWS_MOST + 1);
        const states = lineStates();
        return {
          exchanges: found
            .slice(0, PORTAL_PAGE_ROWS_MOST)
            .map((exchange) => ({ ...exchange, advice: adviceFor(exchange, states) })),
          hasMore: found.length > PORTAL_PAGE_ROWS_MOST,
        };
      },
    }),
  ];
}
