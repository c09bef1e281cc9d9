import type { AuditEntry, EventDraft } from '../journal/journal.types.ts';
import { assert } from '../kit/assert.ts';
import type { Actor } from '../kit/caller.ts';
import { addTo } from '../kit/group-by.ts';
import type { PayeeId } from '../kit/ids.ts';
import { ZERO_MINOR } from '../kit/money.ts';
import { type Booked, book } from './book.rules.ts';
import type { Account, AccountChange, AccountId, AccountOpening, Effect } from './ledger.types.ts';
import { rowsOn, type Workspace } from './workspace.rules.ts';

/** Who causes an effect. */
export interface Cause {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
}

/** An effect that is ready to be put into the workspace. */
export interface PreparedEffect {
  /** Puts all of it into the workspace, and cannot fail. */
  install(): void;
}

/**
 * Completes the rows of an effect with times and numbers, books its movements, and notes what the journal tells of it.
 * What is wrong with it is thrown here, while nothing has changed.
 *
 * @throws AssertionFailure where a rule let through what must never be
 */
export function prepareEffect(workspace: Workspace, cause: Cause, effect: Effect): PreparedEffect {
  const { rows = [], opened = [], accountChanges = [], movements = [], numbered, writes = [] } = effect;
  const fresh = opened.map((opening) => freshAccount(opening, workspace.now));
  const account = (accountId: AccountId) =>
    fresh.find((one) => one.accountId === accountId) ?? openAgain(lockedAccount(workspace, accountId), accountChanges);
  const booked = book({ payeeId: cause.payeeId, account, newId: workspace.newId, now: workspace.now }, movements);
  const accounts = changeAccounts({ fresh, booked, account }, accountChanges);
  const audit = auditOf(cause, effect);
  const events = eventsOf(workspace, effect, cause);
  return {
    install() {
      for (const { shelf, id, row } of rows) rowsOn(workspace, shelf).set(id, row);
      for (const changed of accounts) workspace.accounts.set(changed.accountId, changed);
      workspace.opened.push(...opened);
      if (numbered !== undefined) {
        workspace.numbered.push({ payeeId: cause.payeeId, paymentId: numbered.paymentId, number: numbered.number });
      }
      for (const { by, row } of writes) addTo(workspace.written, by, row);
      workspace.movements.push(...booked.movements);
      workspace.entries.push(...booked.entries);
      workspace.audit.push(...audit);
      workspace.events.push(...events);
    },
  };
}

/** An account that is opened, before anything is booked on it. */
function freshAccount({ numberDigest: _digest, numberKeyId: _keyId, ...terms }: AccountOpening, now: string): Account {
  return {
    ...terms,
    available: ZERO_MINOR,
    held: ZERO_MINOR,
    blockedAt: null,
    blockedUntil: null,
    closedAt: null,
    strikes: 0,
    strikesEndAt: null,
    strikers: null,
    nextHoldExpiresAt: null,
    entryCount: 0,
    version: 0,
    createdAt: now,
  };
}

function lockedAccount({ accounts }: Workspace, accountId: AccountId): Account {
  const account = accounts.get(accountId);
  assert(account !== undefined, 'an account is locked before it is booked on');
  return account;
}

/** A closed account takes what the effect books on it where the same effect opens it again. */
function openAgain(account: Account, changes: readonly AccountChange[]): Account {
  const isOpened = changes.some(({ accountId, closedAt }) => accountId === account.accountId && closedAt === null);
  return isOpened ? { ...account, closedAt: null } : account;
}

/** Accounts as the booking leaves them, and how to get another one. */
interface BookedAccounts {
  /** Those that are opened. */
  readonly fresh: readonly Account[];
  readonly booked: Booked;
  readonly account: (accountId: AccountId) => Account;
}

/** Accounts after the booking, with what else changes of them: each one version further than before. */
function changeAccounts(
  { fresh, booked, account: before }: BookedAccounts,
  changes: readonly AccountChange[],
): Account[] {
  const accounts = new Map<AccountId, Account>();
  for (const account of fresh) accounts.set(account.accountId, { ...account, version: account.version + 1 });
  for (const account of booked.accounts) accounts.set(account.accountId, account);
  for (const change of changes) {
    const { accountId } = change;
    const account = accounts.get(accountId) ?? before(accountId);
    accounts.set(accountId, changeAccount(account, { ...change, version: before(accountId).version + 1 }));
  }
  return [...accounts.values()];
}

function changeAccount(account: Account, change: AccountChange & Pick<Account, 'version'>): Account {
  const changed = { ...account, ...change };
  assert(changed.closedAt === null || changed.available + changed.held === 0, 'a closed account is empty');
  return changed;
}

/** What an effect is about, and each account that it opens beside. */
function auditOf(cause: Cause, effect: Effect): AuditEntry[] {
  const others = (effect.opened ?? []).filter(({ accountId }) => accountId !== effect.accountId);
  const own = (effect.ownAudit ?? []).map((entry) => ({ payeeId: cause.payeeId, actor: cause.actor, ...entry }));
  return [mainAudit(cause, effect), ...others.map(openingAudit(cause)), ...own];
}

function mainAudit({ payeeId, actor }: Cause, effect: Effect): AuditEntry {
  const { action, object } = effect;
  if (object !== undefined) return { payeeId, actor, action, ...object };
  const accountId = effect.accountId ?? effect.accountChanges?.[0]?.accountId ?? effect.opened?.[0]?.accountId;
  assert(accountId !== undefined, 'an effect says what it is about, or is about an account');
  return { payeeId, actor, action, objectId: accountId };
}

/** An account that is opened by something else, such as the card in place of a lost one, is an object of its own. */
function openingAudit({ payeeId, actor }: Cause): (opening: AccountOpening) => AuditEntry {
  return ({ accountId }) => ({ payeeId, actor, action: 'open-account', objectId: accountId });
}

function eventsOf({ now: happenedAt }: Workspace, { ownEvents = [] }: Effect, { payeeId }: Cause): EventDraft[] {
  return ownEvents.map((event) => ({ payeeId, happenedAt, ...event }));
}
