import { expect, test } from 'vitest';
import type { PayeeId } from '../ids.ts';
import type { RowOfWork } from './background.ts';
import { fewAtOnce, workOff } from './work-off.ts';

const payeeId = '01890000-0000-7000-8000-000000000001' as PayeeId;

/** Rows that wait; each is due until it was done. */
function queue(count: number, { stay = new Set<string>() } = {}) {
  const due: RowOfWork[] = Array.from({ length: count }, (_, index) => ({ payeeId, rowId: String(index) }));
  const rounds: number[] = [];
  return {
    due,
    rounds,
    most: 10,
    find: () => Promise.resolve(due.slice(0, 10)),
    doThem(rows: readonly RowOfWork[]) {
      rounds.push(rows.length);
      for (const row of rows) if (!stay.has(row.rowId)) due.splice(due.indexOf(row), 1);
      return Promise.resolve();
    },
  };
}

test('what has piled up is worked off in one go', async () => {
  const waiting = queue(25);
  await workOff(() => false, waiting);
  expect(waiting.due).toEqual([]);
  expect(waiting.rounds).toEqual([10, 10, 5]);
});

test('rows that stay due end the round, and do not turn it into a loop', async () => {
  const waiting = queue(25, { stay: new Set(Array.from({ length: 10 }, (_, index) => String(index))) });
  await workOff(() => false, waiting);
  expect(waiting.rounds).toEqual([10, 10]);
});

test('it ends with its process', async () => {
  const waiting = queue(25);
  await workOff(() => true, waiting);
  expect(waiting.due).toHaveLength(15);
});

test('a few pieces are under way at once, never more; one that fails keeps none of the others back', async () => {
  let [underWay, most] = [0, 0];
  const done: number[] = [];
  const all = fewAtOnce([1, 2, 3, 4, 5, 6], 2, async (row) => {
    most = Math.max(most, ++underWay);
    await Promise.resolve();
    underWay--;
    if (row === 2) throw new Error('two');
    done.push(row);
  });
  await expect(all).rejects.toThrow('two');
  expect(most).toBe(2);
  expect(done.sort()).toEqual([1, 3, 4, 5, 6]);
});
