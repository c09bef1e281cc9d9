import { type Given, needed, optional, readDay } from '../kit/command.ts';
import type { WaitingAct } from '../kit/given.ts';
import { isUuid } from '../kit/ids.ts';
import { REASON_CHARACTERS } from '../kit/limits.ts';
import { Trouble } from '../kit/work/trouble.ts';

/** What a list on a terminal has at most. */
export const LISTED = 1000;

/** The option that says whose. */
export const PAYEE = optional('<id>', 'whose; may be left out while there is one payee');

/** Days that a list may be narrowed to. */
export const PERIOD = {
  from: optional('<day>', 'the first day, as in 2026-03-01', readDay),
  to: optional('<day>', 'the last day, as in 2026-03-31', readDay),
};

/** Days that a report is of. */
export const NEEDED_PERIOD = {
  from: needed('<day>', 'the first day, as in 2026-03-01', readDay),
  to: needed('<day>', 'the last day, as in 2026-03-31', readDay),
};

/** Days in their order. */
export function refuseNoPeriod({
  from,
  to,
}: {
  readonly from: string | undefined;
  readonly to: string | undefined;
}): void {
  if (from !== undefined && to !== undefined && from > to) throw new Trouble('--from must not be after --to.');
}

/** The option for a table that other programs read. */
export const CSV = optional('<format>', 'csv prints a table for other programs', readCsv);

/** The one format that there is. */
export function readCsv(text: string): 'csv' {
  if (text !== 'csv') throw new Trouble('It takes csv.');
  return text;
}

/** An id that is none is not found; the database does not take it. */
export function readId(text: string): string {
  if (!isUuid(text)) throw new Trouble('That is no id: a UUID is one.');
  return text;
}

/** A reason has words, and not too many. */
export const REASON = needed('<text>', 'why; stored with it, and in the audit trail', (text) => {
  if (text.trim() === '' || text.length > REASON_CHARACTERS) {
    throw new Trouble(`It takes 1 to ${REASON_CHARACTERS} characters.`);
  }
  return text.trim();
});

/** What waits for another person, as JSON says it; nothing where all is done. */
export function told(waiting: WaitingAct | undefined): { readonly waitsFor?: WaitingAct } {
  return waiting === undefined ? {} : { waitsFor: waiting };
}

/** A batch, by its name and by what tells batches of one name apart. */
export const BATCH = {
  batch: needed('<batch>', 'its name, as the file has it'),
  acquirer: optional('<id>', 'whose batch it is; may be left out while one acquirer has one of that name'),
  merchant: optional(
    '<number>',
    'the merchant number that it pays; may be left out while one has a batch of that name',
  ),
};

/** The batch that a person means by its name. */
export function whichBatch<Batch extends { readonly acquirer: string; readonly merchantId: string }>(
  batches: readonly Batch[],
  { acquirer, merchant }: Pick<Given<typeof BATCH>, 'acquirer' | 'merchant'>,
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
