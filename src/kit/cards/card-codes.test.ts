import { expect, test } from 'vitest';
import { saysCardCode } from './card-codes.ts';

test.each([
  'cvc: 123',
  'Kort med CVC2 123',
  '{"cvc":"123"}',
  'cvv=1234',
  'CVV-kode er 123',
  'PIN: 1234',
  'pin code is 123456',
  'PIN-kod är 1234',
  'PIN-koodi on 1234',
  'ＰＩＮ：１２３４',
  'Track2=;1234567890123',
  'track 1: %B1234567890123',
])('a card code stands in %j', (text) => {
  expect(saysCardCode(text)).toBe(true);
});

test.each([
  'Pin 500',
  'Track 101 (remix)',
  'Bowling pin, 10 pieces',
  'Spinner 1234',
  'Opinion 1234',
  'Order 123, paid with a card, CVC checked',
  'Soundtrack 1234567890123',
  'Pinot noir 2021',
  'Cscape 4',
  '',
])('and none in %j', (text) => {
  expect(saysCardCode(text)).toBe(false);
});
