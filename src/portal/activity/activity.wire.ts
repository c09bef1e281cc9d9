import { Type } from 'typebox';
import { Instant } from '../../kit/portal.wire.ts';
import { period } from '../portal.wire.ts';

export const ActivityFilterQuery = Type.Object({
  only: Type.Optional(Type.Enum(['people'], { description: 'What people did, and not what programs did' })),
  objectKind: Type.Optional(Type.String({ maxLength: 64, description: 'With objectId: the history of one object' })),
  objectId: Type.Optional(Type.String({ maxLength: 200 })),
  ...period,
});

export const ActivityQuery = Type.Object({
  ...ActivityFilterQuery.properties,
  cursor: Type.Optional(
    Type.String({ maxLength: 64, unscanned: 'our own text', description: 'What the page before said under next' }),
  ),
});

const TextOrNull = Type.Union([Type.String(), Type.Null()]);

export const ActivityAnswer = Type.Object({
  entries: Type.Array(
    Type.Object(
      {
        activityId: Type.String(),
        happenedAt: Instant,
        actor: Type.String({
          description: 'As in portal-user:<id>, access-token:<id>, operator:cli:<person>, service',
        }),
        actorName: TextOrNull,
        action: Type.String(),
        objectKind: Type.String(),
        objectId: Type.String(),
        sessionId: TextOrNull,
        details: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
      },
      { $id: 'Activity' },
    ),
  ),
  next: TextOrNull,
});
