import type { Static, TObject, TSchema } from 'typebox';
import type { Caller, Scope } from '../kit/caller.ts';
import type { ProblemCode } from '../kit/errors.ts';
import type { Given, WeighedRequest } from '../kit/given.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { Shown } from '../kit/schemas.wire.ts';
import type { Trace } from '../kit/work/trace.ts';

/** The versions of the API. Only payment orders have a view for each. */
export type ApiVersion = '2.0' | '3.0' | '3.1';

/** The schemas of a route. A member of the answer that is not declared does not leave the service. */
export interface RouteShape {
  readonly params: TObject;
  readonly query: TObject;
  readonly body: TSchema | undefined;
  readonly answer: TObject;
}

type Input<Schema extends TSchema | undefined> = Schema extends TSchema ? Static<Schema> : undefined;

/** Who signed a request, and when. */
export interface Signature {
  /** The HMAC key's id. */
  readonly user: string;
  /** To be stored with the effect, where the request has no reference of its own: else a replay could repeat it. */
  readonly nonce: string;
  /** ISO 8601 in UTC: the instant of `Transmission-Time`, else of receipt. */
  readonly transmittedAt: string;
}

/** A request that passed the edge: every part of it is checked and typed. */
export interface EdgeRequest<Shape extends RouteShape = RouteShape> {
  readonly params: Static<Shape['params']>;
  readonly query: Static<Shape['query']>;
  readonly body: Input<Shape['body']>;
  /** The payee whose objects the request is about: the path's, where it names one, else the caller's. */
  readonly payeeId: PayeeId;
  readonly caller: Caller;
  /** Of a route that is signed; undefined for all others. */
  readonly signature: Signature | undefined;
  /** Of a route that takes one: what makes repeating the request safe. */
  readonly idempotencyKey: string | undefined;
  /** The version that the request names; undefined where it names none, and is answered in 3.0 unless `noteVersion` is told otherwise. */
  readonly version: ApiVersion | undefined;
  /** Tells the caller which version the answer has, where the route has chosen it. */
  readonly noteVersion: (version: ApiVersion) => void;
  /** Tells the caller where the resource is that the request has made. */
  readonly noteCreated: (href: string) => void;
  /** Tells the caller that the request waits, and nothing was done yet (202). */
  readonly noteWaiting: () => void;
  /** Tells the caller that this is the answer to an earlier request with the same key. */
  readonly noteReplay: () => void;
  /** What a page that sends it was weighed by, or another person has agreed to; undefined: nothing was weighed. */
  readonly weighed: WeighedRequest | undefined;
  /** Names from `$expand` that the route knows, in lower case. */
  readonly expand: ReadonlySet<string>;
  /** A UUID: the caller's own, or one made here. */
  readonly sessionId: string;
  /** The trace that the caller says this request is part of. */
  readonly trace: Trace | undefined;
  /** The payer's address from `Forwarded` (RFC 7239); business data, never used to tell who the client is. */
  readonly payerAddress: string | undefined;
  /** Of the socket, or as trusted proxies say: see `clientOf`. */
  readonly remoteAddress: string;
  /** The calling system, cut to its limit and free of control characters and card numbers. */
  readonly userAgent: string | undefined;
}

/** One operation of the API, as data: the edge, the OpenAPI document and the completeness tests all read it. */
export interface ApiRoute<Shape extends RouteShape = RouteShape> {
  /** DELETE has no body. */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With parameters as `:name`. A parameter `payeeId` must be the caller's payee. */
  readonly path: string;
  readonly scope: Scope;
  /** Scopes that open the route as well; where what they allow depends on the body, the verb decides. */
  readonly otherScopes?: readonly Scope[];
  /** Whether the request must carry a valid `Hmac` header: all routes below `/api/payments`, and no others. */
  readonly signed?: true;
  /** Whether an `Idempotency-Key` is honoured: on what creates something and has no reference of its own. */
  readonly takesIdempotencyKey?: true;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly shape: Shape;
  /** What this route may answer beside what every route may, for the document. */
  readonly problems?: readonly ProblemCode[];
  /** Whether an issuer's refusal is answered as the problem that its code names: then 502 and 504 are answers as well. */
  readonly declines?: true;
  /**
   * Members of the body that some clients spell otherwise: the way to theirs, as in `payment.items.creditcard`, and our name
   * there. Each is looked for when those before it are renamed.
   */
  readonly spellings?: Readonly<Record<string, string>>;
  /**
   * Whether it brings to its end what was begun, so that it is taken for a payee that begins nothing new. What is only read
   * is, too.
   */
  readonly followsUp?: true;
  /** Sub-resources that `$expand` may name. */
  readonly expandable?: readonly string[];
  /** Names that its `$expand` may have, known or not; undefined: ten. */
  readonly mostExpanded?: number;
  /** Bytes that its body may have; undefined: `BODY_BYTES`. */
  readonly bodyBytes?: number;
  /**
   * Whether the object in the path exists. Asked only when the request is about to be refused for its form, because an
   * unknown object is 404 whatever the body. Routes whose object always exists leave it out.
   */
  readonly exists?: (request: PathRequest<Shape>) => Promise<boolean>;
  /**
   * How much of the payee's money the request gives away, asked where a page of the portal sends it: a person does so up to
   * a limit alone. Throws a Refusal where there is no such object.
   */
  readonly gives?: (request: EdgeRequest<Shape>) => Promise<Given>;
  /**
   * Which of several operations the body asks for, as in `Abort`. A portal user needs the right to that one: the right to the
   * route is not enough.
   */
  readonly asks?: (body: Input<Shape['body']>) => string;
  /** The answer of a 200. Throws a Refusal for everything else. */
  readonly handle: (request: EdgeRequest<Shape>) => Promise<Shown<Shape['answer']>>;
}

/** What is known of a request before its body is read. */
export interface PathRequest<Shape extends RouteShape = RouteShape> {
  readonly params: Static<Shape['params']>;
  readonly payeeId: PayeeId;
}

/** A request to a route outside the API: no token, no versions, the body as it came. */
export interface OpenRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Of the socket, or as trusted proxies say: see `clientOf`. */
  readonly remoteAddress: string;
  /** Whether a program on this machine sent it, and no proxy: see `isLocal`. */
  readonly isLocal: boolean;
  readonly sessionId: string;
}

export interface OpenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /**
   * Whether it may be packed, and how: `once`, the same for all; `now`, for this request. Undefined: never, because a
   * secret stands in it beside what a caller has chosen, so that its length would tell the one by the other (BREACH).
   */
  readonly packing?: 'once' | 'now';
}

/** What the OpenAPI document says of a route that needs no access token. */
export interface OpenDocument {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /** Empty: no access token. */
  readonly security: readonly never[];
  /** Media types of the body. */
  readonly consumes?: readonly string[];
  readonly body?: TSchema;
  /** Schemas of the answers by status, each with a description. */
  readonly response: Readonly<Record<number, { readonly description: string }>>;
}

/** What requests of one network are counted as: to a payer's page, or to sign in and to fetch a token. */
export type StrangerLimit = 'page' | 'sign-in';

/** A route that needs no access token: health, metrics, documents, the OAuth endpoints. */
export interface OpenRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** A route that asks the database for any caller has a limit; files and health have none. */
  readonly limit?: StrangerLimit;
  /** For the OpenAPI document; undefined keeps the route out of it. */
  readonly document?: OpenDocument;
  readonly handle: (request: OpenRequest) => Promise<OpenAnswer> | OpenAnswer;
  /** What a person is shown in place of a problem of this status; undefined leaves it the problem. */
  readonly explain?: (request: OpenRequest, status: number) => OpenAnswer | undefined;
}
