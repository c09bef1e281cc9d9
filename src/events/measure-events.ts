import type { Read } from '../db/transaction.types.ts';
import { selectDeliveryMeasures } from './deliveries/deliveries.store.ts';
import type { EventMeasures } from './events.types.ts';
import { selectUnplacedAge } from './feed/feed.store.ts';

/** How events stand between happening and being delivered, over all payees. */
export async function measureEvents(read: Read): Promise<EventMeasures> {
  const [unplaced, deliveries] = await Promise.all([selectUnplacedAge(read), selectDeliveryMeasures(read)]);
  const { undeliveredSeconds = 0, suspendedWebhooks = 0, givenUp = 0 } = deliveries.rows[0] ?? {};
  const unplacedSeconds = Math.max(0, unplaced.rows[0]?.seconds ?? 0);
  return { unplacedSeconds, undeliveredSeconds: Math.max(0, undeliveredSeconds), suspendedWebhooks, givenUp };
}
