/**
 * Asserts what our own code relies on. A false one is a bug of ours: it answers 500 and raises an alarm.
 * Never use it on input; input gets a `Refusal`.
 */
export function assert(condition: unknown, claim: string): asserts condition {
  if (!condition) throw new AssertionFailure(claim);
}

/** Marks a branch that the types say cannot be reached. */
export function unreachable(value: never): never {
  throw new AssertionFailure(`unexpected value of type ${typeof value}`);
}

/** What an assertion that fails throws: a bug of ours, never the caller's doing. */
export class AssertionFailure extends Error {
  override readonly name = 'AssertionFailure';
}
