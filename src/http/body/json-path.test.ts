import { expect, test } from 'vitest';
import { type JsonStep, jsonPath } from './parse-json.ts';

test.each<[JsonStep[], string]>([
  [[], 'body'],
  [['payment'], 'payment'],
  [['payment', 'prices', 0, 'amount'], 'payment.prices[0].amount'],
  [['_links', 12], '_links[12]'],
  [[0, 'amount'], '[0].amount'],
  [['address2'], 'address2'],
  [[''], 'body'],
  [['payment', 'a b', 'amount'], 'payment'],
  [['payment', 'a.b'], 'payment'],
  [['payment', '4925000000000004'], 'payment'],
  [['payment', 'n4925000000000004'], 'payment'],
  [['a'.repeat(41)], 'body'],
  [['naïve'], 'body'],
])('%j is %s', (steps, path) => {
  expect(jsonPath(steps)).toBe(path);
});
