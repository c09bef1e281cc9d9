import { groupBy } from '../../kit/group-by.ts';
import type { PendingEvent } from '../events.types.ts';

/**
 * The order in which pending events get their positions: by the time at which they happened, but those of one resource
 * always by their numbers, whatever the clock said. An event waits for the next round where one before it of its resource
 * is pending and not among them.
 *
 * @param pending events of one payee
 */
export function orderForFeed(pending: readonly PendingEvent[]): PendingEvent[] {
  const byTime = [...pending].sort((a, b) => compare(a.happenedAt, b.happenedAt) || compare(a.eventId, b.eventId));
  const inOrder = new Map([...groupBy(byTime, resourceOf)].map(([name, events]) => [name, complete(events).values()]));
  // A resource keeps the places that its events have by time, and fills them in the order of their numbers.
  return byTime.flatMap((event) => {
    const { done, value } = inOrder.get(resourceOf(event))?.next() ?? { done: true };
    return done ? [] : [value];
  });
}

/** The events of one resource by number, up to the first one that would leave a pending one out. */
function complete(events: readonly PendingEvent[]): PendingEvent[] {
  const byNumber = [...events].sort((a, b) => a.resourceSequence - b.resourceSequence);
  const end = byNumber.findIndex(
    ({ followsPending, resourceSequence }, index) =>
      followsPending && byNumber[index - 1]?.resourceSequence !== resourceSequence - 1,
  );
  return end === -1 ? byNumber : byNumber.slice(0, end);
}

function resourceOf({ resourceKind, resourceId }: PendingEvent): string {
  return `${resourceKind} ${resourceId}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
