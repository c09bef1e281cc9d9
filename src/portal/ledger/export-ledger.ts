import type { Read } from '../../db/transaction.types.ts';
import { csvLine } from '../../kit/csv.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { formatAmount } from '../../kit/money.ts';
import { PORTAL_EXPORT_ROWS } from '../../kit/portal-limits.ts';
import { type DayOf, inDaysOf } from '../days-of-payee.ts';
import { readSlice } from '../newest-first.rules.ts';
import type { ListedMovement } from '../payments/story.types.ts';
import { tableOf } from '../table-lines.ts';
import { type AskedEntries, type AskedMovements, listEntries, listMovements } from './browse-ledger.ts';
import type { AccountEntry, AccountName } from './ledger.types.ts';

const MOVEMENT_HEADING = [
  'happenedAt',
  'movementId',
  'kind',
  'paymentId',
  'transactionId',
  'side',
  'accountId',
  'currency',
  'amountMinor',
  'amount',
  'day',
];

/**
 * Movements as a table, one line for each entry, the newest movement first.
 *
 * @throws Refusal `inputerror`
 */
export function exportMovements(read: Read, payeeId: PayeeId, asked: AskedMovements): AsyncIterable<string> {
  readSlice(asked);
  return inDaysOf(read, payeeId, (dayOf) =>
    tableOf(
      MOVEMENT_HEADING,
      (movement: ListedMovement) => movementLines(movement, dayOf),
      (cursor) => listMovements(read, payeeId, { ...asked, cursor }, PORTAL_EXPORT_ROWS),
    ),
  );
}

function movementLines(movement: ListedMovement, dayOf: DayOf): string {
  const { happenedAt, movementId, kind, currency, paymentId, transactionId, entries } = movement;
  const about = [happenedAt, movementId, kind, paymentId ?? '', transactionId ?? ''];
  return entries
    .map(({ side, accountId, amount }) =>
      csvLine([...about, side, accountId ?? '', currency, amount, formatAmount(amount, currency), dayOf(happenedAt)]),
    )
    .join('');
}

const ENTRY_HEADING = [
  'happenedAt',
  'sequence',
  'movementId',
  'kind',
  'side',
  'currency',
  'amountMinor',
  'amount',
  'balanceMinor',
  'balance',
  'paymentId',
  'orderNumber',
  'day',
];

/**
 * An account's entries as a table, the latest first. The first page is read before it returns, so that an account that is
 * not there is refused.
 *
 * @throws Refusal `notfound`, `inputerror`
 */
export async function exportEntries(
  read: Read,
  name: AccountName,
  asked: AskedEntries,
): Promise<AsyncIterable<string>> {
  const page = (cursor: string | undefined) => listEntries(read, name, { ...asked, cursor }, PORTAL_EXPORT_ROWS);
  const first = await page(undefined);
  return inDaysOf(read, name.payeeId, (dayOf) =>
    tableOf(
      ENTRY_HEADING,
      (entry: AccountEntry) => entryLine(entry, dayOf),
      async (cursor) => {
        const { entries, next } = cursor === undefined ? first : await page(cursor);
        return { rows: entries, next, searchedTo: null };
      },
    ),
  );
}

function entryLine(entry: AccountEntry, dayOf: DayOf): string {
  const { currency, amount, balance } = entry;
  return csvLine([
    entry.happenedAt,
    entry.sequence,
    entry.movementId,
    entry.kind,
    entry.side,
    currency,
    amount,
    formatAmount(amount, currency),
    balance,
    formatAmount(balance, currency),
    entry.paymentId ?? '',
    entry.orderNumber ?? '',
    dayOf(entry.happenedAt),
  ]);
}
