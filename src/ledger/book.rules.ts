import { assert } from '../kit/assert.ts';
import type { PayeeId } from '../kit/ids.ts';
import { amountMinor, LARGEST_AMOUNT_MINOR } from '../kit/money.ts';
import type { Account, AccountId, EntryDraft, MovementDraft } from './ledger.types.ts';
import type { Entry, Movement } from './movements.types.ts';

/** Movements with their numbers and balances, and the accounts after them. */
export interface Booked {
  readonly movements: readonly Movement[];
  readonly entries: readonly Entry[];
  /** Those that moved. */
  readonly accounts: ReadonlyMap<AccountId, Account>;
}

/** Whose books these are. */
export interface Books {
  readonly payeeId: PayeeId;
  /** An account as it is before; it is locked. */
  readonly account: (accountId: AccountId) => Account;
  /** Names the movements. */
  readonly newId: () => string;
}

/**
 * Books movements one after the other: numbers each entry of an account and reckons the balance after it.
 *
 * @throws BrokenBelief where a rule let through what must never be: money from nothing, a bucket below zero, more than
 * an account may hold, another currency
 */
export function book(books: Books, drafts: readonly MovementDraft[]): Booked {
  const accounts = new Map<AccountId, Account>();
  const movements: Movement[] = [];
  const entries: Entry[] = [];
  for (const draft of drafts) {
    checkMovement(draft);
    const movement = { ...draft, payeeId: books.payeeId, movementId: books.newId() };
    movements.push(movement);
    for (const [index, line] of draft.entries.entries()) {
      const account = line.accountId === null ? undefined : bookLine(books, accounts, line, draft);
      entries.push({
        ...line,
        payeeId: books.payeeId,
        movementId: movement.movementId,
        line: index + 1,
        currency: draft.currency,
        sequence: account?.entryCount ?? null,
        balance: account === undefined ? null : account[bucketOf(line)],
      });
    }
  }
  for (const account of accounts.values()) checkAccount(account);
  return { movements, entries, accounts };
}

function checkMovement({ entries }: MovementDraft): void {
  const sum = entries.reduce((total, { amount }) => total + amount, 0);
  assert(entries.length >= 2 && sum === 0, 'the entries of a movement sum to zero');
  assert(
    entries.every(({ amount }) => Number.isSafeInteger(amount) && amount !== 0),
    'an entry moves a whole amount',
  );
}

function bookLine(
  books: Books,
  accounts: Map<AccountId, Account>,
  line: EntryDraft,
  { currency }: MovementDraft,
): Account {
  assert(line.accountId !== null, 'a bucket is an account’s');
  const before = accounts.get(line.accountId) ?? books.account(line.accountId);
  assert(before.payeeId === books.payeeId, 'a movement stays within its payee');
  assert(before.kind === 'StoredValue', 'only stored value has buckets');
  assert(before.closedAt === null, 'nothing is booked on a closed account');
  assert(before.currency === currency, 'an account moves in its own currency');
  const bucket = bucketOf(line);
  const balance = amountMinor(before[bucket] + line.amount);
  const after = { ...before, [bucket]: balance, entryCount: before.entryCount + 1 };
  accounts.set(line.accountId, after);
  return after;
}

function bucketOf({ side }: EntryDraft): 'available' | 'held' {
  assert(side === 'Available' || side === 'Held', 'an account is booked on its own sides');
  return side === 'Available' ? 'available' : 'held';
}

function checkAccount({ available, held, largestBalance }: Account): void {
  assert(available + held <= (largestBalance ?? LARGEST_AMOUNT_MINOR), 'an account holds no more than it may');
}
