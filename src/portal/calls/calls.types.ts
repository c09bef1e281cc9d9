import type { JobContext } from '../../db/job-context.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Slice } from '../newest-first.types.ts';

/** What a body is after everything was hidden that is not known to be harmless. */
export type Masked = null | boolean | number | string | readonly Masked[] | { readonly [name: string]: Masked };

/** A call as the log keeps it. Times are ISO 8601 in UTC. */
export interface LoggedCall {
  readonly callId: string;
  readonly at: string;
  readonly sessionId: string;
  readonly method: string;
  /** Template of the address; `unknown` where it leads nowhere. */
  readonly route: string;
  readonly operationId: string | null;
  readonly status: number;
  readonly durationMs: number;
  readonly credential: string;
  /** Code of the problem; null where it went well. */
  readonly problem: string | null;
  /** The payment or gift card that it was about; null: neither. */
  readonly resourceId: string | null;
}

/** The same with all that was kept of it. */
export interface CallDetails extends LoggedCall {
  /** With the parameters that may be shown. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where there was none. */
  readonly requestBody: Masked;
  readonly answerBody: Masked;
}

/** A call that is to be written. */
export interface MaskedCall extends CallDetails {
  readonly payeeId: PayeeId;
}

/** Calls of a payee that were left out, in the minute in which that was noticed. */
export interface SkippedCalls {
  readonly payeeId: PayeeId;
  readonly count: number;
}

/** Which calls are wanted. */
export interface CallList extends Slice {
  readonly payeeId: PayeeId;
  readonly route: string | undefined;
  readonly sessionId: string | undefined;
  /** From the first status on, up to the second one. */
  readonly status: readonly [from: number, to: number] | undefined;
}

/** What the job that keeps calls needs. */
export interface RecordingContext extends JobContext {
  readonly newId: () => string;
  /** Milliseconds of a clock that does not jump. */
  readonly now: () => number;
  readonly maskCardNumbers: (text: string) => string;
  /** Hours for which a call is kept. */
  readonly hours: number;
}
