import { expect, test } from 'vitest';
import type { Transact } from '../../db/transaction.types.ts';
import { uuidV7 } from '../../kit/ids.ts';
import { traceBuffer, writeTrace } from './trace-buffer.flow.ts';

const PASSED = { acquirerId: 'north', site: 'localhost:9100', isOurs: true, type: '1100', fields: [] } as const;

function buffer() {
  return traceBuffer({ newId: () => uuidV7(1), now: () => new Date('2026-11-28T12:00:00Z') });
}

test('all that waits is written in one transaction, and nothing that waits for none', async () => {
  const written: number[] = [];
  const transact: Transact = (work) =>
    work({
      run: (_statement: unknown, values: readonly unknown[]) => {
        written.push(values.length);
        return Promise.resolve({ rows: [], count: 500 });
      },
    } as never);
  const waiting = buffer();
  for (let count = 0; count < 500; count++) waiting.note(PASSED);
  await writeTrace(transact, waiting);
  await writeTrace(transact, waiting);
  expect(written).toHaveLength(1);
});

test('what is too much is left out, and the next message that is kept says how much', () => {
  const waiting = buffer();
  for (let count = 0; count < 5_007; count++) waiting.note(PASSED);
  expect(waiting.take()).toHaveLength(5_000);
  waiting.note(PASSED);
  waiting.note(PASSED);
  expect(waiting.take().map(({ leftOut }) => leftOut)).toEqual([7, 0]);
});
