import { type DestinationStream, destination, type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import type { AnsweredRequest } from '../http/edge/edge.types.ts';
import type { CardPrefixes } from '../kit/cards/card-number.ts';
import { maskCardNumbersIn } from '../kit/cards/find-card-numbers.ts';
import { instantOf } from '../kit/instants.ts';

/** Characters that are gathered before a write, at most for `FLUSH_MS`: a write costs as much as the lines of thirty requests. */
const BUFFER_CHARACTERS = 32 * 1024;
const FLUSH_MS = 100;
/** Characters that wait while the output takes nothing; what comes beyond is lost. */
const LOG_WAITING_CHARACTERS = 4 * 1024 * 1024;

/** The log, and the short way into it for what is said of each request. */
export interface ServiceLog {
  readonly log: Logger;
  readonly tellRequest: (request: AnsweredRequest) => void;
}

/**
 * The service's log: one JSON object a line, on the standard output. Callers log named members only; as a last line of
 * defence every line is searched for card numbers, which are masked (PCI DSS 4.0.1, 3.5.1.1 and 10.3).
 */
export function createLog(level: Config['logLevel'], prefixes: () => CardPrefixes = () => []): ServiceLog {
  const lines = gatherLines();
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
  return { log, tellRequest };
}

/**
 * The line of a request, as `log.info` would write it in several times the time. What callers choose of it is searched for card
 * numbers part by part: names with letters stand between them, which no card number goes across. Ids, methods and our own
 * templates have nothing that JSON would escape.
 */
export function requestLine(time: string, request: AnsweredRequest, prefixes: CardPrefixes): string {
  const { sessionId, trace, method, route, status, milliseconds, caller, address } = request;
  const masked = (text: string) => maskCardNumbersIn(text, prefixes);
  let line = `{"level":"info","time":"${time}"`;
  if (sessionId !== undefined) line += `,"sessionId":"${masked(sessionId)}"`;
  if (trace !== undefined) line += `,"traceId":"${masked(trace.traceId)}","spanId":"${trace.spanId}"`;
  line += `,"method":"${method}","route":"${route}","status":${status}`;
  line += `,"milliseconds":${hundredths(milliseconds)}`;
  if (caller?.payeeId !== undefined) line += `,"payeeId":"${caller.payeeId}"`;
  if (caller !== undefined) line += `,"credential":"${caller.credential}"`;
  if (address !== undefined) line += `,"address":${JSON.stringify(masked(address))}`;
  return `${line},"msg":"request"}\n`;
}

/** With two digits behind the point, of whole numbers: the engine takes several times as long for one that is none. */
function hundredths(value: number): string {
  const all = Math.round(value * 100);
  const rest = all % 100;
  return `${(all - rest) / 100}.${rest < 10 ? '0' : ''}${rest}`;
}

let presentMs = 0;
let presentTime = '';

/** The present instant. The lines of one millisecond share its text. */
function timeNow(): string {
  const now = Date.now();
  if (now !== presentMs) {
    presentMs = now;
    presentTime = instantOf(now);
  }
  return presentTime;
}

/**
 * The standard output, which gets many lines as one text. The library can gather too, but puts all it has together anew to
 * measure it with each line.
 */
function gatherLines(): DestinationStream & { flush(done?: (error?: Error) => void): void; flushSync(): void } {
  let lines: string[] = [];
  let characters = 0;
  const handOver = (): void => {
    if (lines.length > 0) output.write(lines.join(''));
    lines = [];
    characters = 0;
  };
  const flushSync = (): void => {
    handOver();
    output.flushSync();
  };
  process.once('exit', flushSync);
  const output = destination({ fd: 1, sync: false, maxLength: LOG_WAITING_CHARACTERS });
  // Its disk is full, or nothing reads it: lines wait, then they are lost. No payment is refused for that.
  output.on('error', () => undefined);
  setInterval(handOver, FLUSH_MS).unref();
  return {
    write(line) {
      lines.push(line);
      characters += line.length;
      if (characters >= BUFFER_CHARACTERS) handOver();
    },
    flush(done) {
      handOver();
      output.flush(done);
    },
    flushSync,
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
