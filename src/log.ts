import { destination, type Logger, pino } from 'pino';
import type { Config } from './config.ts';
import { type CardPrefixes, maskCardNumbersIn } from './kit/card-number.ts';

/** Bytes that are gathered before they are written, at most for `FLUSH_MS`: a write for each line would cost more than the line. */
const BUFFER_BYTES = 4096;
const FLUSH_MS = 100;

/**
 * The service's log: one JSON object a line, on the standard output. Callers log named members only; as a last line of
 * defence every line is searched for card numbers, which are masked (PCI DSS 4.0.1, 3.5.1.1 and 10.3).
 */
export function createLog(level: Config['logLevel'], prefixes: () => CardPrefixes = () => []): Logger {
  const stream = destination({ fd: 1, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS });
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      hooks: { streamWrite: (line) => maskCardNumbersIn(line, prefixes()) },
    },
    stream,
  );
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
