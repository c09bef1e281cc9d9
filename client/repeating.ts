import { KontorProblem, KontorUnreachable } from './problems.ts';

/** How often and how fast a request is sent again. */
export interface Retries {
  /** Times that it is sent in all. */
  readonly attempts: number;
  /** Milliseconds before the second one; doubled before each further one, and cut by chance to spread clients out. */
  readonly firstDelayMs: number;
  /** A service that asks for more patience than this is not waited for. */
  readonly longestDelayMs: number;
}

export const USUAL_RETRIES: Retries = { attempts: 4, firstDelayMs: 200, longestDelayMs: 20_000 };

/** A request as far as it decides whether it may be sent twice. */
export interface Repeated {
  readonly method: string;
  /** Without host and query. */
  readonly path: string;
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
}

/** Addresses below which a POST is known by its `Idempotency-Key`. */
const KEYED = [
  /^\/psp\/creditcard\/payments(\/|$)/,
  /^\/psp\/paymentorders(\/[^/]+\/(captures|cancellations|reversals))?$/,
  /^\/webhooks$/,
  /^\/api\/payments\/gift-card\/get-new-gift-card$/,
];
/** A POST to these changes nothing. */
const READING = [/^\/api\/payments\/payment-account\/balance$/, /^\/api\/payments\/ping$/];

/** Whether the service knows a POST to this address by an `Idempotency-Key`. */
export function isKeyed(path: string): boolean {
  return KEYED.some((pattern) => pattern.test(path));
}

/**
 * Whether sending a request twice is as sending it once: it reads, or sets what it sets, or it is known by a key or by a
 * reference in its body.
 */
export function isRepeatable({ method, path, body, idempotencyKey }: Repeated): boolean {
  if (method !== 'POST' || idempotencyKey !== undefined || READING.some((pattern) => pattern.test(path))) return true;
  return path.startsWith('/api/payments/') && REFERENCES.some((name) => hasMember(body, name));
}

const REFERENCES = ['paymentTransactionRef', 'transactionRef', 'orderRef'];

function hasMember(body: unknown, name: string): body is Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name);
}

/** The body of a further try: an account payment says that it is one, so that its answer is the payment itself. */
export function repeatedBody(body: unknown): unknown {
  return hasMember(body, 'paymentTransactionRef') ? { ...body, repeat: true } : body;
}

/** Whether a failed request may be sent again. */
export function mayRepeat(error: unknown, isSafe: boolean): boolean {
  if (error instanceof KontorProblem) return error.isRetryable && (isSafe || !error.mayHaveHadEffect);
  return isSafe || error instanceof KontorUnreachable || wasNeverSent(error);
}

/** Causes, as Node names them, for which no byte of a request has left. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** Whether it is known that a request never got to the service. Browsers do not say. */
export function wasNeverSent(error: unknown): boolean {
  const { code } = ((error as { cause?: unknown }).cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' && NEVER_SENT.includes(code);
}

/**
 * Milliseconds before the next try, or undefined where there is none.
 *
 * @param tries that there were
 */
export function delayBefore(tries: number, error: unknown, retries: Retries): number | undefined {
  if (tries >= retries.attempts) return undefined;
  const asked = error instanceof KontorProblem ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  if (asked > retries.longestDelayMs) return undefined;
  const backoff = Math.min(retries.firstDelayMs * 2 ** (tries - 1), retries.longestDelayMs);
  return Math.max(asked, backoff * (0.5 + Math.random() / 2));
}

/** Waits, unless the caller loses patience: then it rejects with the signal's reason. */
export function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
