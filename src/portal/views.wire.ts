import { Type } from 'typebox';
import { Instant } from '../kit/portal.wire.ts';
import { VIEW_NAME_CHARACTERS, VIEW_QUERY_CHARACTERS } from '../kit/portal-limits.ts';
import { freeText } from '../kit/schemas.wire.ts';
import { objectParams, Text } from './portal.wire.ts';

const Page = Type.Enum(['payments', 'calls', 'movements', 'gift-cards']);

export const ViewBody = Type.Object({
  name: freeText(VIEW_NAME_CHARACTERS, `Its name, 1 to ${VIEW_NAME_CHARACTERS} characters`),
  page: Page,
  query: Type.String({
    maxLength: VIEW_QUERY_CHARACTERS,
    pattern: '^[A-Za-z0-9%&=._~:+-]*$',
    description: "What the page's list is cut down to: the part of its address after the question mark",
  }),
});

export const View = Type.Object({ viewId: Text, name: Text, page: Page, query: Text, createdAt: Instant });
export const ViewsAnswer = Type.Object({ views: Type.Array(View) });
export const ViewParams = objectParams('viewId', 'The view');
