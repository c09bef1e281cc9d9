import type { Transact, Transaction } from '../db/transaction.types.ts';
import type { Actor } from '../kit/caller.ts';
import type { CommandRuntime } from '../kit/command.ts';
import type { Branded, PayeeId } from '../kit/ids.ts';
import type { Secret } from '../kit/secret.ts';

/** What a key is for. A key of one purpose is never used for another; `KEY_PURPOSES` says what each does. */
export type KeyPurpose =
  | 'account-numbers'
  | 'card-data'
  | 'card-history'
  | 'card-verification'
  | 'fingerprint'
  | 'guesses'
  | 'identity'
  | 'networks'
  | 'page-links'
  | 'portal-users'
  | 'secrets'
  | 'token-lines';

/** Names a key for ever: its purpose and a number that counts up, as in `card-data-2`. Not a secret. */
export type KeyId = Branded<string, 'KeyId'>;

/** One version of a key, as the ring holds it. */
export interface Key {
  readonly id: KeyId;
  readonly purpose: KeyPurpose;
  /** ISO 8601 in UTC, by the clock of the machine that made the key. */
  readonly createdAt: string;
  /** 256 random bits. */
  readonly material: Secret<Buffer>;
}

/**
 * `Current`: new rows are written with it, one for each purpose. `Previous`: rows may still need it. `Retired`: no row
 * needs it, backups may. `Destroyed`: it is no longer in the ring; its id is not given again.
 */
export type KeyState = 'Current' | 'Previous' | 'Retired' | 'Destroyed';

/** What the database knows of a key: enough to tell the right one from a wrong one, nothing to compute with. */
export interface KnownKey {
  readonly id: KeyId;
  readonly purpose: KeyPurpose;
  readonly state: KeyState;
  /** 32 bytes that HKDF-SHA-256 derives of the key for this alone (RFC 5869); of a key from before, its HMAC-SHA-256 of a constant. */
  readonly checkValue: Buffer;
}

/** A key of the ring without its material, to be compared with what the database knows. */
export interface HeldKey extends Omit<KnownKey, 'state'> {
  /** As versions before computed it: only to know a key again that was registered by one. */
  readonly earlierCheckValue: Buffer;
}

/** Where a sealed value belongs, the associated data of its encryption (NIST SP 800-38D). It opens nowhere else: not in another row, column or payee, not for another purpose. */
export interface AssociatedData {
  readonly purpose: KeyPurpose;
  readonly payeeId: PayeeId;
  readonly rowId: string;
  /** Table and column, as in `instrument.sealed`. */
  readonly field: string;
}

/** The keys that a transaction writes with, by purpose; they hold until it ends. */
export interface WriteKeys {
  /** What new values are sealed with and digested under. */
  readonly current: Readonly<Record<KeyPurpose, KeyId>>;
  /** All that stored values may have been digested under, the current one first: for look-ups. */
  readonly live: Readonly<Record<KeyPurpose, readonly KeyId[]>>;
}

/**
 * The keys of this process, and what is computed with them. The material stays inside. Everything is synchronous, for
 * it lies on the path of each stored card; only `refresh` goes back to where the ring is kept.
 */
export interface KeyRing {
  /** Loads the ring again; calls that overlap share one load. A ring that is gone or has changed a key is a `Trouble`. */
  refresh(): Promise<void>;
  /** The keys that the last load found, in the ring's order. */
  held(): readonly HeldKey[];
  /** Whether this process can use the key: one that has left the ring since it was loaded can still be used, unless it was destroyed. */
  holds(keyId: KeyId): boolean;
  /** Gives up keys that nothing is under any more: this process cannot use them again. */
  forget(keyIds: readonly KeyId[]): void;
  /** What tells a key from another one: its check value is computed, and nothing is kept. */
  check(key: Key): HeldKey;
  /** Notes which keys are in use for what, and that the database has confirmed those of the list. */
  trust(known: readonly KnownKey[], inUse: WriteKeys): void;
  /** Whether the database has confirmed this key since it was loaded. */
  trusts(keyId: KeyId): boolean;
  /** The key of a purpose that was current when the database was last asked. */
  current(purpose: KeyPurpose): KeyId;
  /** The keys that stored digests of a purpose may be under, the current one first: for look-ups. */
  live(purpose: KeyPurpose): readonly KeyId[];
  /** Encrypts a text for where it belongs, under a data key of its own that the named key wraps. */
  seal(keyId: KeyId, associatedData: AssociatedData, text: Secret): Buffer;
  /** The id of the key that a sealed value needs; undefined where the bytes are no sealed value. */
  sealedWith(sealed: Buffer): KeyId | undefined;
  /** Decrypts. Throws `AssertionFailure` where the value was altered, belongs elsewhere, or its key is not held. */
  open(associatedData: AssociatedData, sealed: Buffer): Secret;
  /** Wraps the data key of a sealed value with another key. What it protects is not decrypted. */
  rewrap(keyId: KeyId, associatedData: AssociatedData, sealed: Buffer): Buffer;
  /** HMAC-SHA-256 under the named key over payee, a zero byte and the text. */
  digest(keyId: KeyId, payeeId: PayeeId, text: Secret): Buffer;
  /** The same under each live key of a purpose, the current one first. */
  digests(purpose: KeyPurpose, payeeId: PayeeId, text: Secret): readonly Buffer[];
  /** A new key of a purpose, from the system's secure source. It is not in the ring yet. */
  make(keyId: KeyId, purpose: KeyPurpose): Key;
}

/** The file of a ring, which knows nothing of what it holds. */
export interface RingFile {
  /** Where the ring is looked for, in words for the operator. */
  readonly location: string;
  /** The ring's text, or undefined where there is none. Throws `Trouble` where it must not be used. */
  read(): Promise<Secret | undefined>;
  /** Stores the first text, durably; false where there is one already, which stays as it is. */
  create(text: Secret): Promise<boolean>;
  /** Replaces the text, durably and at once: a reader sees the old or the new one. */
  replace(text: Secret): Promise<void>;
}

/** What opens a sealed ring. */
export interface RingPassphrase {
  /** Where it is read, in words for the operator. */
  readonly location: string;
  /** What the file holds. Throws `Trouble` where it cannot be read, or others can read it too. */
  read(): Promise<Secret>;
}

/**
 * Where the ring is kept: a file, sealed or in the clear, or a key management service that wraps the ring's text with its own root
 * key. Its texts are the ring in the clear. The text is loaded once and worked on in memory, because a call to a service for each
 * card would be far too slow.
 */
export interface KeyProvider extends RingFile {
  /** Seals the ring where it is kept with this passphrase, in place of another one or none. The settings have to name it afterwards. */
  sealWith(passphrase: RingPassphrase): Promise<void>;
}

/** A ring and the place that it is kept in. */
export interface KeyStorage {
  readonly keyRing: KeyRing;
  readonly keyProvider: KeyProvider;
}

/** One table that uses keys of a purpose, and how its rows come to use another key. The slice that owns it provides it. */
export interface KeyUse {
  readonly purpose: KeyPurpose;
  /**
   * Whether a rotation does not wait for rows that it cannot move: they are found under both keys until they end by themselves. A job
   * retires the old key then.
   */
  readonly endsByItself?: boolean;
  /** Rows that use the key; of very many at least so many that a progress bar has something to show. */
  count(transaction: Transaction, keyId: KeyId): Promise<number>;
  /** Moves some rows from one key to the other, those that no transaction has locked; returns how many. */
  move(transaction: Transaction, keyRing: KeyRing, change: KeyChange): Promise<number>;
}

export interface KeyChange {
  readonly from: KeyId;
  readonly to: KeyId;
}

/** What happened to a key, for the audit trail. */
export interface KeyEvent {
  readonly action: 'activate-key' | 'retire-key' | 'destroy-key' | 'export-key' | 'import-key' | 'seal-key';
  /** The key's id. */
  readonly objectId: string;
}

/** Seals the text of a ring with a passphrase, and opens it again. */
export interface KeyExport {
  /** Whether a text is one that was sealed here. */
  isSealed(text: string): boolean;
  seal(text: Secret, passphrase: Secret): Promise<string>;
  /** Throws `Trouble` where the passphrase is wrong or the text was altered. */
  open(sealed: string, passphrase: Secret): Promise<Secret>;
}

/** Files of exported rings. */
export interface ExportFiles {
  /** Writes a new file that only its owner may read; an existing one is a `Trouble`. */
  writeNew(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
}

/** What the commands of this slice need of the running installation: see `CommandRuntime`. */
export interface KeysService extends KeyStorage {
  readonly transact: Transact;
  readonly keyUses: readonly KeyUse[];
  /** Writes the audit entries of key changes, in the transaction that makes them. */
  audit(transaction: Transaction, events: readonly KeyEvent[]): Promise<void>;
}

/** What the portal needs of it: each change has an actor. */
export interface KeysOfPortal extends Omit<KeysService, 'audit'> {
  /** Writes the audit entries of what this one does to keys. */
  readonly auditBy: (actor: Actor) => KeysService['audit'];
}

/** What the commands of this slice get from `program.ts`. */
export interface KeysRuntime extends CommandRuntime<KeysService> {
  readonly keyExport: KeyExport;
  readonly exportFiles: ExportFiles;
  /** The passphrase of an export: from the environment, or typed unseen; twice where it is new. */
  passphrase(options: { readonly isNew: boolean }): Promise<Secret>;
  /** The passphrase of a ring, in the file of this path. */
  passphraseFile(path: string): RingPassphrase;
  /** Shows how far the work is, in place of what it showed before; undefined removes it. Nothing where no terminal is. */
  progress(text: string | undefined): void;
  /** Waits between two rounds over rows that others hold. */
  pause(durationMs: number): Promise<void>;
}
