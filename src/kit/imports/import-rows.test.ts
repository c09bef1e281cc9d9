import { describe, expect, it } from 'vitest';
import { inputError, Refusal } from '../errors.ts';
import { rowReader } from './import-rows.ts';

const SCHEMA = {
  properties: {
    name: { type: 'string' },
    number: { type: 'string', unscanned: 'a card number' },
    month: { type: 'string' },
    balance: { type: 'integer' },
    blocked: { type: 'boolean' },
    more: { type: 'object' },
  },
  required: ['name'],
};
const HEADER = ['name', 'number', 'month', 'balance', 'blocked', 'more.email', 'note'];

/** What the rows become; `refuse` names a member that the schema does not take. */
function read(header: readonly string[], rows: readonly (readonly string[])[], refuse?: string) {
  const reader = rowReader(SCHEMA, (value) => {
    if (refuse !== undefined) throw inputError(refuse, 'must be right');
    return value as object;
  });
  reader(header);
  return rows.map((row) => reader(row));
}

/** What a cell is refused with, as `member: reason`; undefined where it is taken. */
function refusalOf(cells: Readonly<Record<string, string>>, refuse?: string): string | undefined {
  try {
    read(HEADER, [HEADER.map((name) => cells[name] ?? '')], refuse);
    return undefined;
  } catch (error) {
    const [problem] = error instanceof Refusal ? error.problems : [];
    return problem && `${problem.name}: ${problem.description}`;
  }
}

describe('a row', () => {
  it('becomes an object of the members that its cells name; numbers, truths and nested members have their type', () => {
    const [line] = read(HEADER, [['anna', '4925000000000004', '01/2030', '500', 'TRUE', 'a@b.example', 'x']]);
    expect({ ...line }).toEqual({
      name: 'anna',
      number: '4925000000000004',
      month: '01/2030',
      balance: 500,
      blocked: true,
      more: Object.assign(Object.create(null), { email: 'a@b.example' }),
    });
  });

  it('leaves out what is empty, and says nothing where all is', () => {
    expect(
      read(HEADER, [
        ['anna', '', '', '', '', '', ''],
        ['', ' ', '', '', '', '', ''],
      ]).map((line) => line && { ...line }),
    ).toEqual([{ name: 'anna' }, undefined]);
  });

  it('with another number of cells is refused', () => {
    expect(() => read(HEADER, [['anna']])).toThrow(Refusal);
  });

  it('keeps what is no canonical number or truth for the schema to refuse', () => {
    const [line] = read(HEADER, [['anna', '', '', '1e3', 'yes', '', '']]);
    expect({ ...line }).toMatchObject({ balance: '1e3', blocked: 'yes' });
  });
});

describe('the first row', () => {
  it('names members in any case and order, and others are left alone', () => {
    const [line] = read(
      [' NOTE', 'More.email ', 'toString', '__proto__', 'NAME', 'more', 'name.x'],
      [['n', 'e', 't', 'p', 'anna', 'm', 'x']],
    );
    expect({ ...line }).toEqual({ name: 'anna', more: Object.assign(Object.create(null), { email: 'e' }) });
  });

  it('without a column that is needed, or with one twice, is an error for the whole file', () => {
    expect(() => read(['number'], [])).toThrow('It lacks name.');
    expect(() => read(['4925000000000004'], [])).toThrow('The first line must name the columns');
    expect(() => read(['name', 'NAME'], [])).toThrow('names a column twice: name');
  });
});

describe('what a spreadsheet has changed', () => {
  it.each([
    ['number', '4.925E+15'],
    ['number', '4,925E+15'],
    ['number', '4.92500000000000E+15'],
    ['name', '4.925e+15'],
    ['balance', '1E+06'],
    ['more.email', '-1.5E+20'],
    ['number', '4925000000000000'],
    ['number', '492500000000001000'],
  ])('is refused in %s as %s, with a hint', (name, cell) => {
    const refusal = refusalOf({ name: 'anna', [name]: cell });
    expect(refusal).toContain(`${name}: must have all its digits, and a spreadsheet`);
    expect(refusal).toContain('format the column as text');
    expect(refusal).not.toContain(cell);
  });

  it.each([
    ['number', '4925000000000004'],
    // The check digit says that this one is whole.
    ['number', '4925000000000020'],
    ['name', 'E+15'],
    ['name', '4.925'],
    ['name', '12E4'],
    ['name', '1000000000000000'],
  ])('is not found in %s as %s', (name, cell) => {
    expect(refusalOf({ name: 'anna', [name]: cell })).toBeUndefined();
  });

  it.each([
    ['month', '1/2030'],
    ['number', '42'],
    ['month', '1.2030'],
  ])('may be why the schema refuses %s as %s: the refusal says so', (name, cell) => {
    expect(refusalOf({ name: 'anna', [name]: cell }, name)).toBe(
      `${name}: must be right; where a spreadsheet has dropped leading zeros, format the column as text, fill it anew from its source, and export it again`,
    );
  });

  it.each(['250,00', '25.000', '1 250', 'kr 250', '250,-', '-5', '012500', '12500.0'])(
    'is no amount: %s, with how to write it',
    (balance) => {
      expect(refusalOf({ name: 'anna', balance }, 'balance')).toBe(
        'balance: must be right; write 250.00 as 25000: digits alone, the first of them no 0',
      );
    },
  );

  it.each([
    ['blocked', '1'],
    ['balance', 'none'],
  ])('is no reason to speak of zeros in %s as %s', (name, cell) => {
    expect(refusalOf({ name: 'anna', [name]: cell }, name)).toBe(`${name}: must be right`);
  });

  it('is no reason to speak of where the cell is no number', () => {
    expect(refusalOf({ name: 'anna', month: 'May' }, 'month')).toBe('month: must be right');
    expect(refusalOf({ name: 'anna', month: '1/2030' }, 'name')).toBe('name: must be right');
  });

  it.each(['#N/A', '#NAVN?', '#DIV/0!', ' #VÄRDEFEL! '])('is no value where a formula failed: %s', (name) => {
    expect(refusalOf({ name })).toBe(
      'name: must be a value, and this is what a spreadsheet shows for a formula that failed',
    );
  });

  it.each(['#7', '#A100', '#shop', '#1!', 'why?'])('that looks like one is taken: %s', (name) => {
    expect(refusalOf({ name })).toBeUndefined();
  });

  it('in letters of another encoding is refused', () => {
    expect(refusalOf({ name: 'Bj\ufffdrn' })).toBe('name: must be UTF-8: export the table as CSV UTF-8');
    expect(refusalOf({ name: 'anna', note: 'Bj\ufffdrn' })).toBeUndefined();
  });
});
