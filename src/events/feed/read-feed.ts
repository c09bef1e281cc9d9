import type { Read } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { FeedPage } from '../events.types.ts';
import { selectFeed, selectHead } from './feed.store.ts';

/** A piece of a payee's feed that is asked for. */
export interface ReadFeed {
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
