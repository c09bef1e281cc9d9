import { type Asking, closedBy, placesOf, readCounters } from './counters.ts';
import type { Closed, GiftCardAsked, GiftCardJudged, GuessingContext, PlacedEntry } from './guessing.types.ts';

/** Milliseconds before which no entry is answered that was looked at: more than the work of any takes. */
const LEAST_MS = 400;

/**
 * Judges what a payer enters to pay with a gift card or prepaid account: see docs/gift-card-guessing.md. A payer who
 * does not know number and code is told one thing, after the same work and no sooner. What is wrong is counted, across all
 * instances, in a commit of its own before the answer.
 *
 * @returns `closed` at once and uncounted, where a limit is reached
 */
export async function judgeGiftCard(context: GuessingContext, asked: GiftCardAsked): Promise<GiftCardJudged> {
  const places = placesOf(context.keyRing, asked, asked.entry.number);
  const isShut = closedBy(await readCounters(context.findCounter, places));
  const judged = isShut ?? (await judgeInTime(context, { ...asked, places }));
  context.listener?.entered(judged.outcome);
  return judged;
}

/** Whether an order takes gift cards from here, for the page: undefined where it does. */
export async function entriesClosed(
  { findCounter, keyRing }: Pick<GuessingContext, 'findCounter' | 'keyRing'>,
  asking: Asking,
): Promise<Closed | undefined> {
  return closedBy(await readCounters(findCounter, placesOf(keyRing, asking, undefined)));
}

async function judgeInTime(context: GuessingContext, asked: PlacedEntry): Promise<GiftCardJudged> {
  const [{ judged, isNews }] = await Promise.all([context.count(asked), context.pause(LEAST_MS)]);
  if (isNews) context.listener?.attacked(asked.order.payeeId);
  return judged;
}
