import type { AuditEntry, EventDraft } from '../journal/journal.types.ts';
import { assert } from '../kit/assert.ts';
import type { Change } from '../kit/change.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { WriteName } from '../kit/row-writes.ts';
import type {
  Account,
  AccountId,
  AccountOpening,
  LedgerContext,
  PaymentNumber,
  ShelfName,
  ShelfRow,
  TakenReference,
} from './ledger.types.ts';
import type { Entry, Movement } from './movements.types.ts';

/** A row as it was loaded, if it was, and as the batch leaves it. */
interface Versions<Row> {
  readonly before: Row | undefined;
  readonly after: Row;
}

/** Rows by their ids, those that the batch changes among them. Ids are UUIDs of ours, so they do not repeat over payees. */
class Table<Row> {
  readonly #rows = new Map<string, Versions<Row>>();

  load(id: string, row: Row): void {
    this.#rows.set(id, { before: row, after: row });
  }

  get(id: string): Row | undefined {
    return this.#rows.get(id)?.after;
  }

  set(id: string, after: Row): void {
    this.#rows.set(id, { before: this.#rows.get(id)?.before, after });
  }

  added(): Row[] {
    const added: Row[] = [];
    for (const { before, after } of this.#rows.values()) if (before === undefined) added.push(after);
    return added;
  }

  changed(): Change<Row>[] {
    const changed: Change<Row>[] = [];
    for (const { before, after } of this.#rows.values()) {
      if (before !== undefined && before !== after) changed.push({ before, after });
    }
    return changed;
  }
}

/** What was loaded. */
export interface Loaded {
  /** The time of the batch. */
  readonly now: string;
  readonly accounts: readonly Account[];
  /** By their shelves: those asked for and those under references. */
  readonly rows: ReadonlyMap<ShelfName<unknown>, readonly ShelfRow[]>;
  /** Of accounts that have a hold whose time is over: their first ones, one more than a batch releases. */
  readonly held: ReadonlyMap<AccountId, readonly ShelfRow[]>;
  /** References that are taken. */
  readonly references: readonly TakenReference[];
  /** Those of them that the batch has just taken, as `referenceName` names them. */
  readonly claimed: ReadonlySet<string>;
  /** Numbers of accounts, of those that commands want to open, as `numberName` names them. */
  readonly numbers: ReadonlySet<string>;
  /** Numbers for the payments of commands that want one, by command. */
  readonly paymentNumbers: ReadonlyMap<string, number>;
}

/** Everything that the commands of one batch see and change, one after the other. */
export interface Workspace {
  readonly now: string;
  readonly newId: () => string;
  readonly accounts: Table<Account>;
  readonly shelves: ReadonlyMap<ShelfName<unknown>, Table<ShelfRow>>;
  readonly references: ReadonlyMap<string, TakenReference>;
  readonly claimed: Set<string>;
  readonly numbers: ReadonlySet<string>;
  /** Accounts that are new, as they were opened; `accounts` has them as the batch leaves them. */
  readonly opened: AccountOpening[];
  readonly paymentNumbers: ReadonlyMap<string, number>;
  /** Numbers that payments have got. */
  readonly numbered: PaymentNumber[];
  /** References that are given back. */
  readonly released: TakenReference[];
  /** Rows that stand on no shelf, by what writes them. */
  readonly written: Map<WriteName<unknown>, unknown[]>;
  readonly movements: Movement[];
  readonly entries: Entry[];
  readonly audit: AuditEntry[];
  readonly events: EventDraft[];
}

/** A reference as one text, unique over payees and scopes. */
export function referenceName(taken: Pick<TakenReference, 'payeeId' | 'scope' | 'reference'>): string {
  return `${taken.payeeId} ${taken.scope} ${taken.reference}`;
}

/** A reference that a command takes, as its row, with the text that tells it from all others. */
export type Claim = TakenReference & {
  /** As `referenceName` makes it, once: it is looked for in several sets. */
  readonly name: string;
};

/** A number's digest as one text, unique over payees. */
export function numberName(payeeId: PayeeId, digest: Buffer): string {
  return `${payeeId} number ${digest.toString('hex')}`;
}

/** The rows of a shelf. */
export function rowsOn({ shelves }: Workspace, name: ShelfName<unknown>): Table<ShelfRow> {
  const table = shelves.get(name);
  assert(table !== undefined, 'the ledger knows the shelf');
  return table;
}

/** Opens the workspace of a batch. */
export function openWorkspace(loaded: Loaded, { newId, shelves, holds }: LedgerContext): Workspace {
  const workspace: Workspace = {
    now: loaded.now,
    newId,
    accounts: new Table(),
    shelves: new Map(shelves.map(({ name }) => [name, new Table()])),
    references: new Map(loaded.references.map((taken) => [referenceName(taken), taken])),
    claimed: new Set(loaded.claimed),
    numbers: loaded.numbers,
    opened: [],
    paymentNumbers: loaded.paymentNumbers,
    numbered: [],
    released: [],
    written: new Map(),
    movements: [],
    entries: [],
    audit: [],
    events: [],
  };
  for (const account of loaded.accounts) workspace.accounts.load(account.accountId, account);
  for (const { name, idOf } of shelves) {
    const held = name === holds.shelf.name ? [...loaded.held.values()].flat() : [];
    for (const row of [...(loaded.rows.get(name) ?? []), ...held]) rowsOn(workspace, name).load(idOf(row) ?? '', row);
  }
  return workspace;
}

/**
 * The workspace for a change of something that was last changed at an instant: where the clock of the database was set
 * back since, the change gets the same time. Times along a resource never run backwards.
 */
export function notBefore(workspace: Workspace, lastChange: string): Workspace {
  // Nearly always the same: a copy has as many members as the workspace.
  return lastChange <= workspace.now ? workspace : { ...workspace, now: lastChange };
}

/** Gives a reference back that the batch has taken, where it has. */
export function releaseReference(workspace: Workspace, claim: Claim): void {
  if (workspace.claimed.delete(claim.name)) workspace.released.push(claim);
}
