/** One kind of problem: how it is answered, and the text of its page. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** Whether the same request may be sent again and can then succeed. */
  readonly retryable: boolean;
  /** What it means, when it happens, and what the caller does next: the text of the problem's page. */
  readonly meaning: string;
  readonly when: string;
  readonly next: string;
}

/**
 * The one registry of what a caller may be told. Append-only: a code, once published, keeps its meaning. The problem
 * pages, `docs/errors.md`, the OpenAPI document and the tests are checked against it in both directions.
 */
export const PROBLEMS = {
  inputerror: {
    status: 400,
    title: 'The request breaks the rules of its input',
    retryable: false,
    meaning: 'The request line, a header, the query or the body is not as this operation needs it. Nothing was done.',
    when: 'A member is missing, has the wrong type, is too long or holds something that it must not; the body is not JSON; a header is malformed or repeated.',
    next: 'Read `problems`: each entry names a member by its JSON path, or a header or query parameter, and says what it must be. Correct it and send the request again.',
  },
  unauthorized: {
    status: 401,
    title: 'The caller is not known',
    retryable: false,
    meaning:
      'The request carries no access token, or one that is unknown, expired or revoked, or its signature is wrong. Nothing was done.',
    when: 'The Authorization header is absent or not of the form `Bearer <token>`, or the token is not valid here. Below /api/payments: the Hmac header is absent or malformed, its key is not a valid one of the payee, its digest is wrong, or Transmission-Time is too far away.',
    next: 'WWW-Authenticate says which of the two is asked for. Send a valid access token: get one from the merchant portal, from `kontor access-tokens create`, or from POST /oauth/token. Sign the request with a valid HMAC key: in the sandbox, `diagnosis` says what is likely wrong with the signature.',
  },
  forbidden: {
    status: 403,
    title: 'The operation is not allowed',
    retryable: false,
    meaning:
      'The caller is known but may not do this, or the resource does not allow it in its present state. Nothing was done.',
    when: 'The access token lacks the scope that the endpoint needs, or the operation is not possible in the state of the resource.',
    next: 'Where a scope is missing, use a token that has it. Else GET the resource and follow one of the operations that it lists.',
  },
  notfound: {
    status: 404,
    title: 'There is no such resource',
    retryable: false,
    meaning:
      'Nothing is known under this address to this caller. What belongs to another payee answers in the same way.',
    when: 'The resource never existed, was deleted, belongs to another payee, or the address is none of this service.',
    next: 'Follow the links that the service gave you instead of building addresses, and check that the access token belongs to the right payee.',
  },
  methodnotallowed: {
    status: 405,
    title: 'The resource does not have this method',
    retryable: false,
    meaning: 'The address exists, but not with this HTTP method. Nothing was done.',
    when: 'For instance a PUT where only GET and PATCH exist.',
    next: 'Use one of the methods in the Allow header.',
  },
  notacceptable: {
    status: 406,
    title: 'The answer cannot be had in that form',
    retryable: false,
    meaning: 'The Accept header excludes JSON, or asks for a version that this service does not have.',
    when: 'Accept names only other media types, or an unknown `version`.',
    next: 'Send `Accept: application/json, application/problem+json`, with one of the versions in `api-supported-versions` if you need a certain one.',
  },
  unsupportedmediatype: {
    status: 415,
    title: 'The body is of a kind that is not understood',
    retryable: false,
    meaning:
      'The Content-Type of the request is missing, is not the one this operation takes, or names an unknown version. Nothing was done.',
    when: 'The body is not `application/json`, it is compressed, or `version` is unknown.',
    next: 'Send `Content-Type: application/json`, with one of the versions in `api-supported-versions` if you need a certain one, and no Content-Encoding.',
  },
  payloadtoolarge: {
    status: 413,
    title: 'The body is too large',
    retryable: false,
    meaning: 'The body has more bytes than this service reads. Nothing was done.',
    when: 'The body is larger than 64 KiB, or that of a payment order than 256 KiB.',
    next: 'Send a smaller body. No operation needs one this large.',
  },
  uritoolong: {
    status: 414,
    title: 'The address is too long',
    retryable: false,
    meaning: 'The request target has more characters than this service reads. Nothing was done.',
    when: 'Path and query together are longer than 4096 characters.',
    next: 'Follow the links that the service gave you; none is this long.',
  },
  headertoolarge: {
    status: 431,
    title: 'The headers are too large',
    retryable: false,
    meaning: 'The headers have more bytes than this service reads. Nothing was done.',
    when: 'The header block is larger than 16 KiB.',
    next: 'Send fewer or shorter headers; cookies are not needed here.',
  },
  requesttimeout: {
    status: 408,
    title: 'The request came too slowly',
    retryable: true,
    meaning: 'The request was not complete in time. Nothing was done, and the connection is closed.',
    when: 'The headers took longer than 10 seconds, or the whole request longer than 15.',
    next: 'Send the request again, in one piece.',
  },
  conflict: {
    status: 409,
    title: 'Something before it is still being worked on',
    retryable: true,
    meaning:
      'A request with the same reference or idempotency key, or an earlier step of the payment, is not finished yet. ' +
      'This one did nothing.',
    when:
      'The request was repeated before the first one was answered, or an earlier step of the payment is being taken ' +
      'back at its acquirer.',
    next: 'Wait for the seconds in Retry-After and repeat it with the same reference.',
  },
  referencereused: {
    status: 422,
    title: 'The reference stands for something else',
    retryable: false,
    meaning: 'The reference or idempotency key is known with other content. Nothing was done.',
    when: 'A reference was used for two different requests.',
    next: 'Use a new reference for a new request; repeat a request with exactly the content that it had.',
  },
  paymenttokeninactive: {
    status: 422,
    title: 'The token can no longer be used',
    retryable: false,
    meaning: 'The payment names a token that was archived or deleted. Nothing was done.',
    when: 'A stored card or account is used after it was archived or deleted.',
    next: 'Ask the payer to pay in another way, or to store the card again.',
  },
  toomanyrequests: {
    status: 429,
    title: 'Too many requests',
    retryable: true,
    meaning: 'The limit for this caller is reached. Nothing was done.',
    when: 'More requests came in a while than RateLimit-Policy says, or too many with wrong credentials.',
    next: 'Wait for the seconds in Retry-After and send the request again.',
  },
  systemerror: {
    status: 500,
    title: 'The service failed',
    retryable: true,
    meaning: 'Something went wrong on our side, or it is not known whether the change was stored.',
    when: 'A fault in the service, or the connection to the database was lost at the wrong moment.',
    next: 'Repeat the request with the same reference: it has its effect at most once. If it stays, report the session id.',
  },
  unavailable: {
    status: 503,
    title: 'The service cannot work right now',
    retryable: true,
    meaning: 'The work was not begun. Nothing was done.',
    when: 'The database cannot be reached, too much work is waiting, the instance lacks a key that others write with, or the service is stopping.',
    next: 'Wait for the seconds in Retry-After and send the request again.',
  },
  notimplemented: {
    status: 501,
    title: 'The transfer coding is not understood',
    retryable: false,
    meaning: 'The body comes in a transfer coding that this service does not undo. Nothing was done.',
    when: 'Transfer-Encoding names more than chunked, as in `gzip, chunked`.',
    next: 'Send the body as it is, with a Content-Length or in chunks.',
  },
  httpversionnotsupported: {
    status: 505,
    title: 'The version of HTTP is not supported',
    retryable: false,
    meaning: 'The request came in a version of HTTP that this service does not speak. Nothing was done.',
    when: 'The request line names HTTP/1.0 or another version than HTTP/1.1. The health checks alone answer HTTP/1.0.',
    next: 'Send the request as HTTP/1.1, with a Host header. A proxy in front may have to be told so, as nginx is by `proxy_http_version 1.1`.',
  },
  gatewaytimeout: {
    status: 504,
    title: 'The issuer did not answer',
    retryable: true,
    meaning: 'An external issuer did not answer in time; the outcome is not known.',
    when: 'The host that decides on the card is slow or cannot be reached.',
    next: 'Repeat the request with the same reference: the answer then says what became of it.',
  },
  noacquirer: {
    status: 422,
    title: 'No acquirer is agreed',
    retryable: false,
    meaning: 'No acquirer is connected that could charge a card for this payment. It was not made.',
    when: 'A card payment is made in production, and no acquirer is connected that would take its currency.',
    next: 'Ask the operator of the installation to connect an acquirer. In the sandbox every payee has one.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

/** One thing that is wrong: where (a JSON path, a header, a query parameter, an operation) and what it must be. Never a value. */
export interface ProblemDetail {
  readonly name: string;
  readonly description: string;
}

/**
 * A refusal: what a caller asked for is not done, and the caller is told why. `detail` and `problems` are public;
 * `cause` stays inside and is logged once, at the edge.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ProblemCode;
  readonly detail: string;
  readonly problems: readonly ProblemDetail[];
  /** Seconds for Retry-After, where waiting helps. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    more: { problems?: readonly ProblemDetail[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(`${code}: ${detail}`, { cause: more.cause });
    this.code = code;
    this.detail = detail;
    this.problems = more.problems ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** What a caller is told of everything that is unknown, foreign or deleted: one text, so that the three cannot be told apart. */
export const NOTHING_THERE = 'There is nothing at this address.';

/** 404 for all of that. */
export function notFound(): Refusal {
  return new Refusal('notfound', NOTHING_THERE);
}

/** 400 with one entry in `problems`. */
export function inputError(name: string, description: string): Refusal {
  return new Refusal('inputerror', 'The request breaks the rules of its input; see problems.', {
    problems: [{ name, description }],
  });
}

/**
 * 503 where this instance's key ring lacks a key that another instance writes with: nothing was done, and another instance
 * can do it.
 *
 * @param cause says where the ring was looked for, and what it lacks: for the log
 */
export function keyAbsent(cause?: unknown): Refusal {
  return new Refusal('unavailable', 'This instance lacks a key that is needed for this.', {
    retryAfterSeconds: 1,
    cause,
  });
}

/** 403 for an operation that the caller's scopes or the resource's state forbid; `name` says which operation. */
export function forbidden(name: string, description: string): Refusal {
  return new Refusal('forbidden', description, { problems: [{ name, description }] });
}
