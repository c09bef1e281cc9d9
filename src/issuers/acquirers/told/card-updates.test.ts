import { expect, test } from 'vitest';
import type { Transact } from '../../../db/transaction.types.ts';
import type { PayeeId } from '../../../kit/ids.ts';
import { Secret } from '../../../kit/secret.ts';
import type { UpdateCard } from '../../../tokens/import/import.types.ts';
import { cardUpdates } from './card-updates.flow.ts';
import type { FoundUpdate } from './card-updates.types.ts';

const found = (number: string, kind: 'Closed' | 'Unreadable' = 'Closed'): FoundUpdate => ({
  payeeId: 'payee' as PayeeId,
  acquirerId: 'north',
  number: new Secret(number),
  update: { kind },
});

/** What is written, by the card's number, and who is told of. */
function writing(outcomeOf: (number: string) => Awaited<ReturnType<UpdateCard>> | Error) {
  const [written, told]: [string[], string[]] = [[], []];
  const updates = cardUpdates({
    transact: ((work: (transaction: never) => unknown) => work({} as never)) as Transact,
    updateCard: (_transaction, { number }) => {
      written.push(number.reveal());
      const outcome = outcomeOf(number.reveal());
      return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
    },
  });
  updates.tellRefused((acquirerId) => told.push(acquirerId));
  return { updates, written, told };
}

test('updates are written one after the other, and one that fails stops none behind it', async () => {
  const { updates, written, told } = writing((number) =>
    number === '1' ? new Error('the database is away') : 'Updated',
  );
  for (const number of ['1', '2', '3']) updates.take(found(number));
  expect(written).toEqual([]);
  await updates.settled();
  expect([written, told]).toEqual([['1', '2', '3'], []]);
  updates.take(found('4'));
  await updates.settled();
  expect(written).toEqual(['1', '2', '3', '4']);
});

test('what cannot be read or stored is told of', async () => {
  const { updates, written, told } = writing(() => 'Refused');
  updates.take(found('1', 'Unreadable'));
  updates.take(found('2'));
  await updates.settled();
  expect([written, told]).toEqual([['2'], ['north', 'north']]);
});

test('no more than a thousand wait', async () => {
  const { updates, written } = writing(() => 'Updated');
  for (let number = 0; number < 1_500; number++) updates.take(found(String(number)));
  await updates.settled();
  expect(written).toHaveLength(1_000);
});
