import type { Transaction } from '../db/transaction.types.ts';
import { type Booking, bookBetweenSides } from '../ledger/book-between-sides.ts';
import type { MovementDraft } from '../ledger/ledger.types.ts';
import { postConversion } from '../ledger/postings.rules.ts';
import { insertShares } from './shares.store.ts';
import type { ConvertedShare, Share } from './shares.types.ts';

/** A movement, or none, with the parts that agreements have in it. */
export interface SharedDraft {
  readonly draft: readonly MovementDraft[];
  readonly shares: readonly Share[];
}

/**
 * Books what acquirers have paid or asked back, and writes down which agreement has which part of it.
 *
 * @returns the ids of the movements, in their order
 */
export async function bookShares(
  transaction: Transaction,
  booking: Booking,
  parts: readonly SharedDraft[],
): Promise<readonly string[]> {
  const booked = parts.filter(({ draft }) => draft.length > 0);
  const ids = await bookBetweenSides(
    transaction,
    booking,
    booked.flatMap(({ draft }) => draft),
  );
  const shares = booked.flatMap(({ shares }, place) =>
    shares
      .filter(({ amount }) => amount !== 0)
      .map((share) => ({ ...share, payeeId: booking.payeeId, movementId: ids[place] ?? '' })),
  );
  if (shares.length > 0) {
    const { statement, values } = insertShares(shares);
    await transaction.run(statement, values);
  }
  return ids;
}

/** Movements that convert what agreements are owed: one for each agreement and currency. */
export function conversionsOf(parts: readonly ConvertedShare[]): readonly SharedDraft[] {
  return parts.map(({ agreement, currency, amount }) => ({
    draft: postConversion(currency, amount),
    shares: [{ agreement, amount }],
  }));
}

/** Parts of one agreement together. */
export function byAgreement(parts: readonly Share[]): readonly Share[] {
  const sums = new Map<string, number>();
  for (const { agreement, amount } of parts) sums.set(agreement, (sums.get(agreement) ?? 0) + amount);
  return Array.from(sums, ([agreement, amount]) => ({ agreement, amount }));
}
