import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeStanBlock } from '../../src/issuers/exchanges.ts';
import { type Acquiring, acquiring } from '../support/issuer/acquiring.ts';

// The numbers of messages, by terminal as its host knows it.

let kontor: Acquiring;
beforeAll(async () => {
  kontor = await acquiring();
}, 120_000);
afterAll(() => kontor.remove());

const take = (institution: string, terminalId: string) =>
  kontor.inService(({ database }) =>
    database.transact((transaction) => takeStanBlock(transaction, { institution, terminalId })),
  );

test('come in blocks, around at the end', async () => {
  const blocks = [await take('957800', 'WEB00001'), await take('957800', 'WEB00001')];
  expect(blocks).toEqual([1, 101]);
  await kontor.database.asAdmin('update acquirer_stan set next_stan = 999801');
  const around = [await take('957800', 'WEB00001'), await take('957800', 'WEB00001')];
  expect(around).toEqual([999_801, 1]);
});

test('begin far from those that a version before counts by the id of the acquirer', async () => {
  await kontor.database.asAdmin(
    "insert into acquirer_stan values ('north', 'WEB00002', 701), ('south', 'WEB00003', 700001)",
  );
  expect(await take('957800', 'WEB00002')).toBe(500_701);
  expect(await take('957800', 'WEB00002')).toBe(500_801);
  // Around: there are 999 900.
  expect(await take('957800', 'WEB00003')).toBe(200_101);
});
