import { networkOf } from '../../kit/addresses/network.ts';
import { nameOfActor } from '../../kit/caller.ts';
import type { RefusedCaller } from '../../kit/refused-caller.ts';
import { type NotedRefusal, refuseStranger } from './refused-callers.rules.ts';

/** How long refusals are counted before a row tells of them: five minutes show an attack, and keep it out of the trail's way. */
export const REFUSALS_WINDOW_MS = 5 * 60_000;
/** Samples of refusals that one process remembers. */
const REFUSALS_REMEMBERED = 1_000;
/** Those of them of one payee: a stranger's are the operators'. */
export const REFUSALS_OF_PAYEE = 50;
/** Rows of refused callers that one process writes in a minute, whatever is sent: 86 400 on a day of nothing else. */
export const REFUSALS_ROWS_A_MINUTE = 60;

/** From where, and by which request, the first of several came; empty where they came from everywhere. */
export type Origin = Partial<Pick<RefusedCaller, 'address' | 'sessionId'>>;

/** Refusals that are told together: of the same credential for the same reason, from one network. */
export interface Sample extends NotedRefusal {
  readonly origin: Origin;
  /** Of them, those that no row tells of yet. */
  times: number;
  /** When the next row may be written. */
  dueAt: number;
}

/** A part of a sample that is being written. */
export interface Telling {
  readonly sample: Sample;
  readonly times: number;
}

/** The refusals of one process, in bounded room. */
export interface Samples {
  add(refusal: NotedRefusal, from: Required<Origin>, times: number): void;
  /** Counts refusals of which nothing else is kept. */
  addUnknown(times: number): void;
  /** What is to be written now; `all`: whatever has not been written yet. */
  take(all: boolean): readonly Telling[];
  /** Notes that these are written. */
  settle(told: readonly Telling[]): void;
}

const MINUTE_MS = 60_000;

/**
 * Makes room for samples. The first refusal of each is due at once, those like it are counted, and are due together when
 * the window is over. One that was not repeated in its window is forgotten. What finds no room is only counted, and so many
 * rows are due in a minute, whatever is sent.
 *
 * @param now milliseconds of a clock that does not jump
 */
export function createSamples(now: () => number): Samples {
  const samples = new Map<string, Sample>();
  const samplesOf = new Map<string, number>();
  const others: Sample = { ...refuseStranger('many'), origin: {}, times: 0, dueAt: Number.NEGATIVE_INFINITY };
  let minuteSince = Number.NEGATIVE_INFINITY;
  let rowsInMinute = 0;

  const forget = (name: string, { payeeId }: Sample): void => {
    samples.delete(name);
    samplesOf.set(payeeId, (samplesOf.get(payeeId) ?? 0) - 1);
    if (samplesOf.get(payeeId) === 0) samplesOf.delete(payeeId);
  };
  const forgetUnrepeated = (): void => {
    for (const [name, sample] of samples) {
      if (sample.times === 0 && sample.dueAt <= now()) forget(name, sample);
    }
  };
  const rowsLeft = (): number => {
    if (now() - minuteSince >= MINUTE_MS) {
      minuteSince = now();
      rowsInMinute = 0;
    }
    return REFUSALS_ROWS_A_MINUTE - rowsInMinute;
  };

  return {
    add(refusal, from, times) {
      const { payeeId, actor, action, reason } = refusal;
      const name = `${payeeId} ${nameOfActor(actor)} ${action} ${reason} ${networkOf(from.address)}`;
      const known = samples.get(name);
      const ofPayee = samplesOf.get(payeeId) ?? 0;
      if (known !== undefined) {
        known.times += times;
      } else if (ofPayee >= REFUSALS_OF_PAYEE || samples.size >= REFUSALS_REMEMBERED) {
        others.times += times;
      } else {
        samplesOf.set(payeeId, ofPayee + 1);
        samples.set(name, { ...refusal, origin: from, times, dueAt: now() });
      }
    },
    addUnknown(times) {
      others.times += times;
    },
    take(all) {
      forgetUnrepeated();
      const due = [...samples.values(), others].filter(({ times, dueAt }) => times > 0 && (all || dueAt <= now()));
      return due.slice(0, all ? due.length : rowsLeft()).map((sample) => ({ sample, times: sample.times }));
    },
    settle(told) {
      rowsInMinute += told.length;
      for (const { sample, times } of told) {
        sample.times -= times;
        sample.dueAt = now() + REFUSALS_WINDOW_MS;
      }
    },
  };
}
