/**
 * Something that only the operator can put right: a file that is missing or open to others, a key ring of another
 * database. Its message says what is wrong and what to do; the command line prints it without a stack. Never a value.
 */
export class Trouble extends Error {
  override readonly name: string = 'Trouble';
}
