import { assert } from '../kit/assert.ts';
import type { PayeeId } from '../kit/ids.ts';
import { type AmountMinor, amountMinor, LARGEST_AMOUNT_MINOR } from '../kit/money.ts';
import type { Account, AccountId, EntryDraft, MovementDraft } from './ledger.types.ts';
import type { Entry, Movement } from './movements.types.ts';

/** Movements with their numbers and balances, and the accounts after them. */
export interface Booked {
  readonly movements: readonly Movement[];
  readonly entries: readonly Entry[];
  /** Those that moved, each as the next version of its row. */
  readonly accounts: readonly Account[];
}

/** Whose books these are. */
export interface Books {
  readonly payeeId: PayeeId;
  /** An account as it is before; it is locked. */
  readonly account: (accountId: AccountId) => Account;
  /** Names the movements. */
  readonly newId: () => string;
  /** When they happen. */
  readonly now: string;
}

/** Members one by one: whose it is and when it happened is not for a draft to say. */
function movementOf(
  { payeeId, newId, now: happenedAt }: Books,
  { kind, currency, paymentId, transactionId, entries }: MovementDraft,
): Movement {
  return { payeeId, movementId: newId(), happenedAt, kind, currency, paymentId, transactionId, entries };
}

/**
 * Books movements one after the other: numbers each entry of an account and reckons the balance after it.
 *
 * @throws AssertionFailure where a rule let through what must never be: money from nothing, a bucket below zero, more than
 * an account may hold, another currency
 */
export function book(books: Books, drafts: readonly MovementDraft[]): Booked {
  const running = new Map<AccountId, Running>();
  const movements: Movement[] = [];
  const entries: Entry[] = [];
  for (const draft of drafts) {
    checkMovement(draft);
    const movement = movementOf(books, draft);
    movements.push(movement);
    let number = 0;
    for (const line of draft.entries) {
      const { side, accountId, amount } = line;
      const booked = accountId === null ? OUTSIDE : bookLine(runningOf(books, running, accountId), line, draft);
      number += 1;
      entries.push({
        payeeId: books.payeeId,
        movementId: movement.movementId,
        line: number,
        side,
        currency: draft.currency,
        amount,
        accountId,
        sequence: booked.sequence,
        balance: booked.balance,
      });
    }
  }
  const accounts: Account[] = [];
  for (const { account, available, held, entryCount } of running.values()) {
    const after = { ...account, available, held, entryCount, version: account.version + 1 };
    checkAccount(after);
    accounts.push(after);
  }
  return { movements, entries, accounts };
}

/** An account while movements are booked on it: what has changed is kept beside it. */
interface Running extends Record<Bucket, AmountMinor> {
  readonly account: Account;
  entryCount: number;
}

type Bucket = 'available' | 'held';

/** An entry on a side that has no buckets. */
const OUTSIDE = { sequence: null, balance: null };

function runningOf(books: Books, running: Map<AccountId, Running>, accountId: AccountId): Running {
  const known = running.get(accountId);
  if (known !== undefined) return known;
  const account = books.account(accountId);
  assert(account.payeeId === books.payeeId, 'a movement stays within its payee');
  assert(account.kind === 'StoredValue', 'only stored value has buckets');
  assert(account.closedAt === null, 'nothing is booked on a closed account');
  const { available, held, entryCount } = account;
  const fresh = { account, available, held, entryCount };
  running.set(accountId, fresh);
  return fresh;
}

function checkMovement({ entries }: MovementDraft): void {
  const sum = entries.reduce((total, { amount }) => total + amount, 0);
  assert(entries.length >= 2 && sum === 0, 'the entries of a movement sum to zero');
  assert(
    entries.every(({ amount }) => Number.isSafeInteger(amount) && amount !== 0),
    'an entry moves a whole amount',
  );
}

/** Moves a bucket, and says what its entry has to: its place among the account's entries, and the balance after it. */
function bookLine(
  running: Running,
  line: EntryDraft,
  { currency }: MovementDraft,
): Pick<Entry, 'sequence' | 'balance'> {
  assert(running.account.currency === currency, 'an account moves in its own currency');
  const bucket = bucketOf(line);
  const balance = amountMinor(running[bucket] + line.amount);
  running[bucket] = balance;
  running.entryCount += 1;
  return { sequence: running.entryCount, balance };
}

function bucketOf({ side }: EntryDraft): Bucket {
  assert(side === 'Available' || side === 'Held', 'an account is booked on its own sides');
  return side === 'Available' ? 'available' : 'held';
}

function checkAccount({ available, held, largestBalance }: Account): void {
  assert(available + held <= (largestBalance ?? LARGEST_AMOUNT_MINOR), 'an account holds no more than it may');
}
