import type { CallbackMembers, FeedEvent, ShownEvent } from '../events.types.ts';

/** An event as readers get it, in the feed and in deliveries. A reader who wants to know more reads the resource. */
export function showEvent(event: FeedEvent): ShownEvent {
  return {
    id: event.eventId,
    type: event.type,
    timestamp: event.happenedAt,
    position: event.position,
    resource: { kind: event.resourceKind, id: event.resourceId, sequence: event.resourceSequence },
    data: event.payload,
  };
}

/** The body of a delivery to a webhook, or of a callback. The same for each try. */
export function deliveryBody(event: FeedEvent & Pick<CallbackMembers, 'callbackBody'>, isCallback: boolean): string {
  return JSON.stringify(isCallback ? event.callbackBody : showEvent(event));
}
