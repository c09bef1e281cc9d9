import { type AmountMinor, amountMinor, ZERO_MINOR } from '../kit/money.ts';

/** Why a capture with too much VAT is refused. */
export const LESS_VAT =
  'Less VAT is left for a capture than that: all captures together have at most what was authorized.';

interface Asked {
  readonly type: 'Capture' | 'Cancellation' | 'Reversal';
  readonly vatAmount: AmountMinor | undefined;
}

/** Of one payment or order, in minor units. */
interface Vat {
  readonly authorized: AmountMinor;
  /** By all captures, also by those that wait. */
  readonly captured: AmountMinor;
  /** The amount that is captured, cancelled or given back now. */
  readonly taken: AmountMinor;
}

/**
 * The VAT of a capture, cancellation or reversal. Captures have at most what was authorized, together; a cancellation has what
 * they left, because it takes all that is left of the amount.
 */
export function vatOf(
  { type, vatAmount = ZERO_MINOR }: Asked,
  { authorized, captured, taken }: Vat,
): AmountMinor | 'TooMuch' {
  if (type === 'Reversal') return vatAmount;
  const left = amountMinor(Math.max(authorized - captured, 0));
  if (type === 'Cancellation') return amountMinor(Math.min(left, taken));
  return vatAmount > left ? 'TooMuch' : vatAmount;
}
