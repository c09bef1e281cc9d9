import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSandboxCardRanges } from '../../sandbox/cards/add-card-ranges.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database/database.ts';
import { runCommand, serviceOf } from '../../test/support/run-command.ts';
import { passesLuhn } from '../kit/cards/card-number.ts';
import type { Rows } from '../kit/imports/import.types.ts';
import { CARD_RANGE_BATCH_LINES } from '../kit/limits.ts';
import { Secret } from '../kit/secret.ts';
import { readRows } from '../wiring/commands/csv-rows.ts';
import { findCardRanges, loadCardPrefixes } from './find-card-ranges.ts';
import { BadCardRanges, CARD_RANGE_REPORTED_LINES, loadCardRanges } from './load-card-ranges.ts';
import { vaultCommands } from './vault.cli.ts';

const HEADER = 'prefix,brand,cardType,holderType,issuerName,countryCode';
const TEST_CARDS = [
  ['4925000000000004', 'Visa'],
  ['4581097032723517', 'Visa'],
  ['5226600159865967', 'Mastercard'],
  ['5226603115488031', 'Mastercard'],
  ['377601000000000', 'Amex'],
  ['5019994016316467', 'Dankort'],
  ['6764429999947470', 'Maestro'],
  ['3569990010082211', 'JCB'],
  ['36148201829798', 'Diners'],
  ['4761739001010416', 'Visa'],
  ['5226612199533406', 'Mastercard'],
] as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => database.asAdmin('truncate card_range'));
afterAll(() => database.drop());

function file(...lines: readonly string[]): Rows {
  async function* chunks() {
    yield Buffer.from(lines.join('\n'));
  }
  return readRows(chunks());
}
const load = (...lines: readonly string[]) =>
  database.transact((transaction) => loadCardRanges(transaction, file(...lines), () => undefined));
const find = (...numbers: readonly string[]) =>
  database.transact((transaction) =>
    findCardRanges(
      transaction,
      numbers.map((number) => new Secret(number)),
    ),
  );
const brandsOf = async (...numbers: readonly string[]) => (await find(...numbers)).map(({ range }) => range?.brand);
const prefixes = () => database.transact(loadCardPrefixes);
const addSandbox = () => database.transact(addSandboxCardRanges);

/** What loading was refused with. */
async function refusal(...lines: readonly string[]): Promise<BadCardRanges> {
  const error = await load(...lines).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BadCardRanges);
  return error as BadCardRanges;
}

describe('the sandbox', () => {
  it('knows the test cards, and every bank and country of theirs', async () => {
    expect(await addSandbox()).toBe(10);
    expect(await addSandbox()).toBe(0);
    for (const [number, brand] of TEST_CARDS) {
      expect(passesLuhn(number)).toBe(true);
      const [found] = await find(number);
      expect(found).toMatchObject({
        isTestNumber: true,
        range: { brand, countryCode: expect.stringMatching(/^\d{3}$/) },
      });
      expect(found?.range?.issuerName).toBeTruthy();
    }
    expect(await find('4111110000000000')).toEqual([{ range: undefined, isTestNumber: false }]);
  });

  it('takes no number for a test number because an operator loaded its range', async () => {
    await addSandbox();
    await load(HEADER, '411111,Visa,,,,', '49250000,Visa,Debit,,Real Bank,');
    const [real, test] = await find('4111110000000000', '4925000000000004');
    expect(real).toMatchObject({ range: { brand: 'Visa' }, isTestNumber: false });
    expect(test).toMatchObject({ range: { issuerName: 'Real Bank' }, isTestNumber: true });
  });
});

describe('a look-up', () => {
  it('takes the longest prefix that fits, and answers in the order of the numbers', async () => {
    await load(HEADER, '4,Visa,,,,', '45,Visa,Debit,,Short,', '45810912,Dankort,,,Long,208');
    expect(await brandsOf('4581091234567890', '5555', '4581091334567890', '4581091234567890')).toEqual([
      'Dankort',
      undefined,
      'Visa',
      'Dankort',
    ]);
    expect((await find('4581000000000000'))[0]?.range).toEqual({
      brand: 'Visa',
      cardType: 'Debit',
      holderType: null,
      issuerName: 'Short',
      countryCode: null,
    });
    expect(await find()).toEqual([]);
  });

  it('prefers an operator’s range to one of the sandbox with the same prefix', async () => {
    await addSandbox();
    await load(HEADER, '492500,Maestro,,,,');
    expect(await brandsOf('4925000000000004')).toEqual(['Maestro']);
  });
});

describe('a file of ranges', () => {
  it('takes the place of the one before, and leaves the sandbox’s ranges', async () => {
    await addSandbox();
    expect(await load(HEADER, '411111,Visa,,,,', '', '422222,Visa,,,,')).toEqual({ loaded: 2, replaced: 0 });
    expect(await load(HEADER, '433333,Visa,,,,')).toEqual({ loaded: 1, replaced: 2 });
    expect(await brandsOf('4111110000000000', '4333330000000000', '4925000000000004')).toEqual([
      undefined,
      'Visa',
      'Visa',
    ]);
  });

  it('may be large', async () => {
    const count = 3 * CARD_RANGE_BATCH_LINES + 17;
    const lines = Array.from({ length: count }, (_, index) => `${40_000_000 + index},Visa,,,,`);
    expect(await load(HEADER, ...lines)).toEqual({ loaded: count, replaced: 0 });
    expect(await brandsOf('4000301600000000', '4000301700000000')).toEqual(['Visa', undefined]);
  });

  it('changes nothing when a line is bad, and the message tells which lines and why', async () => {
    await load(HEADER, '411111,Visa,,,,');
    const { lines, message } = await refusal(
      HEADER,
      '422222,Visa,,,,',
      '',
      'x,Visa,,,,',
      '433333,,,,,',
      '422222,Visa,,,,',
    );
    expect(lines).toEqual([
      { line: 4, reason: expect.stringContaining('prefix') },
      { line: 5, reason: expect.stringContaining('brand') },
      { line: 6, reason: 'an earlier line has the same prefix' },
    ]);
    expect(message).toContain('line 4: prefix');
    expect(await brandsOf('4111110000000000', '4222220000000000')).toEqual(['Visa', undefined]);
  });

  it('finds a prefix that stands twice, however far apart', async () => {
    const lines = Array.from({ length: CARD_RANGE_BATCH_LINES }, (_, index) => `${40_000_000 + index},Visa,,,,`);
    expect((await refusal(HEADER, ...lines, '40000000,Visa,,,,')).lines).toEqual([
      { line: CARD_RANGE_BATCH_LINES + 2, reason: 'an earlier line has the same prefix' },
    ]);
  });

  it('may be separated by semicolons, with a byte order mark and quotes, and numbers rows as a spreadsheet does', async () => {
    const { lines } = await refusal('\ufeffprefix;brand;issuerName', '444444;Visa;"Bank;', 'Oslo"', '', 'x;Visa;');
    expect(lines).toEqual([
      { line: 2, reason: expect.stringContaining('issuerName') },
      { line: 4, reason: expect.stringContaining('prefix') },
    ]);
    expect(await load('\ufeffprefix;brand;issuerName', '444444;Visa;"Bank; Oslo"')).toMatchObject({ loaded: 1 });
    expect((await find('4444440000000000'))[0]?.range).toMatchObject({ issuerName: 'Bank; Oslo' });
  });

  it('with a quote that is never closed changes nothing', async () => {
    await load(HEADER, '411111,Visa,,,,');
    await expect(load(HEADER, '422222,"Visa,,,,', '433333,Visa,,,,')).rejects.toThrow('Row 2 has a quote');
    expect(await brandsOf('4111110000000000')).toEqual(['Visa']);
  });

  it('lists only the first of very many bad lines, and counts all', async () => {
    const { lines, count } = await refusal(HEADER, ...Array.from({ length: 500 }, () => 'x'));
    expect(lines).toHaveLength(CARD_RANGE_REPORTED_LINES);
    expect(count).toBe(500);
  });

  it.each([[[]], [['no header']], [['prefix|brand', '4|Visa']]])('needs a header: %j', async (lines) => {
    expect((await refusal(...lines)).lines).toEqual([{ line: 1, reason: expect.any(String) }]);
  });
});

describe('the prefixes for the scan of free text', () => {
  it('are those that no scheme has published', async () => {
    await addSandbox();
    expect(await prefixes()).toEqual([]);
    await load(HEADER, '7001,Gift,,,,', '5,Mastercard,,,,', '458109,Visa,,,,', '99,House,,,,');
    expect(await prefixes()).toEqual(['5', '7001', '99']);
  });
});

describe('the commands', () => {
  async function kontor(lines: readonly string[], ...words: readonly string[]): Promise<string[]> {
    const machine = { readTable: () => file(...lines), progress: () => undefined };
    return runCommand(vaultCommands, { ...serviceOf({ transact: database.transact }), ...machine }, words);
  }

  it('load and list', async () => {
    expect(await kontor([HEADER, '411111,Visa,Debit,,Bank,578'], 'load', 'file.csv', '--json')).toEqual([
      '{"loaded":1,"replaced":0}',
    ]);
    expect(await kontor([], 'list')).toEqual(['411111    Visa Debit Bank 578 operator']);
    expect((await kontor([], 'list', '--json')).map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ prefix: '411111', source: 'operator' }),
    ]);
    await expect(kontor([HEADER, 'x'], 'load', 'file.csv')).rejects.toThrow(BadCardRanges);
  });
});
