/** Why a line of an import file is refused: which member, and what it must be. Never a value. */
export interface Rejection {
  readonly member: string;
  readonly reason: string;
}

/** Some lines of a file, one after the other; undefined for a line that is longer than the limit. */
export type Lines = AsyncIterable<readonly (Buffer | undefined)[]>;

/** A row of a table. Its number counts rows as a spreadsheet does, the header and empty ones too. */
export interface Row {
  readonly number: number;
  readonly cells: readonly string[];
}

/** Some rows of a CSV file, one after the other. Empty lines are left out. */
export type Rows = AsyncIterable<readonly Row[]>;

/** How an import file is written: one JSON object a line, or a table whose first row names the members. */
export type ImportFormat = 'ndjson' | 'csv';

/** Which file something was done by. */
export interface FileStamp {
  /** Without its folder. */
  readonly name: string;
  /** Its SHA-256, in hexadecimal digits. */
  readonly digest: string;
}

/** An import file, and the file beside it that takes what was refused. It is read once: as lines or as rows. */
export interface ImportFiles {
  /** By the name of the file. */
  readonly format: ImportFormat;
  readonly lines: Lines;
  /** Fails with a Trouble that names the row where a quote is wrong, because where the next row begins is not known then. */
  readonly rows: Rows;
  /** How much of the file was read, from 0 to 1. */
  readonly share: () => number;
  /** Whether the system lets others than its owner read it. */
  readonly isExposed: boolean;
  reject(lines: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** A line of the file with its number, counted from 1 over all lines, blank ones too. */
export interface NumberedLine<Line extends object> {
  readonly number: number;
  readonly read: Line | Rejection;
}

/** What became of a line. */
export type LineOutcome = 'imported' | 'updated' | 'unchanged' | Rejection;

export interface ImportSummary {
  /** Without the blank ones. */
  readonly lines: number;
  readonly imported: number;
  /** Absent: none. */
  readonly updated?: number;
  readonly unchanged: number;
  readonly rejected: number;
}
