import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { NoQuery, PayeeParams } from '../../kit/portal.wire.ts';
import { searchPayers } from '../payments/search-payers.ts';
import type { PortalDataOptions } from '../portal.types.ts';
import {
  DaysQuery,
  GettingStartedAnswer,
  PayersAnswer,
  PayersQuery,
  StatisticsAnswer,
  WebhookRatesAnswer,
} from './home.wire.ts';
import { showGettingStarted, statisticsReader } from './show-statistics.ts';
import { showWebhookRates } from './show-webhook-rates.ts';

const HERE = '/portal/api/payees/:payeeId';

/** What the portal begins with, and what its pages need beside the API. */
export function portalHomeRoutes({ read }: PortalDataOptions): AnyPortalRoute[] {
  const showStatistics = statisticsReader(read, () => performance.now());
  return [
    portalRoute({
      method: 'GET',
      path: `${HERE}/statistics`,
      operationId: 'getStatistics',
      tag: 'Home',
      summary: 'See what the payments of some days came to',
      shape: { params: PayeeParams, query: DaysQuery, body: undefined, answer: StatisticsAnswer },
      handle: async ({ payeeId, query }) => {
        const today = new Date().toISOString().slice(0, 10);
        const { currencies, ...statistics } = await showStatistics(payeeId, { ...query, today });
        return {
          ...statistics,
          currencies: currencies.map((one) => ({ ...one, days: [...one.days], declines: [...one.declines] })),
        };
      },
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/getting-started`,
      operationId: 'getGettingStarted',
      tag: 'Home',
      summary: 'See what there is to do before the first payment',
      shape: { params: PayeeParams, query: NoQuery, body: undefined, answer: GettingStartedAnswer },
      handle: ({ payeeId }) => showGettingStarted(read, payeeId),
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/webhook-rates`,
      operationId: 'getWebhookRates',
      tag: 'Webhooks',
      summary: 'See how the latest deliveries to each webhook went',
      shape: { params: PayeeParams, query: NoQuery, body: undefined, answer: WebhookRatesAnswer },
      handle: async ({ payeeId }) => ({ webhooks: [...(await showWebhookRates(read, payeeId))] }),
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/payers`,
      operationId: 'searchPayers',
      tag: 'Payers',
      summary: 'List payers by what their reference begins with',
      shape: { params: PayeeParams, query: PayersQuery, body: undefined, answer: PayersAnswer },
      handle: async ({ payeeId, query }) => {
        const { payers, next } = await searchPayers(read, payeeId, query);
        return { payers: [...payers], next };
      },
    }),
  ];
}
