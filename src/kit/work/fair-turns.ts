import { networkOf } from '../addresses/network.ts';

/** How many work, wait, and for how long. */
export interface TurnsOptions {
  readonly atOnce: number;
  readonly waiting: number;
  /** Milliseconds that one waits at most. */
  readonly patienceMs: number;
  /** What is thrown at those who get no turn. */
  readonly refusal: () => Error;
}

/** Gives turns to work, for the address that it is done for. */
export type Turns = <Result>(address: string, work: () => Promise<Result>) => Promise<Result>;

/** One who waits: true is a turn, false is none. */
type Waiting = (hasTurn: boolean) => void;

/**
 * Lets so many work at once, and so many wait. Networks take turns, large ones first and then those within them: who has
 * many addresses gets no more turns than who has one. When all places to wait are taken, the network that has most of them
 * gives one up for a network that has fewer.
 */
export function createFairTurns({ atOnce, waiting, patienceMs, refusal }: TurnsOptions): Turns {
  const line = new Line();
  let working = 0;
  const wait = (address: string): Promise<boolean> =>
    new Promise((resolve) => {
      const [large, small] = networksOf(address);
      const settle: Waiting = (hasTurn) => {
        clearTimeout(patience);
        resolve(hasTurn);
      };
      const patience = setTimeout(() => {
        line.leave(large, small, settle);
        settle(false);
      }, patienceMs);
      line.join(large, small, settle);
      if (line.length > waiting) line.giveUp()?.(false);
    });
  return async (address, work) => {
    if (working < atOnce) working++;
    else if (!(await wait(address))) throw refusal();
    try {
      return await work();
    } finally {
      const next = line.next();
      // Who waited takes over the turn.
      if (next === undefined) working--;
      else next(true);
    }
  };
}

/** What a provider or company may have: 256 addresses of IPv4, 65 536 networks of IPv6. */
const LARGE = { v4: 24, v6: 48 };
/** What one customer may have (RFC 6177). */
const SMALL = { v4: 32, v6: 56 };

function networksOf(address: string): readonly [large: string, small: string] {
  return [networkOf(address, LARGE), networkOf(address, SMALL)];
}

/** Those who wait, by large network and by small network within it; those whose turn it is next stand first. */
class Line {
  readonly #networks = new Map<string, Map<string, Waiting[]>>();

  get length(): number {
    return countIn([...this.#networks.values()].flatMap((smalls) => [...smalls.values()]));
  }

  join(large: string, small: string, one: Waiting): void {
    const smalls = this.#networks.get(large) ?? new Map<string, Waiting[]>();
    this.#networks.set(large, smalls);
    smalls.set(small, [...(smalls.get(small) ?? []), one]);
  }

  leave(large: string, small: string, one: Waiting): void {
    const smalls = this.#networks.get(large);
    const rest = smalls?.get(small)?.filter((other) => other !== one) ?? [];
    if (rest.length > 0) smalls?.set(small, rest);
    else smalls?.delete(small);
    if (smalls?.size === 0) this.#networks.delete(large);
  }

  /** Takes out whose turn it is, and puts the networks behind the others. */
  next(): Waiting | undefined {
    for (const [large, smalls] of this.#networks) {
      for (const [small, waiting] of smalls) {
        const [one] = waiting;
        if (one === undefined) continue;
        this.leave(large, small, one);
        putBehind(smalls, small);
        putBehind(this.#networks, large);
        return one;
      }
    }
    return undefined;
  }

  /** Takes out the last one of the network that has most, who may be the one that has just come. */
  giveUp(): Waiting | undefined {
    const [large, smalls] = most(this.#networks, (one) => countIn([...one.values()]));
    const [small, waiting] = most(smalls, (one) => one.length);
    const last = waiting.at(-1);
    if (last !== undefined) this.leave(large, small, last);
    return last;
  }
}

function countIn(lines: readonly (readonly Waiting[])[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}

function putBehind<Value>(map: Map<string, Value>, key: string): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}

/** Of those with equally many the one that came last. */
function most<Value>(map: ReadonlyMap<string, Value>, count: (value: Value) => number): [string, Value] {
  return [...map].reduce((one, other) => (count(other[1]) >= count(one[1]) ? other : one));
}
