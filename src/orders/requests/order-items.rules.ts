import { inputError } from '../../kit/errors.ts';
import type { OrderInstrument, OrderItem } from '../orders.types.ts';

/** What is to be paid. Minor units. */
interface Amounts {
  readonly amount: number;
  readonly vatAmount: number;
}

/** Decimals of a quantity. */
const QUANTITY_SCALE = 10_000;

const INSTRUMENTS: readonly OrderInstrument[] = ['CreditCard', 'GiftCard'];

/** A means of payment by its name in any case; undefined for one that there is not here. */
export function instrumentOf(name: string): OrderInstrument | undefined {
  return INSTRUMENTS.find((known) => known.toLowerCase() === name.trim().toLowerCase());
}

/**
 * Refuses lines that make no sense by themselves.
 *
 * @param name of the list, as in `paymentorder.orderItems`
 * @throws Refusal `inputerror`
 */
export function refuseBadItems(name: string, items: readonly OrderItem[]): void {
  for (const [index, { quantity, restrictedToInstruments = [] }] of items.entries()) {
    if (!isQuantity(quantity)) {
      throw inputError(`${name}[${index}].quantity`, 'must be above 0, with four decimals at most');
    }
    if (restrictedToInstruments.some((instrument) => instrumentOf(instrument) !== undefined)) {
      throw inputError(
        `${name}[${index}].restrictedToInstruments`,
        'must not name a means of payment of this service: an order is paid as a whole',
      );
    }
  }
}

/**
 * Refuses lines that do not sum to what is to be paid. Shops round each line by itself: one minor unit a line may be missing
 * or too much. Lines for means of payment that there are none here count for nothing. What is paid is the amount, never the
 * sum.
 *
 * @throws Refusal `inputerror`
 */
export function refuseOtherSum(name: string, items: readonly OrderItem[], { amount, vatAmount }: Amounts): void {
  const counted = items.filter(({ restrictedToInstruments = [] }) => restrictedToInstruments.length === 0);
  if (counted.length === 0) return;
  const most = counted.length;
  const sum = counted.reduce((sums, item) => sums + item.amount, 0);
  const vat = counted.reduce((sums, item) => sums + item.vatAmount, 0);
  if (Math.abs(sum - amount) > most) throw inputError(name, 'must sum to the amount, but for one minor unit a line');
  if (Math.abs(vat - vatAmount) > most) {
    throw inputError(name, 'must have VAT that sums to the vatAmount, but for one minor unit a line');
  }
}

function isQuantity(quantity: number): boolean {
  const scaled = quantity * QUANTITY_SCALE;
  return quantity > 0 && Math.abs(scaled - Math.round(scaled)) < 1e-3;
}
