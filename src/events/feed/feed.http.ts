import { operation } from '../../http/operations.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import { DEFAULT_PAGE_EVENTS } from '../../kit/limits.ts';
import type { EventRoutesOptions } from '../events.types.ts';
import { EventFeed, FeedQuery, NoParams } from './feed.wire.ts';
import { readFeed } from './read-feed.ts';
import { showEvent } from './show-event.ts';

/** The feed of a payee's events. */
export function feedRoutes({ read, baseUrl }: Pick<EventRoutesOptions, 'read' | 'baseUrl'>): ApiRoute[] {
  return [
    apiRoute({
      method: 'GET',
      path: '/events',
      scope: 'events',
      operationId: 'listEvents',
      tag: 'Events',
      summary: 'Read what happened, in order',
      description:
        'Events come in the order of their positions, without gaps. Follow `next`, which is always there, to read on: ' +
        'nothing is missed, and nothing comes twice.',
      shape: { params: NoParams, query: FeedQuery, body: undefined, answer: EventFeed },
      handle: async ({ payeeId, query }) => {
        const after = query.after === 'latest' ? 'latest' : Number(query.after ?? 0);
        const limit = Number(query.limit ?? DEFAULT_PAGE_EVENTS);
        const page = await readFeed(read, { payeeId, after, limit });
        const address = new URLSearchParams({ after: String(page.next), ...(query.limit && { limit: query.limit }) });
        return {
          events: { id: '/events', hasMore: page.hasMore, eventList: page.events.map(showEvent) },
          operations: [operation('GET', 'next', `${baseUrl()}/events?${address}`)],
        };
      },
    }),
  ];
}
