import { linksOf, operation } from '../http/operations.ts';
import { apiRoute } from '../http/route.ts';
import type { ApiRoute } from '../http/route.types.ts';
import type { AccountRoutesOptions } from './accounts.types.ts';
import { Nothing, PingAnswer, PingBody } from './ping.wire.ts';

const ADDRESS = '/api/payments/ping';

/** An endpoint that does nothing: a caller that gets an answer has a valid access token and signs correctly. */
export function pingRoute({ baseUrl }: Pick<AccountRoutesOptions, 'baseUrl'>): ApiRoute {
  return apiRoute({
    method: 'POST',
    path: ADDRESS,
    scope: 'accounts',
    signed: true,
    operationId: 'ping',
    tag: 'Account payments',
    summary: 'Try out access token and signature',
    shape: { params: Nothing, query: Nothing, body: PingBody, answer: PingAnswer },
    handle: async ({ body: { description } }) => {
      const self = `${baseUrl()}${ADDRESS}`;
      const operations = [operation('POST', 'ping', self)];
      return {
        _links: linksOf(self, operations),
        state: 'OK' as const,
        ...(description !== undefined && { description }),
        operations,
      };
    },
  });
}
