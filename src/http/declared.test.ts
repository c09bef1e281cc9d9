import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { onlyDeclared } from './declared.ts';
import { parseJson } from './parse-json.ts';

const Body = Type.Object({
  amount: Type.Integer(),
  merchant: Type.Object({ name: Type.String() }),
  products: Type.Array(Type.Object({ id: Type.String() })),
  metadata: Type.Record(Type.String(), Type.String()),
});

test('what a schema does not declare is taken out at every depth', () => {
  const body = parseJson(
    Buffer.from(`{
      "amount": 1, "toString": 2, "block": [3],
      "merchant": { "name": "a", "other": { "amount": 4 } },
      "products": [{ "id": "b", "amount": 5 }, { "hasOwnProperty": 6 }],
      "metadata": { "free": "c" }
    }`),
  );
  expect(JSON.parse(JSON.stringify(onlyDeclared(Body, body)))).toEqual({
    amount: 1,
    merchant: { name: 'a' },
    products: [{ id: 'b' }, {}],
    metadata: { free: 'c' },
  });
});
