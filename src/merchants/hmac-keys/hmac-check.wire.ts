import { Type } from 'typebox';
import { BODY_BYTES, URL_CHARACTERS } from '../../kit/limits.ts';

export const HmacCheckBody = Type.Object({
  method: Type.String({ pattern: '^[A-Za-z]{1,16}$', description: 'As in POST' }),
  path: Type.String({
    pattern: '^/',
    maxLength: URL_CHARACTERS,
    unscanned: 'not stored, and answered masked',
    description: 'From its first slash, with its query',
  }),
  headers: Type.Object({
    hmac: Type.String({ minLength: 1, maxLength: 1024, description: 'The text of the Hmac header' }),
    transmissionTime: Type.Optional(
      Type.String({ maxLength: 100, description: 'The text of the Transmission-Time header, where there is one' }),
    ),
  }),
  body: Type.String({
    maxLength: BODY_BYTES,
    unscanned: 'not stored, and answered masked',
    description: 'As it is sent; empty where there is none',
  }),
});

export const HmacCheckAnswer = Type.Object({
  isRight: Type.Boolean(),
  signedText: Type.String({ description: 'What is signed, with the body shown by its length and SHA-256' }),
  line: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The first line of it that was likely signed otherwise, from 1',
  }),
  causes: Type.Array(Type.String(), { description: 'Names of the likely causes' }),
  explanation: Type.String({ description: 'The causes in words, and what to do instead' }),
});
