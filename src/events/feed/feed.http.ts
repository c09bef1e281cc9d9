import type { Read } from '../../db/transaction.types.ts';
import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { operation } from '../../http/operations.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { DEFAULT_PAGE_EVENTS } from '../../kit/limits.ts';
import { NoParams } from '../../kit/schemas.wire.ts';
import type { Kontor } from '../../kontor.types.ts';
import type { FeedPage } from '../events.types.ts';
import { selectFeed, selectHead } from './feed.store.ts';
import { EventFeed, FeedQuery } from './feed.wire.ts';
import { showEvent } from './show-event.ts';

/** The feed of a payee's events. */
export function feedRoutes({ database: { read } }: Kontor, { baseUrl }: RouteGiven): ApiRoute[] {
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

/** A piece of a payee's feed that is asked for. */
interface ReadFeed {
  readonly payeeId: PayeeId;
  /** A position, 0 for the beginning; `latest`: the present end, so nothing yet. */
  readonly after: number | 'latest';
  readonly limit: number;
}

/** Reads events in their order, after a position. Who reads on after `next` misses nothing and sees nothing twice. */
export async function readFeed(read: Read, { payeeId, after, limit }: ReadFeed): Promise<FeedPage> {
  if (after === 'latest') {
    const { rows } = await selectHead(read, payeeId);
    return { events: [], next: rows[0]?.position ?? 0, hasMore: false };
  }
  const { rows } = await selectFeed(read, { payeeId, after, limit: limit + 1 });
  const events = rows.slice(0, limit);
  return { events, next: events.at(-1)?.position ?? after, hasMore: rows.length > limit };
}
