import { type Background, stopAll, type WorkOn } from '../kit/work/background.ts';
import { fewAtOnce, workOff } from '../kit/work/work-off.ts';
import { endAuthorization, endOrder, releaseGiftCards } from './end-orders.flow.ts';
import { DUE_ORDERS, findDueOrders, type OrderJob } from './find-order.ts';
import type { OrderKey } from './orders.types.ts';
import type { OrderFlows } from './orders-context.types.ts';

/** Milliseconds between two rounds of each job. */
const INTERVAL_MS = 5_000;
/** Orders that one instance ends at once. */
const AT_ONCE = 8;

/** What the jobs need. */
export interface OrderJobsContext extends OrderFlows {
  readonly background: Background;
  readonly workOn: WorkOn;
}

const JOBS: Readonly<Record<OrderJob, (flows: OrderFlows, order: OrderKey) => Promise<void>>> = {
  'end-orders': endOrder,
  'release-gift-cards': releaseGiftCards,
  'end-order-authorizations': endAuthorization,
};

/**
 * Starts looking after what orders wait for: those that were not paid in time, holds of gift cards whose payer has not come
 * back, and authorizations whose time is over.
 *
 * @returns stops it, and waits for the round under way
 */
export function startEndingOrders(
  { background, workOn, ...flows }: OrderJobsContext,
  intervalMs = INTERVAL_MS,
): () => Promise<void> {
  const stops = Object.entries(JOBS).map(([name, end]) => {
    const job = name as OrderJob;
    const endThem = (keys: readonly OrderKey[]) => fewAtOnce(keys, AT_ONCE, (key) => end(flows, key));
    return background.repeat(job, intervalMs, (isStopped) =>
      workOff(isStopped, {
        find: async () => (await findDueOrders(flows.context, job)).map((key) => ({ ...key, rowId: key.orderId })),
        most: DUE_ORDERS,
        doThem: (due) => workOn(job, due, endThem),
      }),
    );
  });
  return stopAll(stops);
}
