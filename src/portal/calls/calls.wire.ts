import { Type } from 'typebox';
import { Instant } from '../../kit/portal.wire.ts';
import { next, objectParams, orNull, paging, period, searchedTo, Text, TextOrNull, Whole } from '../portal.wire.ts';

export const CallsQuery = Type.Object({
  ...period,
  route: Type.Optional(Type.String({ maxLength: 200, description: 'the template of an address, as `route` has it' })),
  status: Type.Optional(Type.String({ maxLength: 3, description: 'a status as in 404, or a class as in 4xx' })),
  sessionId: Type.Optional(Type.String({ maxLength: 36, description: 'the Session-Id of an answer' })),
  ...paging,
});

export const CallParams = objectParams('callId', 'The call');

const members = {
  callId: Text,
  at: Instant,
  sessionId: Text,
  method: Text,
  route: Type.String({ description: 'Template of the address; `unknown` where it leads nowhere' }),
  operationId: TextOrNull,
  status: Whole,
  durationMs: Whole,
  credential: Text,
  problem: orNull(Type.String({ description: 'Code of the problem' })),
  resourceId: orNull(Type.String({ description: 'The payment or gift card that it was about' })),
};

export const CallsAnswer = Type.Object({
  calls: Type.Array(Type.Object(members, { $id: 'LoggedCall' })),
  next,
  searchedTo,
  skipped: Type.Integer({ description: 'Calls of the last hour that are missing because there were too many' }),
  keptHours: Whole,
});

const Body = Type.String({
  description: 'JSON, with *** in the place of what is not shown; `null` where there was none',
});

export const CallAnswer = Type.Object({
  call: Type.Object({
    ...members,
    address: Text,
    headers: Type.Array(Type.Object({ name: Text, value: Text })),
    requestBody: Body,
    answerBody: Body,
  }),
});
