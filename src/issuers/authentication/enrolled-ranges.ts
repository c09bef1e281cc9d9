import type { Read, Transaction } from '../../db/transaction.types.ts';
import { assert } from '../../kit/assert.ts';
import { CARD_RANGE_BATCH_LINES, CARD_RANGE_DIGITS } from '../../kit/limits.ts';
import type { Secret } from '../../kit/secret.ts';
import type { DirectoryServer } from '../acquirers/acquirers.types.ts';
import {
  type AskedDirectory,
  claimPreparation,
  deleteRanges,
  notePrepared,
  removeRanges,
  selectRangesNear,
  upsertRanges,
} from './enrolled-ranges.store.ts';
import type { PreparationAnswer } from './messages.rules.ts';
import type { EnrolledRange } from './three-ds.types.ts';

/** Ranges that begin with the same eight digits: a hundred times as many as any scheme has there. */
const RANGES_OF_PREFIX = 2_000;

/**
 * What a directory server has told of a card. `NotPrepared`: it has never answered, so its issuer may take part.
 */
export type Enrolment =
  | { readonly is: 'Enrolled'; readonly methodUrl: string | undefined }
  | { readonly is: 'NotEnrolled' }
  | { readonly is: 'NotPrepared' };

/** Whether the issuer of a card takes part. Only the first digits and the length leave this process: the database never sees a number. */
export async function findEnrolment(read: Read, scheme: string, number: Secret): Promise<Enrolment> {
  const digits = number.reveal();
  const near = await selectRangesNear(read, {
    scheme,
    digits: digits.slice(0, CARD_RANGE_DIGITS),
    length: digits.length,
    limit: RANGES_OF_PREFIX,
  });
  if (!near.isPrepared) return { is: 'NotPrepared' };
  // The closest one: of two that have the card, that which begins last.
  const range = near.ranges.find(({ startRange, endRange }) => startRange <= digits && digits <= endRange);
  return range === undefined ? { is: 'NotEnrolled' } : { is: 'Enrolled', methodUrl: range.methodUrl ?? undefined };
}

/** Seconds for which the cards of a directory server are taken for what they are. */
const PREPARED_SECONDS = 24 * 3600;
/** Seconds between two questions for them, whatever was answered. */
const ASKED_SECONDS = 3600;

/** Takes the next question for the cards of a directory server; undefined where it is too early for one. */
export function claimDirectory(
  transaction: Transaction,
  server: Pick<DirectoryServer, 'scheme' | 'url'>,
): Promise<AskedDirectory | undefined> {
  return claimPreparation(transaction, server, { sinceAsked: ASKED_SECONDS, sincePrepared: PREPARED_SECONDS });
}

/**
 * Stores the cards that a directory server has told, all in one transaction.
 *
 * @param isWhole whether the answer names all of them, and not only what has changed
 */
export async function storeRanges(
  transaction: Transaction,
  server: Pick<DirectoryServer, 'scheme' | 'url'>,
  { answer, isWhole }: { readonly answer: PreparationAnswer; readonly isWhole: boolean },
): Promise<void> {
  const { scheme } = server;
  // The last word on a range counts.
  const last = new Map(answer.ranges.map((range) => [`${range.startRange} ${range.endRange}`, range] as const));
  const ranges = [...last.values()];
  const prepared = await notePrepared(transaction, server, answer);
  assert(prepared === 1, 'a directory server that was asked is known');
  if (isWhole) await deleteRanges(transaction, scheme);
  else await inParts(ranges.filter(isGone), (part) => removeRanges(transaction, scheme, part));
  await inParts(
    ranges.filter((range) => !isGone(range)),
    (part) => upsertRanges(transaction, scheme, part),
  );
}

const isGone = ({ action }: PreparationAnswer['ranges'][number]): boolean => action === 'D';

async function inParts(
  ranges: readonly EnrolledRange[],
  doThem: (part: readonly EnrolledRange[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < ranges.length; from += CARD_RANGE_BATCH_LINES) {
    await doThem(ranges.slice(from, from + CARD_RANGE_BATCH_LINES));
  }
}
