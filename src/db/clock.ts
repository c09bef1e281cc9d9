import { assert } from '../kit/assert.ts';
import type { Read } from './transaction.types.ts';

/** The time of the database, ISO 8601 in UTC. Instances may each have another. */
export async function readNow(read: Read): Promise<string> {
  const { rows } = await read<{ readonly now: string }>(
    { name: 'read-database-clock', text: 'select kontor_now() as now' },
    [],
  );
  assert(rows[0] !== undefined, 'a clock is one row');
  return rows[0].now;
}
