import type { PayeeId } from '../ids.ts';

/** A schema, as far as it says what the log of calls shows: see `logged`. */
export interface LoggedForm {
  readonly logged?: true;
  readonly properties?: Readonly<Record<string, LoggedForm>>;
  readonly items?: LoggedForm;
}

/** A request to the API that has been answered, as the edge saw it. Nothing of it may be kept before it is masked. */
export interface FinishedCall {
  /** Milliseconds since 1970, when the request came. */
  readonly at: number;
  readonly payeeId: PayeeId;
  readonly sessionId: string;
  readonly method: string;
  /** The route's template; undefined where the address leads nowhere. */
  readonly route: string | undefined;
  readonly operationId: string | undefined;
  readonly status: number;
  readonly durationMs: number;
  /** As in `access-token:<id>`. */
  readonly credential: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The schemas of the route's body and of the answer that was given; undefined where there is none. */
  readonly bodyForm: LoggedForm | undefined;
  readonly answerForm: LoggedForm | undefined;
  /** What the API declares of the body, checked; undefined where the request was refused before. */
  readonly body: unknown;
  /** As it came. */
  readonly rawBody: Buffer | undefined;
  /** Before it was written out; the text of a problem; undefined where neither is known. */
  readonly answer: unknown;
}

/** Takes calls, so that a payee can see later what their programs have sent. */
export interface CallSink {
  /** Whether a call is to be noted: what is too much is only counted. */
  wants(call: { readonly payeeId: PayeeId; readonly status: number }): boolean;
  /** Masks a call and keeps it; returns at once. */
  note(call: FinishedCall): void;
}
