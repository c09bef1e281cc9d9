import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCardNumber } from '../support/numbers.ts';
import { importFile, kontor, settingsOf } from '../support/shop/tokens-command.ts';
import { ARCHIVED, accountLine, cardLine, fileOf, invoiceLine, type Line } from '../support/shop/tokens-lines.ts';
import { openShop, type Shop } from '../support/shop/tokens-shop.ts';

let shop: Shop;
let settings: Readonly<Record<string, string>>;
beforeAll(async () => {
  shop = await openShop();
  settings = settingsOf(shop);
});
afterAll(() => shop.stop());

const importCsv = (text: string | Buffer, args: readonly string[] = []) =>
  importFile(text, settings, ['--format', 'csv', ...args]);

/** Lines as a table with a column for each member that one of them has. */
function tableOf(lines: readonly Line[], separator = ','): string {
  const names = [...new Set(lines.flatMap((line) => Object.keys(line)))];
  const quoted = (cell: string) => (/[",;\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const rows = [names, ...lines.map((line) => names.map((name) => quoted(line[name] ?? '')))];
  return rows.map((cells) => `${cells.join(separator)}\r\n`).join('');
}

describe('a table of tokens', () => {
  const of = (payerReference: string) => [
    cardLine(0, { payerReference, instrumentDisplayName: 'Blue; "big", one', lastFourDPan: '0042' }),
    accountLine(1, { payerReference, ...ARCHIVED }),
    invoiceLine(2, { payerReference, email: 'ase@example.com' }),
  ];

  it.each([[','], [';']])('separated by %s brings what the same lines bring as JSON', async (separator) => {
    const payer = `separated by ${separator}`;
    const table = await importCsv(`\ufeff${tableOf(of(payer), separator)}`);
    expect([table.code, table.stderr]).toEqual([0, '']);
    expect(table.summary).toEqual({ lines: 3, imported: 3, unchanged: 0, rejected: 0 });
    // The same content: each line is known.
    expect((await importFile(fileOf(of(payer)), settings)).summary).toMatchObject({ imported: 0, unchanged: 3 });
    const { body } = await shop.get(`${shop.payerPath(payer)}/tokens`);
    expect(JSON.stringify(body)).toContain(String.raw`Blue; \"big\", one`);
  });

  it('has nested members in columns of their own', async () => {
    const header = 'payerReference,tokenType,instrument,instrumentParameters.email,instrumentParameters.wallet';
    const rows = `nested,Payment,Swish,anna@example.com,"a ""b"""\nnested,Payment,Wallet,,w\n`;
    const { summary } = await importCsv(`${header}\n${rows}`);
    expect(summary).toMatchObject({ imported: 2, rejected: 0 });
    const { body } = await shop.get(`${shop.payerPath('nested')}/tokens`);
    const shown = body.tokens.tokenlist.map((token: { instrumentParameters: object }) => token.instrumentParameters);
    expect(shown).toEqual([{ wallet: 'w' }, { email: 'anna@example.com', wallet: 'a "b"' }]);
  });

  it('is one by the name of the file, in any case', async () => {
    const folder = await mkdtemp('/tmp/kontor-import-');
    const path = join(folder, 'TOKENS.CSV');
    await writeFile(path, tableOf([cardLine(5, { payerReference: 'by name' }), cardLine(6, { pan: '1' })]));
    const { code, stdout } = await kontor(['tokens', 'import', path], settings);
    expect(code).toBe(1);
    expect(stdout).toContain('2 lines: 1 imported, 0 unchanged, 1 refused.');
    expect(JSON.parse(await readFile(`${path}.rejected`, 'utf8'))).toMatchObject({ line: 3, member: 'pan' });
    await rm(folder, { recursive: true });
  });

  it('refuses a row that is bad, by its number in the table, and reads on', async () => {
    const good = (index: number) => cardLine(index, { payerReference: 'rows' });
    const lines = [good(10), { ...good(11), pan: 'x' }, good(12), { ...good(13), tokenType: 'Gift' }];
    const [header = '', first = '', ...rows] = tableOf(lines).split('\r\n');
    const text = [header, '', first, ',,,,', 'a,b', ...rows].join('\n');
    const { code, summary, rejected } = await importCsv(text);
    expect(code).toBe(1);
    expect(summary).toEqual({ lines: 5, imported: 2, unchanged: 0, rejected: 3 });
    expect(rejected.map(({ line, member }) => [line, member])).toEqual([
      [5, 'line'],
      [6, 'pan'],
      [8, 'tokenType'],
    ]);
  });

  it('whose cells a spreadsheet has changed is refused with a hint, and without a value', async () => {
    const of = (members: Line) => cardLine(20, { payerReference: 'changed', ...members });
    const changed: [string, Line][] = [
      ['pan', of({ pan: '4.925E+15' })],
      ['pan', of({ pan: '4,92500000000000E+15' })],
      ['pan', of({ pan: '4925000000000000' })],
      ['expiryDate', of({ expiryDate: '1/2030' })],
      ['lastFourDPan', of({ lastFourDPan: '42' })],
      ['msisdn', invoiceLine(21, { msisdn: '4.74E+10' })],
      ['accountId', accountLine(22, { accountId: '8.60111E+10' })],
      ['payerReference', of({ payerReference: '1.23457E+14' })],
    ];
    const { code, summary, rejected, rejectedText } = await importCsv(tableOf(changed.map(([, line]) => line)));
    expect([code, summary?.rejected]).toEqual([1, changed.length]);
    expect(rejected.map(({ member }) => member)).toEqual(changed.map(([member]) => member));
    for (const { reason } of rejected) expect(reason).toContain('format the column as text');
    for (const value of ['4.925', '4,925', '8.601', '1.234']) expect(rejectedText).not.toContain(value);
  });

  it('in Latin-1 has its letters refused, and in UTF-16 is refused as a whole', async () => {
    const text = tableOf([cardLine(30, { payerReference: 'Bjørn' }), cardLine(31, { payerReference: 'latin' })]);
    const latin = await importCsv(Buffer.from(text, 'latin1'));
    expect(latin.summary).toMatchObject({ imported: 1, rejected: 1 });
    expect(latin.rejected[0]?.reason).toContain('must be UTF-8');
    const wide = await importCsv(Buffer.from(`\ufeff${text}`, 'utf16le'));
    expect([wide.code, wide.summary]).toEqual([1, undefined]);
    expect(wide.stderr).toContain('is UTF-16, and must be UTF-8');
  });
});

describe('a file that is no table of tokens', () => {
  it.each([
    ['without a first row', `${testCardNumber(40)},01/2030`, 'It lacks payerReference, tokenType, instrument.'],
    ['with a column twice', 'payerReference,tokenType,instrument,PAN,pan\n', 'names a column twice: pan'],
    ['with a quote that is never closed', `payerReference,tokenType,instrument\n"x\n${'y\n'.repeat(20_000)}`, 'Row 2'],
    ['of JSON', fileOf([cardLine(41)]), 'Row 1 has a quote in the wrong place'],
  ])('%s ends with status 1 and says what is wrong', async (_, text, words) => {
    const { code, summary, stderr } = await importCsv(text);
    expect([code, summary]).toEqual([1, undefined]);
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/\n\s+at |[0-9]{12}/);
  });

  it.each(['', '\n', 'payerReference,tokenType,instrument\n'])('may be empty: %j', async (text) => {
    const { code, summary } = await importCsv(text);
    expect([code, summary]).toEqual([0, { lines: 0, imported: 0, unchanged: 0, rejected: 0 }]);
  });
});
