import type { WaitingAct } from '../kit/given.ts';
import { isUuid } from '../kit/ids.ts';
import { isDay } from '../kit/instants.ts';
import { REASON_CHARACTERS } from '../kit/limits.ts';
import { Trouble } from '../kit/work/trouble.ts';

/** What a list on a terminal has at most. */
export const LISTED = 1000;

/** What every command may be given. */
export type Options = { readonly payee?: string; readonly json?: true };

/** The option that says whose. */
export const PAYEE = ['--payee <id>', 'whose; may be left out while there is one payee'] as const;

/** A day of the calendar, as people write it. */
export function refuseNoDay(day: string): void {
  if (!isDay(day)) throw new Trouble('A day is written as in 2026-03-09.');
}

/** Days that a list may be narrowed to. */
export type AskedPeriod = { readonly from?: string | undefined; readonly to?: string | undefined };

/** The options for that. */
export const FROM = ['--from <day>', 'the first day, as in 2026-03-01'] as const;
export const TO = ['--to <day>', 'the last day, as in 2026-03-31'] as const;

/** Days of the calendar, in their order. */
export function refuseNoPeriod({ from, to }: AskedPeriod): void {
  for (const day of [from, to]) if (day !== undefined) refuseNoDay(day);
  if (from !== undefined && to !== undefined && from > to) throw new Trouble('--from must not be after --to.');
}

/** An id that is none is not found; the database does not take it. */
export function refuseNoId(id: string): void {
  if (!isUuid(id)) throw new Trouble('That is no id: a UUID is one.');
}

/** A reason has words, and not too many. */
export function refuseReason(reason: string): void {
  if (reason.trim() === '' || reason.length > REASON_CHARACTERS) {
    throw new Trouble(`--reason takes 1 to ${REASON_CHARACTERS} characters.`);
  }
}

/** What waits for another person, as JSON says it; nothing where all is done. */
export function told(waiting: WaitingAct | undefined): { readonly waitsFor?: WaitingAct } {
  return waiting === undefined ? {} : { waitsFor: waiting };
}

/** What tells batches of one name apart. */
export type AskedBatch = Options & { readonly acquirer?: string; readonly merchant?: string };
/** The option that says whose batch is meant. */
export const ACQUIRER_OF_BATCH = [
  '--acquirer <id>',
  'whose batch it is; may be left out while one acquirer has one of that name',
] as const;
/** The option that says which merchant number's. */
export const MERCHANT_OF_BATCH = [
  '--merchant <number>',
  'the merchant number that it pays; may be left out while one has a batch of that name',
] as const;

/** The batch that a person means by its name. */
export function whichBatch<Batch extends { readonly acquirer: string; readonly merchantId: string }>(
  batches: readonly Batch[],
  { acquirer, merchant }: AskedBatch,
): Batch {
  const meant = batches.filter(
    (one) =>
      (acquirer === undefined || one.acquirer === acquirer) && (merchant === undefined || one.merchantId === merchant),
  );
  const [first, second] = meant;
  if (first === undefined) {
    throw new Trouble('There is no batch of that name. See: kontor settlements payouts --from DAY --to DAY');
  }
  if (meant.some((one) => one.acquirer !== first.acquirer)) {
    throw new Trouble('Several acquirers have a batch of that name: say --acquirer ID.');
  }
  if (second !== undefined)
    throw new Trouble('Several merchant numbers have a batch of that name: say --merchant NUMBER.');
  return first;
}
