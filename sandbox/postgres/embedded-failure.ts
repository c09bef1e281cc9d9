import { Trouble } from '../../src/kit/work/trouble.ts';

/**
 * A reason why the embedded PostgreSQL does not run that is no bug of ours. Its message says what is the matter and what
 * to do about it: print it without a stack.
 */
export class EmbeddedFailure extends Trouble {
  override readonly name = 'EmbeddedFailure';
}

/** The system cannot even begin to run one of PostgreSQL's programs. */
export function cannotRun(program: string, cause: Error): EmbeddedFailure {
  return new EmbeddedFailure(
    `${program} cannot be run here (${cause.message}). The embedded PostgreSQL needs macOS, or a Linux with glibc (Alpine ` +
      'has none); elsewhere set KONTOR_DATABASE_URL to a PostgreSQL 15 or newer.',
    { cause },
  );
}

/** Whether a system call failed in one of these ways: `ENOENT` and its like. */
export function failedWith(thrown: unknown, ...codes: readonly string[]): boolean {
  return thrown instanceof Error && codes.includes(String((thrown as NodeJS.ErrnoException).code));
}
