import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Networks } from '../../kit/addresses/networks.ts';
import type { Caller } from '../../kit/caller.ts';
import type { CardPrefixes } from '../../kit/cards/card-number.ts';
import type { Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { SignedInUser } from '../../kit/portal-user.ts';
import type { NoteRefused } from '../../kit/refused-caller.ts';
import type { CallSink } from '../../kit/work/finished-call.ts';
import type { Trace } from '../../kit/work/trace.ts';
import type { Check } from '../body/validate.ts';
import type {
  AnyPortalRoute,
  OpenPortalRoute,
  PortalOptions,
  PortalRequest,
  PortalRoute,
  StrangerRequest,
} from '../portal-route.types.ts';
import type {
  ApiRoute,
  ApiVersion,
  EdgeRequest,
  OpenAnswer,
  OpenRequest,
  OpenRoute,
  Signature,
} from '../route.types.ts';
import type { SignatureContext } from '../signing/hmac-check.ts';
import type { Client } from './client-address.ts';
import type { CheckHost } from './own-hosts.ts';
import type { RateLimit } from './rate-limit.ts';
import type { UnderWay } from './under-way.ts';

/** How signatures are checked. */
export interface SignatureOptions extends SignatureContext {
  /**
   * Whether a caller is told why a signature is wrong: in the sandbox alone, for it helps an attacker who guesses, too.
   */
  readonly explain: boolean;
}

/** What the edge needs from the rest of the service. Look-ups come in as functions: the edge knows no slice. */
export interface EdgeOptions {
  /** Base of every address in an answer, without a trailing slash. A function: a free port is known only once listening. */
  readonly baseUrl: () => string;
  readonly findCaller: (accessToken: string) => Caller | undefined | Promise<Caller | undefined>;
  /** Whether there is such a payee: asked only where an operator names one. */
  readonly payeeExists: (payeeId: PayeeId) => Promise<boolean>;
  /** What signatures are checked with. */
  readonly signatures: SignatureOptions;
  readonly portal: PortalOptions;
  /** Requests of one credential. */
  readonly requests: RateLimit;
  /** Requests of one network to payers' pages. */
  readonly pages: RateLimit;
  /** Requests of one network to sign in, or for a token. */
  readonly signIns: RateLimit;
  /** Failed credentials of one network, and what else strangers from there were refused. */
  readonly failures: RateLimit;
  /** Requests of each caller that have not been answered. */
  readonly underWay: UnderWay;
  /** Proxies that are believed about who sent a request. */
  readonly proxies: Networks;
  /** Refuses hosts that are not the sandbox's own; undefined in production, whose hosts are its proxy's. */
  readonly checkHost: CheckHost | undefined;
  /** Whether browsers are told to speak TLS to this host from now on: in production, where it is reached by TLS. */
  readonly needsTls: () => boolean;
  /** Whether this machine's own requests are not limited: in the sandbox. */
  readonly exemptLoopback: boolean;
  readonly cardPrefixes: () => CardPrefixes;
  /** Makes the check of a schema: see `schemaChecker`. One for all routes, because a compiler of its own for each is dear. */
  readonly compile: (schema: TSchema) => Check;
  /** Milliseconds of a clock that does not jump. */
  readonly now: () => number;
  /** Takes the calls of programs for the payees' logs; undefined: there is none. */
  readonly calls: CallSink | undefined;
  /** Takes who was refused, for the audit trail. */
  readonly noteRefused: NoteRefused;
  readonly observe: (observation: Observation) => void;
  /** Writes the line of the log that each request has. */
  readonly tellRequest: (request: AnsweredRequest) => void;
  /** Writes to the log that a request failed on our side, or could not be taken. */
  readonly tellFailure: (code: string, error: unknown, ids: Readonly<Record<string, unknown>>) => void;
  readonly log: FastifyBaseLogger;
}

/** What the routes of all slices are given beside their context, by the server that they stand behind. */
export interface RouteGiven {
  /** Without a trailing slash; a function, because a free port is known only once listening. */
  readonly baseUrl: () => string;
  /** What signatures are checked with. */
  readonly signatures: SignatureOptions;
  /** Takes who was refused, for the audit trail. */
  readonly noteRefused: NoteRefused;
  /** Who has a cookie of the portal. */
  readonly findUser: PortalOptions['findUser'];
  /** Whether failures from this address are not counted: this machine's own, in the sandbox. */
  readonly isExempt: (address: string) => boolean;
  /** Whether an address is a proxy's, behind which all callers are. */
  readonly isShared: (address: string) => boolean;
  readonly isReady: () => Promise<boolean>;
}

/** A request that was answered, for the log. */
export interface AnsweredRequest {
  readonly method: string;
  /** A template: addresses hold references. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Undefined, as what follows, where the edge has not seen the request. */
  readonly sessionId: string | undefined;
  readonly trace: Trace | undefined;
  readonly caller: Caller | undefined;
  readonly address: string | undefined;
}

/** A finished request, for metrics. The route is a template. */
export interface Observation {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** The routes of the service, and which addresses belong to the API also where there is no route. */
export interface EdgeRoutes {
  readonly apiRoutes: readonly ApiRoute[];
  readonly openRoutes: readonly OpenRoute[];
  readonly portalRoutes: readonly AnyPortalRoute[];
  readonly addresses: ApiAddresses;
}

/** Addresses below these belong to the API: a caller must be known before they say anything, even 404. */
export interface ApiAddresses {
  /** Beginnings of paths, such as `/online`; upper and lower case are the same. */
  readonly prefixes: readonly string[];
  /** Below this one, which lies below one of those, requests are signed. */
  readonly signed: string;
}

/** The kinds of requests, by the routes that take them. The kind decides which steps of `steps.ts` a request passes. */
interface Kinds {
  /** Of the API, by access token. */
  readonly api: { readonly route: ApiRoute; readonly input: EdgeRequest };
  /** Of the API, by access token and a signature over the body. */
  readonly signed: { readonly route: ApiRoute; readonly input: EdgeRequest };
  /** Of the portal, by cookie. */
  readonly portal: { readonly route: PortalRoute; readonly input: PortalRequest };
  /** Of the portal, for those who are not signed in. */
  readonly 'sign-in': { readonly route: OpenPortalRoute; readonly input: StrangerRequest };
  /** Open to all: pages, documents, health, OAuth. */
  readonly open: { readonly route: OpenRoute; readonly input: OpenRequest };
  /** To an address that there is not, or not with this method; the first two belong to the API. */
  readonly 'api-nowhere': { readonly route: undefined; readonly input: undefined };
  readonly 'signed-nowhere': { readonly route: undefined; readonly input: undefined };
  readonly nowhere: { readonly route: undefined; readonly input: undefined };
}

export type Kind = keyof Kinds;
export type ApiKind = 'api' | 'signed';
export type PortalKind = 'portal' | 'sign-in';
export type NowhereKind = 'api-nowhere' | 'signed-nowhere' | 'nowhere';

/** A route, with what is made of it once. */
export interface Served<K extends Kind = Kind> {
  readonly kind: K;
  readonly route: Kinds[K]['route'];
  /** Its template, for metrics and the log: addresses hold references. */
  readonly path: string;
  /** The route, where it is one of the API. */
  readonly api: ApiRoute | undefined;
  readonly checks: Checks;
  /** Bytes that its body may have; undefined: `BODY_BYTES`. */
  readonly bodyBytes: number | undefined;
  /** Writes its good answers; undefined where they are no JSON. */
  readonly write: ((answer: unknown) => string) | undefined;
}

/** What checks the parts of a request of one route. */
export interface Checks {
  readonly params: Check;
  readonly query: Check;
  /** Takes a body as its schema declares it; undefined where the route has none. */
  readonly body: ((sent: unknown) => unknown) | undefined;
}

/** The place of one file among those under way. */
export interface FilePlace {
  /** Works on the file, and overwrites its bytes afterwards. The place is kept until then, also where the sender has gone away. */
  work<Result>(file: Buffer, make: () => Promise<Result>): Promise<Result>;
}

/** What the edge knows of a request while it is under way. Each step reads what those before it have left. */
export interface EdgeState<K extends Kind = Kind> {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly served: Served<K>;
  readonly sessionId: string;
  readonly client: Client;
  /** What is wrong with what a trusted proxy says of the client; such a request goes no further. */
  readonly clientFault: Refusal | undefined;
  readonly trace: Trace | undefined;
  /** The version that the request names; undefined where it names none. */
  version: ApiVersion | undefined;
  caller: Caller | undefined;
  /** The network or credential that it counts for among the requests under way. */
  countedFor: string | undefined;
  /** Who is signed in to the portal, and by which cookie. */
  visitor: Visitor | undefined;
  signature: Signature | undefined;
  /** Whether the caller has passed all of admission. Nothing is said about objects before. */
  isAdmitted: boolean;
  /** Whether a stranger asks to become known: what they are refused counts against their network. */
  isSigningIn: boolean;
  /** The payee whose objects the request is about. */
  payeeId: PayeeId | undefined;
  /** Where its body is a file: the place that it has among files under way. */
  filePlace: FilePlace | undefined;
  /** The request as its handler gets it. */
  input: Kinds[K]['input'] | undefined;
  /** What a person is shown in place of a problem of this status: see `OpenRoute`. */
  explain: ((status: number) => OpenAnswer | undefined) | undefined;
  /** What was answered: as the handler gave it, or the text of a problem. */
  answer: unknown;
}

/** Who sent a request to the portal, as its cookie says. */
export interface Visitor {
  readonly cookie: string;
  readonly user: SignedInUser;
}

/** A step: it refuses by throwing. It gives a promise only where it has to wait, so that most requests wait for nothing. */
export type Run<K extends Kind = Kind> = (edge: EdgeState<K>) => void | Promise<void>;
