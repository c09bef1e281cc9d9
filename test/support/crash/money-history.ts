import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { groupBy } from '../../../src/kit/group-by.ts';

// The history of a client that lives outside of what is killed: one line of JSON before each request, one after it. What
// the service must have stored follows from these lines alone.

export type MoneyVerb = 'authorize' | 'purchase' | 'deposit' | 'capture' | 'cancel' | 'reversal';

/** A request, as it is about to be sent. */
export interface Invoked {
  readonly type: 'invoke';
  /** Number of the request. Its outcome has the same. */
  readonly index: number;
  /** Who sends it. After an unknown outcome a sender takes a new number, as if it had died with its request. */
  readonly process: number;
  readonly verb: MoneyVerb;
  readonly accountId: string;
  /** paymentTransactionRef: what a repeat has in common with the first request. */
  readonly reference: string;
  readonly orderReference: string;
  /** Asked for; undefined for a cancel. Minor units. */
  readonly amount: number | undefined;
  /** The payment that a capture, cancel or reversal is about. */
  readonly paymentId: string | undefined;
  readonly isRepeat: boolean;
}

/**
 * What became of a request. `ok`: acknowledged. `fail`: refused with a status that promises no effect. `info`: it is not
 * known, so it has to be asked again.
 */
export interface Outcome {
  readonly type: 'ok' | 'fail' | 'info';
  readonly index: number;
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  /** What an acknowledgement says was done. */
  readonly reply?: MoneyReply;
  /** The whole body of an answer with a status from 500 on. */
  readonly body?: string;
}

/** The members of an acknowledgement that the checker compares. */
export interface MoneyReply {
  /** paymentId, transactionId of a capture or reversal, or operationId of a cancel. */
  readonly id: string;
  readonly state: string;
  readonly amount: number;
  readonly reference: string;
}

/** A request with its outcome. */
export type Attempt = Omit<Invoked, 'type'> & { readonly outcome: Outcome | undefined };

/** Statuses that promise that nothing was done. Whatever else is not 200 leaves the outcome open. */
const NO_EFFECT: readonly number[] = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 429, 503];

/** What a status says of a request. */
export function outcomeType(status: number | undefined): Outcome['type'] {
  if (status === 200) return 'ok';
  return status !== undefined && NO_EFFECT.includes(status) ? 'fail' : 'info';
}

/** A history that is being written. */
export interface History {
  /** Writes that a request is about to be sent, and returns its number. */
  invoke(request: Omit<Invoked, 'type' | 'index'>): number;
  done(outcome: Outcome): void;
  /** Requests without an outcome. */
  open(): number;
  /** Requests that were acknowledged. */
  acknowledged(): number;
  /** Everything so far, as the file has it. */
  read(): Attempt[];
  close(): void;
}

/** Begins a history in a new file. */
export function openHistory(path: string): History {
  const file = openSync(path, 'wx');
  let next = 0;
  let open = 0;
  let acknowledged = 0;
  // Written by the system before the call returns: the line is there before the request leaves.
  const write = (line: Invoked | Outcome) => writeSync(file, `${JSON.stringify(line)}\n`);
  return {
    invoke(request) {
      const index = next++;
      write({ type: 'invoke', index, ...request });
      open++;
      return index;
    },
    done(outcome) {
      write(outcome);
      open--;
      if (outcome.type === 'ok') acknowledged++;
    },
    open: () => open,
    acknowledged: () => acknowledged,
    read: () => readHistory(path),
    close: () => closeSync(file),
  };
}

function readHistory(path: string): Attempt[] {
  const attempts = new Map<number, Attempt>();
  for (const text of readFileSync(path, 'utf8').split('\n').slice(0, -1)) {
    const line: Invoked | Outcome = JSON.parse(text);
    if (line.type === 'invoke') {
      const { type: _, ...request } = line;
      attempts.set(line.index, { ...request, outcome: undefined });
    } else {
      const attempt = attempts.get(line.index);
      if (attempt === undefined) throw new Error(`outcome ${line.index} of a request that was never sent`);
      attempts.set(line.index, { ...attempt, outcome: line });
    }
  }
  return [...attempts.values()];
}

/** All requests of one reference: the first, and its repeats. */
export interface Operation {
  readonly first: Attempt;
  readonly attempts: readonly Attempt[];
  /** `done` with what was acknowledged, `none`: refused without an effect, `open`: not known yet. */
  readonly fate: { readonly is: 'done'; readonly replies: readonly MoneyReply[] } | { readonly is: 'none' | 'open' };
}

/** The operations of a history, by reference. */
export function operationsOf(attempts: readonly Attempt[]): Operation[] {
  const byReference = groupBy(attempts, ({ reference }) => reference);
  return [...byReference.values()].flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [{ first, attempts: own, fate: fateOf(own) }];
  });
}

function fateOf(attempts: readonly Attempt[]): Operation['fate'] {
  const replies = attempts.flatMap(({ outcome }) => outcome?.reply ?? []);
  if (replies.length > 0) return { is: 'done', replies };
  return { is: attempts.every(isRefused) || isDecidedLast(attempts) ? 'none' : 'open' };
}

function isRefused({ outcome }: Attempt): boolean {
  return outcome?.type === 'fail';
}

/**
 * A repeat that is refused because the payment does not allow it has looked the reference up before: so the first request
 * had no effect. 409 and 503 say that of the repeat alone.
 */
function isDecidedLast(attempts: readonly Attempt[]): boolean {
  return attempts.at(-1)?.outcome?.status === 403;
}
