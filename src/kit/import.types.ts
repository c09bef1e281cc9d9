/** Why a line of an import file is refused: which member, and what it must be. Never a value. */
export interface Rejection {
  readonly member: string;
  readonly reason: string;
}

/** Some lines of a file, one after the other; undefined for a line that is longer than the limit. */
export type Lines = AsyncIterable<readonly (Buffer | undefined)[]>;

/** An import file, and the file beside it that takes what was refused. */
export interface ImportFiles {
  readonly lines: Lines;
  /** How much of the file was read, from 0 to 1. */
  readonly share: () => number;
  reject(lines: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** A line of the file with its number, counted from 1 over all lines, blank ones too. */
export interface NumberedLine<Line extends object> {
  readonly number: number;
  readonly read: Line | Rejection;
}

/** What became of a line. */
export type LineOutcome = 'imported' | 'unchanged' | Rejection;

export interface ImportSummary {
  /** Without the blank ones. */
  readonly lines: number;
  readonly imported: number;
  readonly unchanged: number;
  readonly rejected: number;
}
