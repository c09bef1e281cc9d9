/**
 * Something that only the operator can put right: a file that is missing or open to others, a key ring of another
 * database. Its message says what is wrong and what to do; the command line prints it without a stack. Never a value.
 */
export class Trouble extends Error {
  override readonly name: string = 'Trouble';
  /** With which status a command ends that cannot go on for it. */
  readonly status: number = 1;
}

/** Of a command whose status says more than whether it is done: nothing was done, because it was not asked well. */
export class Misuse extends Trouble {
  override readonly name = 'Misuse';
  override readonly status = 2;
}
