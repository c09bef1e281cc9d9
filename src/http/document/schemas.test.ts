import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { forWriting } from './schemas.ts';

test('what writes answers is told that words of a list are texts, and gets no ids', () => {
  const state = Type.Enum(['Active', 'Archived']);
  const schema = forWriting(Type.Object({ state, amount: Type.Integer() }, { $id: 'Thing' }));
  expect(JSON.parse(JSON.stringify(schema))).toEqual({
    type: 'object',
    required: ['state', 'amount'],
    properties: { state: { type: 'string', enum: ['Active', 'Archived'] }, amount: { type: 'integer' } },
  });
});
