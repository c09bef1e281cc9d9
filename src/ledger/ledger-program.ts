import type { BatchProgram, Call, OpenAnswers, Opened, QueuedCommand } from '../db/batch/batch.types.ts';
import { addTo, groupBy } from '../kit/group-by.ts';
import type { PayeeId } from '../kit/ids.ts';
import {
  type Claimed,
  claimReferences,
  lockAccounts,
  readClock,
  readNumbers,
  readReferences,
} from './accounts/read-ledger.store.ts';
import { type AnyKind, decideCommand, type KeyedCommand, keyCommand } from './decide-command.rules.ts';
import { expireHolds } from './expiry/expire-holds.rules.ts';
import type {
  Account,
  AccountId,
  AccountKey,
  LedgerContext,
  NumberKey,
  PaymentNumber,
  ShelfKey,
  ShelfName,
  ShelfRow,
  TakenReference,
} from './ledger.types.ts';
import type { LockKey, LockName } from './locks.types.ts';
import { takeNumbers } from './payment-numbers.store.ts';
import {
  type Claim,
  numberName,
  openWorkspace,
  referenceName,
  releaseReference,
  type Workspace,
} from './workspace.rules.ts';
import { workspaceCalls } from './workspace-calls.ts';

/** A money command as it waits in the queue. */
export interface QueuedMoney extends QueuedCommand, KeyedCommand {
  readonly accounts: readonly AccountKey[];
  readonly numbers: readonly NumberKey[];
}

/** One batch: the workspace, and what the kinds of its commands have loaded beside. */
export interface MoneyBatch {
  readonly workspace: Workspace;
  /** What each kind's `load` found, by command. */
  readonly rows: ReadonlyMap<QueuedMoney, readonly unknown[]>;
}

/** Makes a money command ready for the queue: it locks its accounts, and claims its references and number. */
export function queueMoney(sent: Pick<KeyedCommand, 'kind' | 'command'>): QueuedMoney {
  const { kind, command, keys, claims } = keyCommand(sent);
  const { payeeId } = command;
  const accountIds = keys.accountIds ?? [];
  const numbers = (keys.numberDigests ?? []).map((numberDigest) => ({ payeeId, numberDigest }));
  return {
    kind,
    command,
    keys,
    payeeId,
    accounts: accountIds.map((accountId) => ({ payeeId, accountId })),
    claims,
    numbers,
    lockKeys: accountIds.map((accountId) => `${payeeId} ${accountId}`),
    claimKeys: [
      ...claims.map(({ name }) => name),
      ...numbers.map(({ numberDigest }) => numberName(payeeId, numberDigest)),
      ...(keys.locks ?? []).map((name) => lockedAs(payeeId, name)),
    ],
  };
}

/**
 * What a batch of money commands does, for the engine in `db/`: claims and locks, then loads; decides by the rules; saves
 * by few statements over arrays.
 */
export function ledgerProgram(context: LedgerContext): BatchProgram<QueuedMoney, MoneyBatch, unknown> {
  return {
    ahead,
    open: (commands, wait) => open(commands, wait, context),
    openMore: (commands, answers) => openMore(commands, answers, context),
    // Member by member: a copy that gets one more costs a batch as much as the rules of a payment.
    read: (commands, { ahead, first, more }, wait) => read(commands, { ahead, first, more, wait }, context),
    decide: ({ workspace, rows }, command) => decideCommand(workspace, command, rows.get(command) ?? []),
    drop({ workspace }, { claims }) {
      for (const claim of claims) releaseReference(workspace, claim);
    },
    writes: ({ workspace }) => workspaceCalls(workspace, context),
  };
}

/**
 * What lies under the references that were taken already, whether by others or, where it is not known what became of a
 * batch, by the same command before.
 */
function openMore(
  commands: readonly QueuedMoney[],
  [claimed = []]: readonly (readonly unknown[])[],
  { shelves }: LedgerContext,
): Call[] {
  const claims = claimsOf(commands);
  const free = claimed as readonly Claimed[];
  if (areAllFree(free, claims)) return [];
  const own = namesOf(free, claims);
  const taken = claims.filter(({ name }) => !own.has(name));
  return [readReferences(taken), ...shelves.flatMap((shelf) => shelf.loadUnder?.(taken) ?? [])];
}

/** Numbers for the commands that want one. Most batches have no such command, and ask for nothing. */
function ahead(commands: readonly QueuedMoney[]): Call[] {
  const wanted = new Map<PayeeId, number>();
  for (const { command, keys } of commands) {
    if (keys.isNumbered) wanted.set(command.payeeId, (wanted.get(command.payeeId) ?? 0) + 1);
  }
  return wanted.size === 0 ? [] : [takeNumbers(wanted)];
}

/** A lock as one text, unique over payees and kinds. */
function lockedAs(payeeId: string, { lock, id }: LockName): string {
  return `${payeeId} ${lock} ${id}`;
}

/**
 * Claims, then locks, then loads: each statement sees what was committed before the ones above it ended. A batch waits for
 * references alone, before it holds anything, and for sums, which are taken last: what else is held, its commands leave to a later
 * batch. One that waits takes accounts, other locks and sums in the same order as all others, so no two wait for each other.
 */
function open(
  commands: readonly QueuedMoney[],
  wait: boolean,
  { locks, shelves, holds }: LedgerContext,
): (Call | undefined)[] {
  const claims = claimsOf(commands);
  const accounts = accountsOf(commands);
  const ofAccounts = commands.filter(({ keys }) => keys.accountIds !== undefined);
  const numbers: NumberKey[] = [];
  for (const command of commands) numbers.push(...command.numbers);
  const some = <Key>(keys: readonly Key[], ask: (keys: readonly Key[]) => Call) =>
    keys.length === 0 ? undefined : ask(keys);
  return [
    some(claims, claimReferences),
    some(ofAccounts, () => lockAccounts(accounts, wait)),
    ...locks.map((lock) => some(locksOf(lock.name, commands), (keys) => lock.take(keys, wait))),
    ...shelves.map((shelf) => some(keysOn(shelf.name, commands), (keys) => shelf.load(keys))),
    readClock(),
    some(ofAccounts, () => holds.load(accounts)),
    some(numbers, readNumbers),
    ...loadsOf(commands).map(([load, own]) => load(own.map(({ command }) => command))),
  ];
}

/** The rows of a shelf that commands name. */
function keysOn(name: ShelfName<unknown>, commands: readonly QueuedMoney[]): ShelfKey[] {
  return commands.flatMap(({ command, keys: { rows = [] } }) =>
    rows.filter(({ shelf }) => shelf === name).map(({ id }) => ({ payeeId: command.payeeId, id })),
  );
}

/** The locks of a kind that commands name. */
function locksOf(name: LockName['lock'], commands: readonly QueuedMoney[]): LockKey[] {
  return commands.flatMap(({ command: { payeeId }, keys: { locks = [] } }) =>
    locks.filter(({ lock }) => lock === name).map(({ id }) => ({ payeeId, id })),
  );
}

/** The accounts of all commands, each once: to lock a row twice is harmless, to read it twice is work. */
function accountsOf(commands: readonly QueuedMoney[]): AccountKey[] {
  const named = new Map<string | undefined, AccountKey>();
  for (const { accounts, lockKeys } of commands) {
    for (const [index, account] of accounts.entries()) named.set(lockKeys[index], account);
  }
  return [...named.values()];
}

/** The references that commands claim, in their order. */
function claimsOf(commands: readonly QueuedMoney[]): Claim[] {
  return commands.flatMap(({ claims }) => claims);
}

/** The statements that load rows of kinds' own tables, and the commands that each is for. */
function loadsOf(commands: readonly QueuedMoney[]): [load: NonNullable<AnyKind['load']>, QueuedMoney[]][] {
  return byKind(commands).flatMap(([{ load, loadMore }, own]) =>
    [load, loadMore].flatMap((one) => (one === undefined ? [] : [[one, own] as [typeof one, QueuedMoney[]]])),
  );
}

function byKind(commands: readonly QueuedMoney[]): [AnyKind, QueuedMoney[]][] {
  return [...groupBy(commands, ({ kind }) => kind)];
}

/** An open hold of an account; one of nulls where it has none. */
type HeldRow = ShelfRow & { readonly ofAccount: AccountId };

/** The rows of the calls of `open`. */
interface First {
  readonly claimed: readonly Claimed[];
  readonly accounts: readonly Account[];
  /** By kind of lock. */
  readonly locked: readonly (readonly LockKey[])[];
  readonly onShelves: readonly (readonly ShelfRow[])[];
  readonly clock: readonly { readonly now: string }[];
  readonly held: readonly HeldRow[];
  readonly numbers: readonly NumberKey[];
  /** By load of the kinds. */
  readonly loaded: readonly (readonly unknown[])[];
}

/** Tells the answers of `open` apart. A batch hands back what the calls answered, whose columns the stores name. */
function firstOf(answers: OpenAnswers['first'], { locks, shelves }: LedgerContext): First {
  const [claimed, accounts, ...others] = answers as readonly [readonly Claimed[], readonly Account[], ...never[]];
  const locked = others.splice(0, locks.length);
  const onShelves = others.splice(0, shelves.length);
  const [clock, held, numbers, ...loaded] = others as unknown as readonly [
    First['clock'],
    First['held'],
    First['numbers'],
    ...First['loaded'],
  ];
  return { claimed, accounts, locked, onShelves, clock, held, numbers, loaded };
}

/** The rows of the calls of `openMore`, in their order; nothing where no reference was taken. */
type More = readonly [references?: readonly TakenReference[], ...ofShelves: readonly (readonly ShelfRow[])[]];

interface Flights extends OpenAnswers {
  /** A batch that waited has all the locks that there are: an account that is missing now does not exist. */
  readonly wait: boolean;
}

function read(
  commands: readonly QueuedMoney[],
  { ahead, first, more, wait }: Flights,
  context: LedgerContext,
): Opened<QueuedMoney, MoneyBatch> {
  const { locks, shelves, holds } = context;
  const { claimed, accounts, locked, onShelves, clock, held, numbers, loaded: ofKinds } = firstOf(first, context);
  const [references = [], ...under] = more as unknown as More;
  const underOf = new Map(shelves.filter(({ loadUnder }) => loadUnder).map(({ name }, index) => [name, under[index]]));
  const loaded = {
    now: clock[0]?.now ?? '',
    accounts,
    rows: new Map(
      shelves.map(({ name }, index) => [name, [...(onShelves[index] ?? []), ...(underOf.get(name) ?? [])]]),
    ),
    held: heldByAccount(held, holds.shelf.idOf),
    references,
    claimed: namesOf(claimed, claimsOf(commands)),
    paymentNumbers: numbersFor(commands, (ahead[0] ?? []) as readonly TakenNumber[]),
    numbers: new Set(numbers.map(({ payeeId, numberDigest }) => numberName(payeeId, numberDigest))),
  };
  const workspace = openWorkspace(loaded, context);
  expireHolds(workspace, loaded, holds);
  const got = new Set(
    locked.flatMap((keys, index) =>
      keys.map(({ payeeId, id }) => lockedAs(payeeId, { lock: locks[index]?.name ?? '', id })),
    ),
  );
  const isLocked = ({ payeeId, accountId }: AccountKey) => workspace.accounts.get(accountId)?.payeeId === payeeId;
  const hasLocks = ({ accounts, payeeId, keys }: QueuedMoney) =>
    accounts.every(isLocked) && (keys.locks ?? []).every((name) => got.has(lockedAs(payeeId, name)));
  const leftOut = commands.filter((command) => !wait && !hasLocks(command));
  return { workspace: { workspace, rows: rowsOf(commands, ofKinds) }, leftOut: new Set(leftOut) };
}

/** The names of the references that were free: as a rule all that were claimed, which have theirs. */
function namesOf(claimed: readonly Claimed[], claims: readonly Claim[]): Set<string> {
  if (areAllFree(claimed, claims)) return new Set(claims.map(({ name }) => name));
  const free = new Set<string>();
  for (const row of claimed) if (row.reference !== null) free.add(referenceName(row));
  return free;
}

function areAllFree([first]: readonly Claimed[], claims: readonly Claim[]): boolean {
  return (first?.free ?? 0) === claims.length;
}

/** A number, and whose it is. */
type TakenNumber = Pick<PaymentNumber, 'payeeId' | 'number'>;

/** Each payee's numbers to its commands, in their order. Where a payee has run out of them, some commands get none. */
function numbersFor(commands: readonly QueuedMoney[], taken: readonly TakenNumber[]): Map<string, number> {
  const free = new Map<PayeeId, number[]>();
  for (const { payeeId, number } of taken) addTo(free, payeeId, number);
  const left = new Map([...free].map(([payeeId, numbers]) => [payeeId, numbers.values()]));
  const given = new Map<string, number>();
  for (const { command, keys } of commands) {
    const next = keys.isNumbered && left.get(command.payeeId)?.next().value;
    if (next) given.set(command.commandId, next);
  }
  return given;
}

function heldByAccount(rows: readonly HeldRow[], idOf: (row: ShelfRow) => string | null): Map<AccountId, ShelfRow[]> {
  const held = new Map<AccountId, ShelfRow[]>();
  for (const { ofAccount, ...row } of rows) {
    // An account without an open hold has one row of nulls.
    if (idOf(row) === null) held.set(ofAccount, []);
    else addTo(held, ofAccount, row);
  }
  return held;
}

function rowsOf(commands: readonly QueuedMoney[], loaded: First['loaded']): Map<QueuedMoney, unknown[]> {
  const rows = new Map<QueuedMoney, unknown[]>();
  for (const [index, [, own]] of loadsOf(commands).entries()) {
    for (const row of (loaded[index] ?? []) as readonly { readonly position: number }[]) {
      const command = own[row.position];
      if (command !== undefined) addTo(rows, command, row);
    }
  }
  return rows;
}
