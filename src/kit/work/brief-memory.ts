/** What looks things up and remembers them for a moment. */
export interface BriefMemory<Key, Answer> {
  /** Milliseconds of a clock that does not jump. */
  readonly now: () => number;
  /** How old an answer may get, counted from before the question. */
  readonly maxAgeMs: number;
  /** Answers that are remembered at once; the one that was found longest ago makes room. */
  readonly entries: number;
  /** A text for each key, another one for another key. */
  readonly nameOf: (key: Key) => string;
  readonly ask: (key: Key) => Promise<Answer | undefined>;
  /** Whether an answer is worth it; absent: each is. One that is not goes to those who wait for it alone. */
  readonly isKept?: (answer: Answer) => boolean;
}

/** Gives the answer at once where it is known, else a promise of it; undefined where there is none. */
export type Recall<Key, Answer> = (key: Key) => Answer | undefined | Promise<Answer | undefined>;

interface Known<Answer> {
  readonly answer: Answer;
  readonly freshUntil: number;
}

/** A question under way, for all who wait for its answer. */
interface Question<Answer> {
  readonly answer: Promise<Answer | undefined>;
  readonly freshUntil: number;
}

/**
 * Makes a look-up that remembers what it found, so briefly that a credential which is revoked stops in time. The age of
 * an answer counts from before the question, so the time that the question takes is no extra life. That there is no
 * answer is never remembered: what was just made works at once.
 *
 * A caller that asks for what is being looked up waits for the same answer. The returned function rejects as `ask`
 * does.
 */
export function rememberBriefly<Key, Answer extends object>(memory: BriefMemory<Key, Answer>): Recall<Key, Answer> {
  const { now, maxAgeMs, nameOf } = memory;
  const known = new Map<string, Known<Answer>>();
  const underWay = new Map<string, Question<Answer>>();

  async function ask(key: Key, name: string, freshUntil: number): Promise<Answer | undefined> {
    const answer = await memory.ask(key);
    known.delete(name);
    if (answer === undefined || memory.isKept?.(answer) === false) return answer;
    if (known.size >= memory.entries) forgetOldest(known);
    known.set(name, { answer, freshUntil });
    return answer;
  }

  function lookUp(key: Key, name: string): Promise<Answer | undefined> {
    const asked = underWay.get(name);
    if (asked !== undefined && now() < asked.freshUntil) return asked.answer;
    const freshUntil = now() + maxAgeMs;
    const answer = ask(key, name, freshUntil).finally(() => {
      if (underWay.get(name)?.answer === answer) underWay.delete(name);
    });
    underWay.set(name, { answer, freshUntil });
    return answer;
  }

  return (key) => {
    const name = nameOf(key);
    const found = known.get(name);
    return found !== undefined && now() < found.freshUntil ? found.answer : lookUp(key, name);
  };
}

/** A map keeps the order of insertion, so its first entry is the one that was found longest ago. */
function forgetOldest(known: Map<string, unknown>): void {
  for (const oldest of known.keys()) {
    known.delete(oldest);
    return;
  }
}
