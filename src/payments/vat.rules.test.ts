import { describe, expect, test } from 'vitest';
import { amountMinor } from '../kit/money.ts';
import { vatOf } from './vat.rules.ts';

const vat = (
  type: 'Capture' | 'Cancellation' | 'Reversal',
  asked: number | undefined,
  captured: number,
  taken = 5_000,
) =>
  vatOf(
    { type, vatAmount: asked === undefined ? undefined : amountMinor(asked) },
    { authorized: amountMinor(2_000), captured: amountMinor(captured), taken: amountMinor(taken) },
  );

describe('the VAT of what follows an authorization', () => {
  test('of captures is at most what was authorized, together', () => {
    expect([vat('Capture', 2_000, 0), vat('Capture', 2_001, 0)]).toEqual([2_000, 'TooMuch']);
    expect([vat('Capture', 500, 1_500), vat('Capture', 501, 1_500)]).toEqual([500, 'TooMuch']);
    expect([vat('Capture', undefined, 2_000), vat('Capture', undefined, 0)]).toEqual([0, 0]);
  });

  test('of a cancellation is what captures left, whatever was sent, and not above its amount', () => {
    expect([vat('Cancellation', undefined, 500), vat('Cancellation', 7, 2_000)]).toEqual([1_500, 0]);
    expect(vat('Cancellation', undefined, 0, 1_200)).toBe(1_200);
  });

  test('of what is given back is what was sent', () => {
    expect(vat('Reversal', 400, 0)).toBe(400);
  });
});
