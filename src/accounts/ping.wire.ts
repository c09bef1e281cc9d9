import { Type } from 'typebox';
import { DESCRIPTION_CHARACTERS } from '../kit/limits.ts';
import { freeText, links, logged, operations } from '../kit/schemas.wire.ts';

export const Nothing = Type.Object({});

export const PingBody = Type.Object(
  { description: logged(Type.Optional(freeText(DESCRIPTION_CHARACTERS, 'Any text, 1 to 255 characters'))) },
  { $id: 'Ping' },
);

export const PingAnswer = Type.Object(
  {
    _links: links,
    state: logged(Type.Enum(['OK'], { description: 'The access token and the signature are right' })),
    description: logged(Type.Optional(Type.String({ description: 'The text that was sent' }))),
    operations,
  },
  { $id: 'PingAnswer' },
);
