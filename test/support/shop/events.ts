import { setTimeout as pause } from 'node:timers/promises';
import { makeWorkOn } from '../../../src/db/rows-at-work.ts';
import type { Database } from '../../../src/db/server/database.types.ts';
import type { Transaction } from '../../../src/db/transaction.types.ts';
import { writeEvents } from '../../../src/journal/write-events.ts';
import type { PayeeId } from '../../../src/kit/ids.ts';
import { type BackgroundWork, createBackground } from '../../../src/kit/work/background.ts';
import { createTraffic } from '../../../src/kit/work/traffic.ts';
import type { TestDatabase } from '../database/database.ts';

/** Writes events as slices do: each under the lock of its resource, with the resource's next number. */
export interface EventWriter {
  /** Writes one event about the resource, with the callback that it asks for, if it asks for one. */
  write(resourceId: string, options?: { readonly openMs?: number; readonly callbackUrl?: string }): Promise<void>;
}

/** Makes resources that stand for all others, in a table of their own. */
export async function eventWriter(database: TestDatabase, payeeId: PayeeId): Promise<EventWriter> {
  await database.asAdmin(`
    create table if not exists test_resource (
      payee_id uuid, resource_id text, sequence bigint, primary key (payee_id, resource_id)
    );
    grant all on test_resource to public`);
  return {
    write: (resourceId, { openMs = 0, callbackUrl } = {}) =>
      database.transact(async (transaction) => {
        const { sequence, happenedAt } = await nextSequence(transaction, payeeId, resourceId);
        const event = { type: 'token.renamed' as const, resourceSequence: sequence, payload: { sequence } };
        const callback = callbackUrl !== undefined && {
          callback: { url: callbackUrl, body: { resourceId, sequence } },
        };
        await writeEvents(transaction, [{ ...event, ...callback, payeeId, resourceId, happenedAt }]);
        if (openMs > 0) await pause(openMs);
      }),
  };
}

async function nextSequence(
  transaction: Transaction,
  payeeId: PayeeId,
  resourceId: string,
): Promise<{ sequence: number; happenedAt: string }> {
  const { rows } = await transaction.run<{ sequence: number; happenedAt: string }>(
    {
      name: 'test-next-sequence',
      text: `
        insert into test_resource as resource values ($1, $2, 1)
        on conflict (payee_id, resource_id) do update set sequence = resource.sequence + 1
        returning sequence, kontor_now() as "happenedAt"`,
    },
    [payeeId, resourceId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a resource has a row');
  return row;
}

/** What jobs need of a database, with a list of what failed. */
export function jobsOn({ background: { read, transact } }: Pick<Database, 'background'>) {
  const failures: unknown[] = [];
  const report = (_work: BackgroundWork, error: unknown) => void failures.push(error);
  const { quiet } = createTraffic();
  return {
    read,
    transact,
    quiet,
    failures,
    background: createBackground(report),
    workOn: makeWorkOn(transact, report),
  };
}
