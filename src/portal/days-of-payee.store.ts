import type { Read } from '../db/transaction.types.ts';

/** Where a payee's days begin, as in `Europe/Oslo`; undefined where there is no such payee. */
export async function selectTimeZone(read: Read, payeeId: string): Promise<string | undefined> {
  const { rows } = await read<{ timeZone: string }>(
    { name: 'portal-select-time-zone', text: 'select time_zone as "timeZone" from payee where payee_id = $1::uuid' },
    [payeeId],
  );
  return rows[0]?.timeZone;
}
