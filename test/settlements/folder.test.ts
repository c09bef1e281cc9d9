import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PayeeId } from '../../src/kit/ids.ts';
import { openSettlementFile, settlementFilesOf } from '../../src/settlements/files/settlement-file.adapter.ts';
import { settlementCommands } from '../../src/settlements/settlements.cli.ts';
import type { SettlementContext, SettlementService } from '../../src/settlements/settlements.types.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { addPayee } from '../support/database/ledger.ts';
import { runCommand, serviceOf } from '../support/run-command.ts';
import { agreementOf, charge, fileOf, lineFor, settling } from '../support/settlements.ts';

// All files of a folder, as an acquirer leaves them there.

let database: TestDatabase;
let payeeId: PayeeId;
let folder: string;
beforeAll(async () => {
  database = await testDatabase();
  payeeId = await addPayee(database);
  folder = await mkdtemp(join(tmpdir(), 'kontor-folder-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

const importFrom = (path: string, ...words: string[]) => importAt(settling([agreementOf(payeeId)]), path, ...words);

async function importAt(context: SettlementContext, path: string, ...words: string[]): Promise<string[]> {
  const transact: SettlementService['transact'] = (work) => database.transact(work);
  const { read } = database;
  const service = { read, longWork: transact, context } as SettlementService;
  const runtime = { ...serviceOf(service), openSettlementFile, settlementFilesOf };
  return runCommand(settlementCommands, runtime, ['import', path, '--acquirer', 'north', ...words]);
}
const write = (name: string, text: string) => writeFile(join(folder, name), text);

test('the files of a folder are imported in the order of their names, and twice is as once', async () => {
  await expect(importFrom(folder)).rejects.toThrow('has no files');
  await mkdir(join(folder, 'older'));
  await write('.hidden', 'not a file of the acquirer');
  for (const name of ['b.csv', 'a.csv']) {
    await write(name, fileOf(`batch of ${name}`, [lineFor(await charge(database, payeeId, { amount: 700 }))]));
  }
  const told = (await importFrom(folder, '--json')).map((line) => JSON.parse(line));
  expect(told).toEqual([
    expect.objectContaining({ file: 'a.csv', batches: 1, matched: 1 }),
    expect.objectContaining({ file: 'b.csv', batches: 1, matched: 1 }),
  ]);
  expect(await importFrom(folder)).toEqual([
    'a.csv: This file was imported before. Nothing has changed.',
    'b.csv: This file was imported before. Nothing has changed.',
  ]);
});

test('a file that cannot be read is named, and those before it stay imported', async () => {
  await write('c.csv', fileOf('batch of c', [lineFor(await charge(database, payeeId, { amount: 100 }))]));
  await write('d.csv', 'no,such,table\n1,2,3\n');
  await expect(importFrom(folder)).rejects.toThrow(/^d\.csv: The first line lacks columns/);
  const [row] = await database.asAdmin(`select count(*)::int as count from settlement_batch where name = 'batch of c'`);
  expect(row).toEqual({ count: 1 });
});

test('where no acquirer is set up, as in a sandbox, it says so and what to do', async () => {
  const { hosts, ...more } = settling([]);
  const sandbox = { ...more, hosts: { ...hosts, acquirers: [] } };
  await expect(importAt(sandbox, folder)).rejects.toThrow(/a sandbox has no acquirer .* Set one up in production mode/);
  const { acquirers, ...others } = hosts;
  const another = { ...more, hosts: { ...others, acquirers: acquirers.map((one) => ({ ...one, id: 'south' })) } };
  await expect(importAt(another, folder)).rejects.toThrow('acquirers.json has no acquirer of that id.');
});
