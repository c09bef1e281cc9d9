/** Labels closer than this would run into each other. */
const LABEL_PX = 64;
/** As in 2026-11. */
const MONTH_CHARACTERS = 7;
const DAY_S = 86_400;

/** Where bars stand on their axis, and how they are named. */
export interface BarPlaces {
  /** In seconds since 1970, in order. */
  readonly places: readonly number[];
  /** What the axis has beyond the outer bars, in seconds, so that they stand whole. */
  readonly margin: number;
  readonly unit: 'day' | 'month';
}

/** @param at days as YYYY-MM-DD, or months as YYYY-MM, in order */
export function barPlaces(at: readonly string[]): BarPlaces {
  const unit = at[0]?.length === MONTH_CHARACTERS ? 'month' : 'day';
  const places = at.map((text) => Date.parse(`${text}${unit === 'month' ? '-01' : ''}T00:00:00Z`) / 1000);
  const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
  return { places, margin: (gaps.length === 0 ? DAY_S : Math.min(...gaps)) / 2, unit };
}

/**
 * The places that get a label: each that has a bar, or every second, third, … where they are many. An axis of its own
 * choice would have labels between months, and several on one day.
 */
export function labelledPlaces(places: readonly number[], widthPx: number): number[] {
  const room = Math.max(Math.floor(widthPx / LABEL_PX), 1);
  const step = Math.max(1, Math.ceil(places.length / room));
  return places.filter((_, index) => index % step === 0);
}
