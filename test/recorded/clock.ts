import type { TestDatabase } from '../support/database/database.ts';

const DAY_MS = 86_400_000;

/** The process's own clock, whatever is put in its place. */
const RealDate = Date;

/** A clock that a test moves: of a database, and of this process. */
export interface Clock {
  /** Goes on by some days at once. */
  pass(days: number): Promise<void>;
  /** Gives the process its own clock back. */
  restore(): void;
}

/**
 * A clock that goes on by itself, and by days where a test says so. `kontor_now()` and `Date` are moved together: rows have
 * times of the first, ids of the second.
 */
export function movingClock({ asAdmin }: Pick<TestDatabase, 'asAdmin'>): Clock {
  let ahead = 0;
  return {
    async pass(days) {
      ahead += days * DAY_MS;
      const offset = ahead;
      globalThis.Date = shifted(() => RealDate.now() + offset);
      await asAdmin(`
        create or replace function kontor_now() returns timestamptz language sql volatile parallel safe
        return date_trunc('milliseconds', clock_timestamp()) + interval '${offset / 1000} seconds'`);
    },
    restore,
  };
}

/**
 * Stops the clock of a database and of this process at an instant, so that what depends on now is the same in a year.
 *
 * @returns gives the process its own clock back
 */
export async function stopClock({ asAdmin }: Pick<TestDatabase, 'asAdmin'>, instant: string): Promise<() => void> {
  const at = RealDate.parse(instant);
  globalThis.Date = shifted(() => at);
  await asAdmin(`
    create or replace function kontor_now() returns timestamptz language sql volatile parallel safe
    return '${instant}'::timestamptz`);
  return restore;
}

function restore(): void {
  globalThis.Date = RealDate;
}

function shifted(instant: () => number): DateConstructor {
  return new Proxy(RealDate, {
    construct: (target, given, self) => Reflect.construct(target, given.length === 0 ? [instant()] : given, self),
    apply: () => new RealDate(instant()).toString(),
    get: (target, name, receiver) => (name === 'now' ? instant : Reflect.get(target, name, receiver)),
  });
}
