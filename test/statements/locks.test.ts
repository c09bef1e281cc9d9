import { expect, test } from 'vitest';
import * as accounts from '../../src/accounts/command-kinds.ts';
import type { Call } from '../../src/db/batch/batch.types.ts';
import { LOCKS } from '../../src/engine/locks.ts';
import * as lives from '../../src/gift-cards/cards/life-kinds.ts';
import * as giftCards from '../../src/gift-cards/gift-card-kinds.ts';
import * as changes from '../../src/orders/change-kinds.ts';
import * as orders from '../../src/orders/command-kinds.ts';
import * as payments from '../../src/payments/command-kinds.ts';

const LOCKING = /\bfor (no key )?(update|share)\b|advisory/;

/** What may load rows of kinds: functions by the names of their kinds. */
function loads(): [kind: string, load: (commands: readonly never[]) => Call][] {
  return [accounts, giftCards, lives, payments, orders, changes].flatMap((kinds) =>
    Object.values(kinds).flatMap((kind) => {
      if (typeof kind !== 'object' || !('decide' in kind)) return [];
      const { name, load, loadMore } = kind as unknown as Record<string, never>;
      return [load, loadMore].flatMap((one) => (one === undefined ? [] : [[name, one] as [never, never]]));
    }),
  );
}

test('what kinds of commands load locks nothing: all of a batch is locked before, in one order for all kinds', () => {
  expect(loads().length).toBeGreaterThan(15);
  expect(loads().filter(([, load]) => LOCKING.test(load([]).statement.text))).toEqual([]);
});

test.each(LOCKS.map((lock) => [lock.name, lock] as const))(
  '%s are locked in the order of their keys',
  (_, { take }) => {
    for (const wait of [false, true]) {
      const { text } = take([], wait).statement;
      expect(text).toMatch(/order by v\.payee_id, id\)/);
      expect(text).toMatch(wait ? /^(?!.*(skip locked|try_advisory))/s : /skip locked|try_advisory/);
    }
  },
);
