import { overPlainRows } from '../db/rows/over-rows.ts';
import type { Transaction } from '../db/transaction.types.ts';
import type { HeldKey, KeyId, KeyPurpose, KeyState, KnownKey } from './keys.types.ts';

/** How old a key is. */
interface KeyTimes {
  readonly id: KeyId;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  readonly changedAt: string;
  readonly isOld: boolean;
}

const KNOWN_KEY = 'key_id as "id", purpose, state, check_value as "checkValue"';

/**
 * Keeps all who write with keys out until the transaction ends, and waits for those who are writing. What is read
 * by the next statement then stays true.
 */
export async function lockKeys(transaction: Transaction): Promise<void> {
  await transaction.run({ name: 'keys-lock', text: 'select lock_keys()' }, []);
}

/** All keys that the database knows, in every state. */
export async function selectKeys(transaction: Transaction): Promise<readonly KnownKey[]> {
  const { rows } = await transaction.run<KnownKey>(
    { name: 'keys-select', text: `select ${KNOWN_KEY} from key_check order by created_at, key_id` },
    [],
  );
  return rows;
}

/** When keys came into use and into their state, and whether the first is longer ago than so many days. */
export async function selectKeyTimes(transaction: Transaction, days: number): Promise<readonly KeyTimes[]> {
  const { rows } = await transaction.run<KeyTimes>(
    {
      name: 'keys-select-times',
      text: `
        select key_id as "id", created_at as "createdAt", changed_at as "changedAt",
          created_at < kontor_now() - make_interval(days => $1::integer) as "isOld"
        from key_check`,
    },
    [days],
  );
  return rows;
}

/** For how many seconds the oldest current key of these purposes has been in use. */
export async function selectOldestSeconds(transaction: Transaction, purposes: readonly KeyPurpose[]): Promise<number> {
  const { rows } = await transaction.run<{ readonly seconds: number }>(
    {
      name: 'keys-select-oldest-seconds',
      text: `
        select coalesce(extract(epoch from kontor_now() - min(created_at)), 0)::double precision as seconds
        from key_check
        where state = 'Current' and purpose = any ($1::text[])`,
    },
    [purposes],
  );
  return rows[0]?.seconds ?? 0;
}

/** Whether a key came into its state within so many days. */
export async function selectSwitchedWithin(transaction: Transaction, keyId: KeyId, days: number): Promise<boolean> {
  const { rows } = await transaction.run<{ readonly isRecent: boolean }>(
    {
      name: 'keys-select-switched-within',
      text: `
        select changed_at > kontor_now() - make_interval(days => $2::integer) as "isRecent"
        from key_check
        where key_id = $1::text`,
    },
    [keyId, days],
  );
  return rows[0]?.isRecent === true;
}

/** A key that no row uses any more, and since when; backups of the database from before that time may need it. */
export interface RetiredKey {
  readonly id: KeyId;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
  readonly retiredAt: string;
  /** Whether it has been retired for the days that were asked for. */
  readonly isDue: boolean;
}

/** The retired keys, the oldest first. */
export async function selectRetiredKeys(transaction: Transaction, days: number): Promise<readonly RetiredKey[]> {
  const { rows } = await transaction.run<RetiredKey>(
    {
      name: 'keys-select-retired',
      text: `
        select key_id as "id", created_at as "createdAt", changed_at as "retiredAt",
          changed_at <= kontor_now() - make_interval(days => $1::integer) as "isDue"
        from key_check
        where state = 'Retired'
        order by changed_at, key_id`,
    },
    [days],
  );
  return rows;
}

/** The current and previous keys. They do not change until the transaction ends. */
export async function lockKeysForWriting(transaction: Transaction): Promise<readonly KnownKey[]> {
  const { rows } = await transaction.run<KnownKey>(
    { name: 'keys-select-for-writing', text: `select ${KNOWN_KEY} from keys_for_writing()` },
    [],
  );
  return rows;
}

const INSERT_KEYS = overPlainRows<HeldKey>({
  name: 'keys-insert',
  columns: {
    key_id: ['text', 'id'],
    purpose: ['text', 'purpose'],
    check_value: ['bytea', 'checkValue'],
  },
  text: ({ rows }) => `
    insert into key_check (key_id, purpose, state, check_value)
    select key_id, purpose, 'Current', check_value
    from ${rows}`,
});

/** Makes the keys known, each as the current one of its purpose. */
export async function insertKeys(transaction: Transaction, keys: readonly HeldKey[]): Promise<number> {
  const { count } = await transaction.run(INSERT_KEYS, INSERT_KEYS.values(keys));
  return count;
}

/** Brings keys from one state to the next; those in another state stay as they are. */
export async function updateKeyState(
  transaction: Transaction,
  keyIds: readonly KeyId[],
  change: { readonly from: KeyState; readonly to: KeyState },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'keys-update-state',
      text: `
        update key_check
        set state = $3::text, changed_at = greatest(kontor_now(), changed_at)
        where key_id = any ($1::text[]) and state = $2::text`,
    },
    [keyIds, change.from, change.to],
  );
  return count;
}
