import { passesLuhn } from '../cards/card-number.ts';
import { inputError, Refusal } from '../errors.ts';
import { Trouble } from '../work/trouble.ts';
import { FORMAT_AS_TEXT, isShortenedNumber, SHORTENED_NUMBER } from './shortened-number.ts';

/** What is looked at of the schema of a row's members. */
interface RowSchema {
  readonly properties: Readonly<Record<string, MemberSchema>>;
  readonly required?: readonly string[];
}

interface MemberSchema {
  readonly type?: string;
  /** `a card number`: digits with a check digit. */
  readonly unscanned?: string;
}

/** Where the cell of a column goes. */
interface Column {
  /** As the header names it, and as a refusal does. */
  readonly name: string;
  readonly member: string;
  /** A member of the member, as in `instrumentParameters.email`. */
  readonly nested: string | undefined;
  readonly schema: MemberSchema;
}

const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,14})$/;
/** What may be left of a number or a month whose leading zeros a spreadsheet has dropped: `42`, `1/2030`. */
const MAY_LACK_ZEROS = /^[0-9][0-9./-]*$/;
/** An amount as people write it: `250,00`, `25.000`, `kr 250`. */
const PRICE = /^[^0-9]{0,5}[0-9][0-9 .,'\u00a0\u202f]*[^0-9]{0,5}$/;
/** What a spreadsheet shows for a formula that failed, in the language of its user: `#N/A`, `#NAVN?`, `#DIV/0!`. */
const FORMULA_ERROR = /^#(?:[\p{L}/0]{2,20}[!?]|N\/A|I\/T)$/u;
/** A spreadsheet keeps 15 digits of a number, and puts zeros in the place of the others. */
const ROUNDED = /^[0-9]{15}0+$/;

/**
 * Makes what reads the rows of one CSV file as the schema's objects, one after the other. The first row names the members.
 * What is empty is not there, and a row of empty cells is undefined.
 *
 * @param take what the schema declares of a value. Throws a Refusal where a member is not well-formed
 */
export function rowReader<Line>(
  schema: RowSchema,
  take: (value: unknown) => Line,
): (cells: readonly string[]) => Line | undefined {
  let columns: readonly (Column | undefined)[] | undefined;
  return (cells) => {
    if (columns === undefined) {
      columns = columnsOf(schema, cells);
      return undefined;
    }
    if (cells.every((cell) => cell.trim() === '')) return undefined;
    if (cells.length !== columns.length) throw inputError('line', 'must have as many cells as the first row');
    const filled = columns.flatMap((column, place) => {
      const cell = cells[place] ?? '';
      return column === undefined || cell === '' ? [] : [{ column, cell }];
    });
    for (const { column, cell } of filled) refuseChanged(column, cell);
    try {
      return take(objectOf(filled));
    } catch (error) {
      throw withHint(error, filled);
    }
  };
}

type Filled = readonly { readonly column: Column; readonly cell: string }[];

/** The columns that are read, by the first row; undefined for others. */
function columnsOf({ properties, required = [] }: RowSchema, header: readonly string[]): (Column | undefined)[] {
  const members = new Map(Object.keys(properties).map((member) => [member.toLowerCase(), member]));
  const columns = header.map((text): Column | undefined => {
    const [first = '', ...more] = text.trim().split('.');
    const member = members.get(first.toLowerCase());
    const schema = member === undefined ? undefined : properties[member];
    if (member === undefined || schema === undefined) return undefined;
    const nested = more.length === 0 ? undefined : more.join('.');
    if ((schema.type === 'object') !== (nested !== undefined)) return undefined;
    return { name: nested === undefined ? member : `${member}.${nested}`, member, nested, schema };
  });
  const names = columns.flatMap((column) => (column === undefined ? [] : [column.name]));
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    throw new Trouble(
      `The first line must name the columns, separated by commas, semicolons or tabs. It lacks ${missing.join(', ')}. Nothing was imported.`,
    );
  }
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw new Trouble(`The first line names a column twice: ${twice}. Nothing was imported.`);
  return columns;
}

/** Refuses what is not what was written into the table. */
function refuseChanged({ name, schema }: Column, cell: string): void {
  if (cell.includes('\ufffd')) throw inputError(name, 'must be UTF-8: export the table as CSV UTF-8');
  if (FORMULA_ERROR.test(cell.trim())) {
    throw inputError(name, 'must be a value, and this is what a spreadsheet shows for a formula that failed');
  }
  if (isShortenedNumber(cell)) throw inputError(name, SHORTENED_NUMBER);
  if (schema.unscanned === 'a card number' && ROUNDED.test(cell) && !passesLuhn(cell)) {
    throw inputError(name, `must have all its digits, and a spreadsheet keeps 15 of them: ${FORMAT_AS_TEXT}`);
  }
}

function objectOf(filled: Filled): Record<string, unknown> {
  // Without a prototype: names of columns are the file's own.
  const line: Record<string, unknown> = Object.create(null);
  for (const { column, cell } of filled) {
    const { member, nested, schema } = column;
    if (nested === undefined) line[member] = typedCell(schema, cell);
    else {
      line[member] ??= Object.create(null);
      (line[member] as Record<string, unknown>)[nested] = cell;
    }
  }
  return line;
}

/** What is no text in JSON. Anything else stays as it is, and is refused for its form. */
function typedCell({ type }: MemberSchema, cell: string): unknown {
  if (type === 'integer' && WHOLE_NUMBER.test(cell)) return Number(cell);
  // Spreadsheets write TRUE.
  const word = cell.toLowerCase();
  if (type === 'boolean' && (word === 'true' || word === 'false')) return word === 'true';
  return cell;
}

/** Adds to a refusal what the cell looks like. */
function withHint(error: unknown, filled: Filled): unknown {
  if (!(error instanceof Refusal)) return error;
  const [problem] = error.problems;
  const found = filled.find(({ column }) => column.name === problem?.name);
  const hint = found && hintOf(found.column.schema, found.cell);
  if (problem === undefined || hint === undefined) return error;
  return inputError(problem.name, `${problem.description}; ${hint}`);
}

function hintOf({ type }: MemberSchema, cell: string): string | undefined {
  if (type === 'integer') {
    return PRICE.test(cell) ? 'write 250.00 as 25000: digits alone, the first of them no 0' : undefined;
  }
  if (type === 'boolean' || !MAY_LACK_ZEROS.test(cell)) return undefined;
  return `where a spreadsheet has dropped leading zeros, ${FORMAT_AS_TEXT}`;
}
