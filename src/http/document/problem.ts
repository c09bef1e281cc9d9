import { CARD_PROBLEMS, type CardProblemCode } from '../../kit/cards/card-problems.ts';
import { PROBLEMS, Refusal } from '../../kit/errors.ts';

/** The media type of problem details (RFC 9457, section 3). */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** A refusal as the edge sends it: problem details (RFC 9457) and the headers that go with them. */
export interface Problem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a refusal of the edge carries beside its text. */
interface EdgeParts {
  readonly headers: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number;
  /** Further members of the problem (RFC 9457, section 3.2). */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** A refusal that carries headers of its own, such as a challenge or the methods that are allowed. */
export class EdgeRefusal extends Refusal {
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(code: Refusal['code'], detail: string, more: EdgeParts) {
    super(code, detail, more.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: more.retryAfterSeconds });
    this.headers = more.headers;
    this.members = more.members ?? {};
  }
}

/**
 * The refusal of an issuer, where the request has no answer of its own that could tell of it: it is answered as the
 * problem that the card's code names, with its status.
 */
export class CardRefusal extends EdgeRefusal {
  readonly cardProblem: CardProblemCode;

  constructor(cardProblem: CardProblemCode, members: Readonly<Record<string, unknown>> = {}) {
    super('forbidden', CARD_PROBLEMS[cardProblem].meaning, { headers: {}, members });
    this.cardProblem = cardProblem;
  }
}

/**
 * Makes problem details of a refusal: the only place that does.
 *
 * `instance` names the occurrence by its session id and not by the address: an address holds references, and a foreign
 * object must answer exactly like an unknown one.
 *
 * @param baseUrl without a trailing slash; `type` is an address below it that explains the code
 */
export function toProblem(refusal: Refusal, baseUrl: string, sessionId: string): Problem {
  const isCard = refusal instanceof CardRefusal;
  const kind = isCard ? CARD_PROBLEMS[refusal.cardProblem] : PROBLEMS[refusal.code];
  const headers: Record<string, string> = { 'content-type': PROBLEM_TYPE, 'cache-control': 'no-store' };
  if (refusal.retryAfterSeconds !== undefined) headers['retry-after'] = String(refusal.retryAfterSeconds);
  if (refusal instanceof EdgeRefusal) Object.assign(headers, refusal.headers);
  const body = JSON.stringify({
    type: `${baseUrl}/errordetail/${isCard ? `creditcard/${refusal.cardProblem}` : refusal.code}`,
    title: kind.title,
    status: kind.status,
    detail: refusal.detail,
    instance: `urn:uuid:${sessionId}`,
    sessionId,
    problems: refusal.problems,
    ...(refusal instanceof EdgeRefusal && refusal.members),
  });
  return { status: kind.status, headers, body };
}

/** What a caller is told of a fault of ours: nothing but the session id. */
export function systemError(cause: unknown): Refusal {
  return new Refusal('systemerror', 'Something went wrong on our side. Repeat the request with the same reference.', {
    cause,
  });
}
