/** Days as YYYY-MM-DD, in the reader's zone. */
export interface Days {
  readonly from?: string;
  readonly to?: string;
}

/** The days as the instants that the API takes: from the first one's midnight to the end of the last one. */
export function daysOf({ from, to }: Days): { readonly from: string | undefined; readonly to: string | undefined } {
  return {
    from: from === undefined ? undefined : dayStart(from, 0),
    to: to === undefined ? undefined : dayStart(to, 1),
  };
}

/** Midnight of a day, some days later, as an instant. Undefined where the text is no day. */
function dayStart(day: string, daysLater: number): string | undefined {
  const [year = Number.NaN, month = 1, date = 1] = day.split('-').map(Number);
  const start = new Date(year, month - 1, date + daysLater);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
}

/** A day without a time, `YYYY-MM-DD`, as an instant of it wherever the reader is. */
export function atNoon(day: string): string {
  return `${day}T12:00`;
}
