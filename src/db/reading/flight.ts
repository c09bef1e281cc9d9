import { type Connection as Link, Query } from 'pg';
import type { Call } from '../batch/batch.types.ts';
import { VALUE_TYPES, writeValue } from '../rows/values.ts';
import type { Rows } from '../transaction.types.ts';

/** Makes a row of the texts of its fields. */
type ReadRow = (fields: DataRow['fields']) => unknown;

/** How the rows of statements are read, by their names, as the server has told one connection. It stays as long as that does. */
export type KnownColumns = Map<string, ReadRow>;

const NO_COLUMNS: ReadRow = () => ({});

/** What the driver notes of a connection, and its types do not say: texts of statements by their names. */
interface Preparing extends Link {
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
}

// What the driver hands on of the server's messages (PostgreSQL, "Message Formats").

interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}

interface DataRow {
  readonly fields: readonly (string | null)[];
}

interface CommandComplete {
  readonly text: string;
}

/**
 * Prepared statements that travel together. One Sync ends them all, so the server skips what comes behind one that fails
 * (PostgreSQL, "Pipelining"), and a statement's columns are asked for once. The driver's own queries are one statement
 * each, with a Sync, a description of the rows, a timer and a promise; it takes no others into a pipeline, but those that
 * extend them.
 */
export class Flight extends Query {
  /** Of the statement that is answered next: the driver notes under these what the server has prepared. */
  name = '';
  text = '';
  callback: (error?: unknown) => void;
  /** Of the statements that were answered, in their order. */
  readonly answers: Rows<unknown>[] = [];
  /** Of the statement that was answered last: `INSERT 0 5`, `SELECT 5`, `COMMIT`. */
  tag = '';
  readonly #calls: readonly Call[];
  readonly #known: KnownColumns;
  #rows: unknown[] = [];
  #failure: unknown;

  /** @param callback is called once: with the first error, or when all statements were answered */
  constructor(calls: readonly Call[], known: KnownColumns, callback: (error?: unknown) => void) {
    super('');
    this.#calls = calls;
    this.#known = known;
    this.callback = callback;
    this.#turnToNext();
  }

  /** Sends all statements, or none: an error comes back before anything was written. */
  override submit = (link: Link): unknown => {
    let texts: readonly (readonly (string | Buffer | null)[])[];
    try {
      texts = this.#calls.map(({ values }) => values.map(writeValue));
      for (const { statement } of this.#calls) checkName(link as Preparing, statement);
    } catch (error) {
      return error;
    }
    link.stream.cork();
    for (const [index, { statement }] of this.#calls.entries()) {
      this.#send(link as Preparing, statement, texts[index] as (string | Buffer | null)[]);
    }
    link.sync();
    link.stream.uncork();
    return undefined;
  };

  #send(link: Preparing, { name, text }: Call['statement'], values: (string | Buffer | null)[]): void {
    if (preparedAs(link, name) === undefined) {
      link.parse({ name, text, types: [] }, true);
      link.submittedNamedStatements[name] = text;
    }
    link.bind({ statement: name, values }, true);
    if (!this.#known.has(name)) link.describe({ type: 'P' }, true);
    link.execute(null, true);
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#known.set(this.name, rowReader(fields));
  }

  handleDataRow({ fields }: DataRow): void {
    if (this.#failure !== undefined) return;
    try {
      this.#rows.push((this.#known.get(this.name) ?? NO_COLUMNS)(fields));
    } catch (error) {
      this.#failure = error;
    }
  }

  handleCommandComplete({ text: tag }: CommandComplete): void {
    if (!this.#known.has(this.name)) this.#known.set(this.name, NO_COLUMNS);
    this.tag = tag;
    const count = Number(tag.slice(tag.lastIndexOf(' ') + 1));
    this.answers.push({ rows: this.#rows, count: Number.isNaN(count) ? 0 : count });
    this.#turnToNext();
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure);
  }

  /** What was sent behind the statement that failed is not prepared: the server has skipped it. */
  handleError(error: unknown, link: Link): void {
    const { submittedNamedStatements } = link as Preparing;
    for (const { statement } of this.#calls.slice(this.answers.length)) delete submittedNamedStatements[statement.name];
    this.callback(this.#failure ?? error);
  }

  #turnToNext(): void {
    const next = this.#calls[this.answers.length]?.statement;
    if (next === undefined) return;
    this.name = next.name;
    this.text = next.text;
    this.#rows = [];
  }
}

function preparedAs({ parsedStatements, submittedNamedStatements }: Preparing, name: string): string | undefined {
  return parsedStatements[name] ?? submittedNamedStatements[name];
}

function checkName(link: Preparing, { name, text }: Call['statement']): void {
  const prepared = preparedAs(link, name);
  if (prepared !== undefined && prepared !== text) throw new Error(`${name} is the name of two statements`);
}

/** Makes the reader for the rows of one statement: it adds the members in the order of the columns, so all rows have one layout. */
function rowReader(fields: RowDescription['fields']): ReadRow {
  const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: VALUE_TYPES.getTypeParser(dataTypeID) }));
  return (texts) => {
    const row: Record<string, unknown> = {};
    for (const [index, { name, parse }] of columns.entries()) {
      const text = texts[index] as string | null;
      row[name] = text === null ? null : parse(text);
    }
    return row;
  };
}
