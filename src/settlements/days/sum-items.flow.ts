import type { Transact } from '../../db/transaction.types.ts';
import { nextPortion } from '../../kit/work/next-portion.ts';
import { sumSome } from './close-day.ts';
import type { OpenDay, SummedItems } from './days.types.ts';
import { TOTALS } from './totals.rules.ts';

/** Items of the first portion, and of any at most. */
const PORTION = { first: 1_000, most: 10_000 };

/** Sums a day in portions, without keeping it from getting more items meanwhile: a snapshot of all of it would slow payments. */
export async function sumInPortions(
  transact: Transact,
  open: OpenDay,
  { first, most } = PORTION,
): Promise<SummedItems> {
  let summed: SummedItems | undefined;
  let after: string | undefined;
  let size = first;
  do {
    const portion = { after, most: size };
    const startedAt = performance.now();
    const { last, ...sums } = await transact((transaction) => sumSome(transaction, open, portion));
    summed = summed === undefined ? sums : together(summed, sums);
    after = last ?? undefined;
    size = nextPortion(size, performance.now() - startedAt, { most });
  } while (after !== undefined);
  return summed;
}

function together(one: SummedItems, other: SummedItems): SummedItems {
  const totals = TOTALS.map((name) => [name, one[name] + other[name]] as const);
  return {
    ...(Object.fromEntries(totals) as Record<(typeof TOTALS)[number], number>),
    items: one.items + other.items,
    booked: one.booked + other.booked,
    merchantId: one.merchantId ?? other.merchantId,
  };
}
