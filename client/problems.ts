/** What a service answers instead of what was asked for (RFC 9457). */
export interface ProblemDetails {
  /** The end of `type`, as in `inputerror` or `creditcard/carddeclined`: compare this, not the texts. */
  readonly code: string;
  /** Address of a page about it. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** What is wrong where: the JSON path of a member, a header, or the operation that is not possible. */
  readonly problems: readonly { readonly name: string; readonly description: string }[];
  /** Names the request in the service's log. */
  readonly sessionId: string | undefined;
  /** In the sandbox: what is likely wrong with a signature. */
  readonly diagnosis: Readonly<Record<string, unknown>> | undefined;
}

/** Codes with which the same request may be sent again and can then succeed. */
const RETRYABLE = ['requesttimeout', 'conflict', 'toomanyrequests', 'systemerror', 'unavailable', 'gatewaytimeout'];
/** Statuses of a proxy, which has no codes, with which the same holds: it lets fewer requests through, or has no service behind it. */
const RETRYABLE_OF_PROXIES = [429, 502, 503, 504];
/** Codes of these that never have an effect: whatever the request asked for, it is safe to send it again. */
const WITHOUT_EFFECT = [
  'requesttimeout',
  'conflict',
  'toomanyrequests',
  'notimplemented',
  'httpversionnotsupported',
  'unavailable',
];

/** The service refused a request, or does not know what became of it. */
export class KontorProblem extends Error implements ProblemDetails {
  override readonly name = 'KontorProblem';
  readonly code: string;
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly problems: ProblemDetails['problems'];
  readonly sessionId: string | undefined;
  readonly diagnosis: ProblemDetails['diagnosis'];
  /** Seconds after which the service asks to be asked again; undefined where it does not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(details: ProblemDetails, retryAfterSeconds?: number) {
    const where = details.problems.map(({ name, description }) => ` ${name}: ${description}.`).join('');
    super(`${details.title} (${details.code || details.status}).${where}`);
    this.code = details.code;
    this.type = details.type;
    this.title = details.title;
    this.status = details.status;
    this.detail = details.detail;
    this.problems = details.problems;
    this.sessionId = details.sessionId;
    this.diagnosis = details.diagnosis;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether the same request, with the same reference, can succeed later. */
  get isRetryable(): boolean {
    return this.code === '' ? RETRYABLE_OF_PROXIES.includes(this.status) : RETRYABLE.includes(this.code);
  }

  /** Whether a change may have been carried out all the same: repeat it with the same reference to find out. */
  get mayHaveHadEffect(): boolean {
    return this.status >= 500 && !WITHOUT_EFFECT.includes(this.code);
  }
}

/** No answer came, and nothing can have happened: the request was a read, or it was never sent. */
export class KontorUnreachable extends Error {
  override readonly name: string = 'KontorUnreachable';
}

/** No answer came to a change: it may or may not have been carried out. */
export class KontorOutcomeUnknown extends KontorUnreachable {
  override readonly name = 'KontorOutcomeUnknown';
  /** Send the change again with this `Idempotency-Key` to learn what became of it; undefined where it had none. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, options: { readonly cause: unknown; readonly idempotencyKey: string | undefined }) {
    super(message, { cause: options.cause });
    this.idempotencyKey = options.idempotencyKey;
  }
}

/** A resource does not offer the operation that was to be followed: in its state that is not possible. */
export class KontorNoSuchOperation extends Error {
  override readonly name = 'KontorNoSuchOperation';
  readonly rel: string;
  /** What it offers instead. */
  readonly offered: readonly string[];

  constructor(rel: string, offered: readonly string[]) {
    super(`The resource does not offer ${rel}, but ${offered.join(', ') || 'nothing'}.`);
    this.rel = rel;
    this.offered = offered;
  }
}

/**
 * The problem that an answer with an error status tells of. One that is not the service's own, as of a proxy, gets an empty
 * code.
 *
 * @param body the answer's body as JSON, or undefined
 */
export function problemOf(response: Response, body: unknown): KontorProblem {
  const given = (typeof body === 'object' && body !== null ? body : {}) as Partial<Record<string, unknown>>;
  const text = (name: string, otherwise: string) =>
    typeof given[name] === 'string' ? (given[name] as string) : otherwise;
  const type = text('type', 'about:blank');
  const details: ProblemDetails = {
    code: type.split('/errordetail/')[1] ?? '',
    type,
    title: text('title', response.statusText || 'The request failed'),
    status: response.status,
    detail: text('detail', ''),
    problems: Array.isArray(given['problems']) ? (given['problems'] as ProblemDetails['problems']) : [],
    sessionId: response.headers.get('session-id') ?? undefined,
    diagnosis: given['diagnosis'] as ProblemDetails['diagnosis'],
  };
  return new KontorProblem(details, retryAfter(response.headers.get('retry-after')));
}

function retryAfter(text: string | null): number | undefined {
  return text !== null && /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}
