import { networkOf } from '../addresses/network.ts';

/** How many work, wait, and for how long. */
export interface TurnsOptions {
  readonly atOnce: number;
  /** Of these for one large party; undefined: all. */
  readonly atOnceEach?: number;
  readonly waiting: number;
  /** Milliseconds that one waits at most. */
  readonly patienceMs: number;
  /** What is thrown at those who get no turn. */
  readonly refusal: () => Error;
}

/** Whom work is done for, in two steps: those who share the first take turns among themselves. */
export type Party = readonly [large: string, small: string];

/** Gives turns to work, by whom it is done for. */
export type Turns = <Result>(party: Party, work: () => Promise<Result>) => Promise<Result>;

/** One who waits: true is a turn, false is none. */
type Waiting = (hasTurn: boolean) => void;

/**
 * Lets so many work at once, and so many wait. Parties take turns, large ones first and then those within them: who has
 * many addresses gets no more turns than who has one. When all places to wait are taken, the party that has most of them
 * gives one up for a party that has fewer.
 */
export function createFairTurns({ atOnce, atOnceEach = atOnce, waiting, patienceMs, refusal }: TurnsOptions): Turns {
  const line = new Line();
  /** Whom work is done for, by large parties: how many pieces. */
  const working = new Map<string, number>();
  const begin = (large: string) => working.set(large, (working.get(large) ?? 0) + 1);
  const end = (large: string) => {
    const left = (working.get(large) ?? 0) - 1;
    if (left > 0) working.set(large, left);
    else working.delete(large);
  };
  const isFree = () => [...working.values()].reduce((sum, count) => sum + count, 0) < atOnce;
  const mayBegin = (large: string) => (working.get(large) ?? 0) < atOnceEach;
  const wait = ([large, small]: Party): Promise<boolean> =>
    new Promise((resolve) => {
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
  return async (party, work) => {
    const [large] = party;
    if (isFree() && mayBegin(large)) begin(large);
    else if (!(await wait(party))) throw refusal();
    try {
      return await work();
    } finally {
      end(large);
      // Who waited takes over the turn.
      const next = line.next(mayBegin);
      if (next !== undefined) {
        begin(next.large);
        next.settle(true);
      }
    }
  };
}

/** What a provider or company may have: 256 addresses of IPv4, 65 536 networks of IPv6. */
const LARGE = { v4: 24, v6: 48 };
/** What one customer may have (RFC 6177). */
const SMALL = { v4: 32, v6: 56 };

/** A stranger, by the networks of their address. */
export function strangerAt(address: string): Party {
  return [networkOf(address, LARGE), networkOf(address, SMALL)];
}

/** Those who wait, by large party and by small party within it; those whose turn it is next stand first. */
class Line {
  readonly #parties = new Map<string, Map<string, Waiting[]>>();

  get length(): number {
    return countIn([...this.#parties.values()].flatMap((smalls) => [...smalls.values()]));
  }

  join(large: string, small: string, one: Waiting): void {
    const smalls = this.#parties.get(large) ?? new Map<string, Waiting[]>();
    this.#parties.set(large, smalls);
    smalls.set(small, [...(smalls.get(small) ?? []), one]);
  }

  leave(large: string, small: string, one: Waiting): void {
    const smalls = this.#parties.get(large);
    const rest = smalls?.get(small)?.filter((other) => other !== one) ?? [];
    if (rest.length > 0) smalls?.set(small, rest);
    else smalls?.delete(small);
    if (smalls?.size === 0) this.#parties.delete(large);
  }

  /** Takes out whose turn it is of those who may have one, and puts the parties behind the others. */
  next(may: (large: string) => boolean): { readonly large: string; readonly settle: Waiting } | undefined {
    for (const [large, smalls] of this.#parties) {
      if (!may(large)) continue;
      for (const [small, waiting] of smalls) {
        const [one] = waiting;
        if (one === undefined) continue;
        this.leave(large, small, one);
        putBehind(smalls, small);
        putBehind(this.#parties, large);
        return { large, settle: one };
      }
    }
    return undefined;
  }

  /** Takes out the last one of the party that has most, who may be the one that has just come. */
  giveUp(): Waiting | undefined {
    const [large, smalls] = most(this.#parties, (one) => countIn([...one.values()]));
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
