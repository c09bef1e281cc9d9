import { assert } from '../../kit/assert.ts';
import { GROUP_READ_KEYS } from '../../kit/limits.ts';
import { inGroups } from '../rows/in-groups.ts';
import { unavailable } from '../server/failures.ts';
import type { Pool } from '../server/pool.ts';
import type { Find, GroupStatement } from '../transaction.types.ts';
import { readFrom } from './read.ts';

/** Statements of one grouped read that are under way at once. */
export const GROUP_READS_IN_FLIGHT = 2;
/** Reads that may wait for their turn before further ones are answered 503. */
export const GROUP_READ_WAITING = 10_000;

/** One key that is being looked up, and all who wait for its row. */
interface Wanted<Key, Row> {
  readonly key: Key;
  readonly row: Promise<Row | undefined>;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Hears how many keys one statement carried. */
export type ObserveGroup = (statement: string, keys: number) => void;

/**
 * Makes a look-up that gathers: keys that arrive while the event loop goes round once, or while earlier statements are
 * under way, travel in one statement. There is no cache.
 *
 * The statement must return one column `position`, the number of the key from 1, beside the row; `overRows` writes it:
 *
 *     select v.position, t.*
 *     from ${places}
 *     cross join lateral (select … from payer_token where ${matches}) t
 *
 * The keys must be well-formed: one that the server cannot read fails all that travel with it.
 *
 * @param pool one with `plans: 'index'`
 */
export function makeFind<Key extends object, Row extends object>(
  pool: Pool,
  statement: GroupStatement<Key>,
  observe: ObserveGroup = () => undefined,
): Find<Key, Row> {
  let gathering = new Map<string, Wanted<Key, Row>>();
  const schedule = inGroups({
    inFlight: GROUP_READS_IN_FLIGHT,
    size: GROUP_READ_KEYS,
    length: () => gathering.size,
    send: () => {
      const all = [...gathering];
      const group = all.slice(0, GROUP_READ_KEYS).map(([, wanted]) => wanted);
      gathering = new Map(all.slice(GROUP_READ_KEYS));
      observe(statement.name, group.length);
      return answer(pool, statement, group);
    },
  });

  return (key) => {
    const name = statement.nameOf(key);
    const same = gathering.get(name);
    if (same !== undefined) return same.row;
    if (gathering.size >= GROUP_READ_WAITING) return Promise.reject(unavailable('Too many look-ups wait.'));
    const wanted = want<Key, Row>(key);
    gathering.set(name, wanted);
    schedule();
    return wanted.row;
  };
}

function want<Key, Row>(key: Key): Wanted<Key, Row> {
  let settle: Pick<Wanted<Key, Row>, 'resolve' | 'reject'> | undefined;
  const row = new Promise<Row | undefined>((resolve, reject) => {
    settle = { resolve, reject };
  });
  assert(settle !== undefined, 'a promise runs its executor at once');
  return { key, row, resolve: settle.resolve, reject: settle.reject };
}

/** Asks for a group's rows and gives each waiter its own, or all of them the error. */
async function answer<Key, Row extends object>(
  pool: Pool,
  statement: GroupStatement<Key>,
  group: readonly Wanted<Key, Row>[],
): Promise<void> {
  try {
    const values = statement.values(group.map(({ key }) => key));
    const { rows } = await readFrom<Row & { position: number }>(pool, statement, values);
    const byPosition: (Row | undefined)[] = new Array(group.length).fill(undefined);
    for (const row of rows) {
      assert(byPosition[row.position - 1] === undefined, `${statement.name} finds one row for a key`);
      byPosition[row.position - 1] = row;
    }
    group.forEach(({ resolve }, index) => {
      resolve(byPosition[index]);
    });
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
