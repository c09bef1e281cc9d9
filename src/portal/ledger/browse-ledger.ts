import type { Read } from '../../db/transaction.types.ts';
import { inputError, notFound } from '../../kit/errors.ts';
import { isUuid, type PayeeId } from '../../kit/ids.ts';
import { readInstant, readLimit, readSlice } from '../newest-first.rules.ts';
import type { AskedPage, Page } from '../newest-first.types.ts';
import { pageOf } from '../page.rules.ts';
import type { ListedMovement } from '../payments/story.types.ts';
import {
  selectAccount,
  selectAccounts,
  selectBalanceAt,
  selectBooks,
  selectEntries,
  selectSequenceAt,
} from './accounts.store.ts';
import type { AccountEntry, AccountName, BalanceThen, ListedAccount, SearchedFigure } from './ledger.types.ts';
import type { Books } from './ledger.wire.ts';
import { selectMovement, selectMovements } from './movements.store.ts';

/** A list of the ledger as a request asks for it. */
export interface AskedLedgerList extends AskedPage {
  readonly kind?: string | undefined;
}

/** A list of movements as a request asks for it. */
export interface AskedMovements extends AskedLedgerList {
  readonly currency?: string | undefined;
  readonly figure?: SearchedFigure | undefined;
}

/**
 * A page of a payee's movements with their entries, the newest first.
 *
 * @throws Refusal `inputerror`
 */
export async function listMovements(
  read: Read,
  payeeId: PayeeId,
  asked: AskedMovements,
  limit?: number,
): Promise<Page<ListedMovement>> {
  const slice = { ...readSlice(asked), ...(limit !== undefined && { limit }) };
  const { kind, currency, figure } = asked;
  const found = await selectMovements(read, { ...slice, payeeId, kind, currency, figure, limit: slice.limit + 1 });
  return pageOf([found], slice.limit, ({ movementId }) => movementId);
}

/**
 * One movement.
 *
 * @throws Refusal `notfound`
 */
export async function getMovement(read: Read, payeeId: PayeeId, id: string): Promise<ListedMovement> {
  const movement = isUuid(id) ? await selectMovement(read, payeeId, id.toLowerCase()) : undefined;
  if (movement === undefined) throw notFound();
  return movement;
}

/**
 * A page of a payee's accounts, the newest first.
 *
 * @throws Refusal `inputerror`
 */
export async function listAccounts(read: Read, payeeId: PayeeId, asked: AskedLedgerList): Promise<Page<ListedAccount>> {
  const slice = readSlice({ cursor: asked.cursor, limit: asked.limit });
  const found = await selectAccounts(read, { ...slice, payeeId, kind: asked.kind, limit: slice.limit + 1 });
  return pageOf([found], slice.limit, ({ accountId }) => accountId);
}

/** An account, and what was on it at an instant. */
export interface AccountThen extends BalanceThen {
  readonly account: ListedAccount;
  readonly asOf: string;
}

/**
 * An account as of an instant.
 *
 * @param asOf ISO 8601; undefined: now
 * @throws Refusal `notfound`, `inputerror`
 */
export async function getAccountThen(
  read: Read,
  name: AccountName,
  { asOf, now }: { readonly asOf: string | undefined; readonly now: string },
): Promise<AccountThen> {
  const account = await accountOf(read, name);
  if (asOf === undefined) return { account, asOf: now, available: account.available, held: account.held };
  const instant = readInstant('asOf', asOf);
  const found = { ...name, accountId: account.accountId };
  const balance = await selectBalanceAt(read, found, await selectSequenceAt(read, found, instant));
  return { account, asOf: instant, ...balance };
}

/** Part of an account's statement as a request asks for it. */
export interface AskedEntries {
  readonly to?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: string | undefined;
}

/** Entries, the latest first, and the cursor of those before. */
export interface EntryPage {
  readonly entries: readonly AccountEntry[];
  readonly next: string | null;
}

/**
 * A page of an account's entries, the latest first.
 *
 * @param rows how many, in place of the request's own number
 * @throws Refusal `notfound`, `inputerror`
 */
export async function listEntries(
  read: Read,
  name: AccountName,
  asked: AskedEntries,
  rows?: number,
): Promise<EntryPage> {
  const limit = rows ?? readLimit(asked.limit);
  const account = await accountOf(read, name);
  const found = { ...name, accountId: account.accountId };
  const upTo = asked.to === undefined ? undefined : await selectSequenceAt(read, found, readInstant('to', asked.to));
  const below = Math.min(readSequence(asked.cursor), upTo === undefined ? Number.MAX_SAFE_INTEGER : upTo + 1);
  const entries = await selectEntries(read, found, { below, limit: limit + 1 });
  const shown = entries.slice(0, limit);
  return { entries: shown, next: entries.length > limit ? String(shown.at(-1)?.sequence) : null };
}

/** What the last check of the books found: nothing where there was none. */
export async function getBooks(read: Read): Promise<Books> {
  return (await selectBooks(read)) ?? { verifiedAt: null, invariants: 0, broken: 0 };
}

async function accountOf(read: Read, { payeeId, accountId }: AccountName): Promise<ListedAccount> {
  const account = isUuid(accountId)
    ? await selectAccount(read, { payeeId, accountId: accountId.toLowerCase() })
    : undefined;
  if (account === undefined) throw notFound();
  return account;
}

function readSequence(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  if (!/^[1-9]\d{0,14}$/.test(cursor)) throw inputError('cursor', 'must be the next of the page before');
  return Number(cursor);
}
