/**
 * States a belief about our own code. A false one is a bug of ours: it answers 500 and raises an alarm.
 * Never use it on input; input gets a `Refusal`.
 */
export function assert(condition: unknown, belief: string): asserts condition {
  if (!condition) throw new BrokenBelief(belief);
}

/** Marks a branch that the types say cannot be reached. */
export function unreachable(value: never): never {
  throw new BrokenBelief(`unexpected value of type ${typeof value}`);
}

/** What a broken belief throws: a bug of ours, never the caller's doing. */
export class BrokenBelief extends Error {
  override readonly name = 'BrokenBelief';
}
