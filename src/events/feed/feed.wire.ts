import { Type } from 'typebox';
import { PAGE_EVENTS } from '../../kit/limits.ts';
import { logged, operations } from '../../kit/schemas.wire.ts';

export const FeedQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      pattern: '^(0|[1-9][0-9]{0,14}|latest)$',
      description: 'the position of an event, 0 for the beginning, which is the default, or latest for the end',
    }),
  ),
  limit: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,2}$|^1000$', description: `a whole number from 1 to ${PAGE_EVENTS}` }),
  ),
});

export const EventObject = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'The `webhook-id` of its deliveries' }),
    type: logged(Type.String({ description: 'What happened, as in `payment.captured`' })),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened' }),
    position: logged(Type.Integer({ description: 'Its place in the feed: 1, 2, 3, … without gaps' })),
    resource: Type.Object({
      kind: Type.String({ description: 'What it happened to: `payment`, `token`, `gift-card`, …' }),
      id: Type.String(),
      sequence: logged(Type.Integer({ description: 'Counts the events of this resource: 1, 2, 3, …' })),
    }),
    data: Type.Object({}, { additionalProperties: true, description: 'Ids, states and amounts' }),
  },
  { $id: 'Event' },
);

export const EventFeed = Type.Object(
  {
    events: Type.Object({
      id: Type.String({ description: 'Relative address of the feed' }),
      hasMore: logged(Type.Boolean({ description: 'Whether there are more events now' })),
      eventList: Type.Array(EventObject),
    }),
    operations,
  },
  { $id: 'EventFeed' },
);
