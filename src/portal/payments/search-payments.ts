import type { Read } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { PORTAL_PAGE_ROWS_MOST } from '../../kit/portal-limits.ts';
import type { Found, Page } from '../newest-first.types.ts';
import { endingCursor, pageByEnd, pageOf } from '../page.rules.ts';
import { type AskedPayments, accountWay, cardWay, leftOf, readPayments } from './payments.rules.ts';
import {
  ACCOUNT_TABLE,
  CARD_TABLE,
  countPayments,
  NAMED_ACCOUNT_PAYMENTS,
  NAMED_CARD_PAYMENTS,
  selectNamed,
  selectPayments,
} from './payments.store.ts';
import type { Count, ListedPayment, PaymentSearch, TextSearch } from './payments.types.ts';

/** Rows that a list counts: what a person reads as a number. */
const PORTAL_COUNT_ROWS = 1000;

/**
 * A page of a payee's payments, the newest first, or those that end first: those of a period, cut down by state, kind and amount; or those that a
 * text names, which are all on one page.
 *
 * @throws Refusal `inputerror`
 */
export async function searchPayments(read: Read, payeeId: PayeeId, asked: AskedPayments): Promise<Page<ListedPayment>> {
  const wanted = readPayments(asked);
  if (wanted.by === 'list') return pageOfPayments(read, { ...wanted, payeeId });
  const rows = await namedPayments(read, { ...wanted, payeeId }, PORTAL_PAGE_ROWS_MOST);
  return { rows, next: null, searchedTo: null };
}

/** A page of payments that was read already. */
export async function pageOfPayments(read: Read, search: PaymentSearch): Promise<Page<ListedPayment>> {
  const oneMore = { ...search, limit: search.limit + 1 };
  const found = await inFamilies(oneMore, NOTHING, selectPayments.bind(undefined, read));
  return search.match.state === 'ToCapture' ? pageByEnd(found, search.limit, endOf) : pageOf(found, search.limit, idOf);
}

const NOTHING: Found<ListedPayment> = { rows: [], stoppedAt: undefined };

/**
 * How many payments there are of what `searchPayments` lists, as far as they are counted.
 *
 * @throws Refusal `inputerror`
 */
export async function countSearched(read: Read, payeeId: PayeeId, asked: AskedPayments): Promise<Count> {
  const wanted = readPayments(asked);
  if (wanted.by === 'text') {
    const { length } = await namedPayments(read, { ...wanted, payeeId }, PORTAL_PAGE_ROWS_MOST + 1);
    return { count: Math.min(length, PORTAL_PAGE_ROWS_MOST), isMore: length > PORTAL_PAGE_ROWS_MOST };
  }
  const search = { ...wanted, payeeId, limit: PORTAL_COUNT_ROWS + 1 };
  const counts = await inFamilies(search, { count: 0, hasStopped: false }, countPayments.bind(undefined, read));
  const sum = counts.reduce((total, { count }) => total + count, 0);
  return {
    count: Math.min(sum, PORTAL_COUNT_ROWS),
    isMore: sum > PORTAL_COUNT_ROWS || counts.some(({ hasStopped }) => hasStopped),
  };
}

type Ask<Result> = (
  table: typeof CARD_TABLE,
  search: PaymentSearch,
  way: ReturnType<typeof cardWay> | ReturnType<typeof accountWay>,
) => Promise<Result>;

/** Asks each family that is wanted; one that has no such group has nothing. */
function inFamilies<Result>(search: PaymentSearch, nothing: Result, ask: Ask<Result>): Promise<Result[]> {
  return Promise.all(
    search.families.map((family) => {
      const way = family === 'card' ? cardWay(search) : accountWay(search);
      const isEmpty = 'groups' in way && way.groups.length === 0;
      return isEmpty ? nothing : ask(family === 'card' ? CARD_TABLE : ACCOUNT_TABLE, search, way);
    }),
  );
}

async function namedPayments(read: Read, search: TextSearch, limit: number): Promise<readonly ListedPayment[]> {
  const found = await Promise.all(
    search.families.map((family) =>
      selectNamed(read, family === 'card' ? NAMED_CARD_PAYMENTS : NAMED_ACCOUNT_PAYMENTS, search, limit),
    ),
  );
  return pageOf(
    found.map((rows) => ({ rows, stoppedAt: undefined })),
    limit,
    idOf,
  ).rows;
}

function endOf({ authorizedUntil, paymentId }: ListedPayment): string {
  return endingCursor(authorizedUntil, paymentId);
}

function idOf({ paymentId }: ListedPayment): string {
  return paymentId;
}

/** A payment as it is shown: with what is left of it, without what that is reckoned from. */
export function showPayment(payment: ListedPayment) {
  const {
    approved: _approved,
    reservedHold: _hold,
    reservedReversal: _reversal,
    disputed: _disputed,
    isOver: _isOver,
    ...shown
  } = payment;
  return { ...shown, remaining: leftOf(payment) };
}
