import type { FastifyBaseLogger } from 'fastify';
import type { TSchema } from 'typebox';
import type { Caller } from '../kit/caller.ts';
import type { CardPrefixes } from '../kit/card-number.ts';
import type { Refusal } from '../kit/errors.ts';
import type { CallSink } from '../kit/finished-call.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { Networks } from '../kit/networks.ts';
import type { NoteRefused } from '../kit/refused-caller.ts';
import type { Trace } from '../kit/trace.ts';
import type { Client } from './client-address.ts';
import type { SignatureWorld } from './hmac-check.ts';
import type { PortalOptions } from './portal-route.types.ts';
import type { RateLimit } from './rate-limit.ts';
import type { ApiRoute, EdgeRequest, OpenAnswer } from './route.types.ts';
import type { Check } from './validate.ts';

/** How signatures are checked. */
export interface SignatureOptions extends SignatureWorld {
  /** Whether a caller is told why a signature is wrong: in the sandbox alone, for it helps whoever guesses too. */
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
  /** Proxies that are believed about who sent a request. */
  readonly proxies: Networks;
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
  readonly log: FastifyBaseLogger;
}

/** A finished request, for metrics and the log. The route is a template: addresses hold references. */
export interface Observation {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** What the edge knows of a request while it is under way. */
export interface EdgeState {
  readonly sessionId: string;
  readonly client: Client;
  /** What is wrong with what a trusted proxy says of the client; such a request goes no further. */
  readonly clientFault: Refusal | undefined;
  readonly trace: Trace | undefined;
  /** The route's template. */
  readonly route: string;
  readonly api: ApiRoute | undefined;
  caller: Caller | undefined;
  /** Whether the caller has passed all of admission. Nothing is said about objects before. */
  isAdmitted: boolean;
  /** Whether a stranger asks to become known: what they are refused counts against their network. */
  isSigningIn: boolean;
  input: EdgeRequest | undefined;
  /** What a person is shown in place of a problem of this status: see `OpenRoute`. */
  explain: ((status: number) => OpenAnswer | undefined) | undefined;
  /** What was answered: as the handler gave it, or the text of a problem. */
  answer: unknown;
}
