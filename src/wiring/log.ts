import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import type { AnsweredRequest } from '../http/edge/edge.types.ts';
import { nameOfActor } from '../kit/caller.ts';
import type { CardPrefixes } from '../kit/cards/card-number.ts';
import { maskCardNumbersIn } from '../kit/cards/find-card-numbers.ts';
import { instantOf } from '../kit/instants.ts';
import { causeOf, oneOfMany } from '../kit/work/one-of-many.ts';
import { type LogOutput, openLogOutput } from './log-output.ts';

/** Characters that are gathered before a write, at most for `FLUSH_MS`: a write costs as much as the lines of thirty requests. */
const BUFFER_CHARACTERS = 32 * 1024;
const FLUSH_MS = 100;
/** Milliseconds that the end of the process waits for the reader of the log. */
const FLUSH_WAIT_MS = 2_000;

/** The log, and the short way into it for what is said of each request. */
export interface ServiceLog {
  readonly log: Logger;
  readonly tellRequest: (request: AnsweredRequest) => void;
  /** Writes that something failed; what fails often for one reason is told once, then with a count each ten seconds. */
  readonly tellFailure: TellFailure;
  /** Lines that were dropped because the reader stood still. */
  readonly dropped: () => number;
  /** Waits until all lines were written, for a moment at most: their reader may stand still. */
  readonly flush: () => Promise<void>;
}

/**
 * The service's log: one JSON object a line, on the standard output. Callers log named members only; as a last line of
 * defence every line is searched for card numbers, which are masked (PCI DSS 4.0.1, 3.5.1.1 and 10.3).
 */
export function createLog(level: Config['logLevel'], prefixes: () => CardPrefixes = () => []): ServiceLog {
  const output = openLogOutput();
  const lines = gatherLines(output);
  const log = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${timeNow()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      hooks: { streamWrite: (line) => maskCardNumbersIn(line, prefixes()) },
    },
    lines,
  );
  const tellRequest = (request: AnsweredRequest): void => {
    if (log.isLevelEnabled('info')) lines.write(requestLine(timeNow(), request, prefixes()));
  };
  return {
    log,
    tellRequest,
    tellFailure: failuresTo(log),
    dropped: output.dropped,
    flush: () => {
      lines.handOver();
      return output.flush(FLUSH_WAIT_MS);
    },
  };
}

/** Something that failed, for the log. */
export type TellFailure = (message: string, error: unknown, members: Readonly<Record<string, unknown>>) => void;

/** Makes what writes failures to a log, those of one cause together. The ids are those of the last one. */
export function failuresTo(log: Pick<Logger, 'error'>): TellFailure {
  const tell = oneOfMany<Parameters<TellFailure>>(
    ([message, err, members], count) => log.error({ ...members, ...(count > 1 && { count }), err }, message),
    ([message, error]) => `${message} ${causeOf(error)}`,
  );
  return (...failure) => tell(failure);
}

/**
 * The line of a request. What callers choose of it is searched for card numbers part by part: an id of ours can have the digits of one by
 * chance, and is none.
 */
export function requestLine(time: string, request: AnsweredRequest, prefixes: CardPrefixes): string {
  const { sessionId, trace, method, route, status, milliseconds, caller, address } = request;
  const masked = (text: string | undefined) => text && maskCardNumbersIn(text, prefixes);
  const line = {
    level: 'info',
    time,
    sessionId: masked(sessionId),
    traceId: masked(trace?.traceId),
    spanId: trace?.spanId,
    method,
    route,
    status,
    milliseconds: Math.round(milliseconds * 100) / 100,
    payeeId: caller?.payeeId,
    credential: caller && nameOfActor(caller.credential),
    address: masked(address),
    msg: 'request',
  };
  return `${JSON.stringify(line)}\n`;
}

/** The present instant. */
function timeNow(): string {
  return instantOf(Date.now());
}

/**
 * Gathers lines, so that the output gets many as one text. The library can gather too, but puts all it has together anew to
 * measure it with each line.
 */
function gatherLines(output: LogOutput): DestinationStream & { handOver(): void } {
  let lines: string[] = [];
  let characters = 0;
  const handOver = (): void => {
    if (lines.length > 0) output.write(lines.join(''), lines.length);
    lines = [];
    characters = 0;
  };
  process.once('exit', () => {
    handOver();
    output.end();
  });
  setInterval(handOver, FLUSH_MS).unref();
  return {
    write(line) {
      lines.push(line);
      characters += line.length;
      if (characters >= BUFFER_CHARACTERS) handOver();
    },
    handOver,
  };
}

/** An error with its causes, without what drivers hang on to it: those members hold values (security: PCI DSS 6.2.4). */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    type: name,
    message,
    ...(typeof code === 'string' && { code }),
    stack,
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
}
