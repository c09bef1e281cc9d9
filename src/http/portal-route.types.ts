import type { FastifyReply } from 'fastify';
import type { Static, TObject } from 'typebox';
import type { Actor, Credential, Person } from '../kit/caller.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { AccessFault, SessionEnd, SignedInUser } from '../kit/portal-user.ts';
import type { Shown } from '../kit/schemas.wire.ts';
import type { EdgeRequest } from './route.types.ts';

/** The schemas of a route of the portal. One without an answer sends a file. */
export interface PortalShape {
  readonly params: TObject;
  readonly query: TObject;
  readonly body: TObject | undefined;
  readonly answer: TObject | undefined;
}

/** A table for the user to keep: comma-separated values (RFC 4180). */
export interface Download {
  /** With its ending; letters, digits, dots and dashes. */
  readonly fileName: string;
  /** A long one in pieces, which are sent as they come. */
  readonly text: string | AsyncIterable<string>;
}

type Input<Schema extends TObject | undefined> = Schema extends TObject ? Static<Schema> : undefined;
type Output<Schema extends TObject | undefined> = Schema extends TObject ? Shown<Schema> : Download;

/** A request that passed the edge, of a signed-in user or a stranger. */
interface CheckedRequest<Shape extends PortalShape>
  extends Pick<EdgeRequest, 'sessionId' | 'trace' | 'remoteAddress' | 'userAgent'> {
  readonly params: Static<Shape['params']>;
  readonly query: Static<Shape['query']>;
  readonly body: Input<Shape['body']>;
  /** Of a route with `fileBytes`; empty of all others. Its bytes go once it was answered. */
  readonly file: Buffer;
  /** Sends the cookie of a new portal session, in place of the one before. */
  readonly startSession: (cookie: string) => void;
  /** Takes the cookie away. */
  readonly endSession: () => void;
}

/** A request of a user who is signed in. */
export interface PortalRequest<Shape extends PortalShape = PortalShape> extends CheckedRequest<Shape> {
  /** The payee whose objects the request is about: the path's, where it names one, else the user's. */
  readonly payeeId: PayeeId;
  readonly user: SignedInUser;
  /** The user as the audit trail has them. */
  readonly caller: { readonly credential: Credential };
  /** What the page sends back with each change, so that no other page can. */
  readonly csrfToken: string;
}

/** A request without a portal session. */
export type StrangerRequest<Shape extends PortalShape = PortalShape> = CheckedRequest<Shape>;

interface CommonRoute<Shape extends PortalShape> {
  /** A GET changes nothing: a page of another site can make a browser send it. */
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below `/portal/api`, with parameters as `:name`. A parameter `payeeId` must be the user's payee, or the user an operator. */
  readonly path: string;
  /** Who may use it is asked by this name. */
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly shape: Shape;
  /** Its body is a file, `text/csv`, of so many bytes at most, and no JSON; `shape.body` is undefined then. */
  readonly fileBytes?: number;
}

/** One operation of the portal, as data: the edge, its OpenAPI document and the completeness tests all read it. */
export interface PortalRoute<Shape extends PortalShape = PortalShape> extends CommonRoute<Shape> {
  readonly isOpen?: false;
  readonly handle: (request: PortalRequest<Shape>) => Promise<Output<Shape['answer']>>;
}

/** One that is for those who are not signed in: they sign in by it. */
export interface OpenPortalRoute<Shape extends PortalShape = PortalShape> extends CommonRoute<Shape> {
  readonly isOpen: true;
  readonly handle: (request: StrangerRequest<Shape>) => Promise<Output<Shape['answer']>>;
}

export type AnyPortalRoute = PortalRoute | OpenPortalRoute;

/** The downloads of one process: all tables that people take with them pass here. */
export interface Downloads {
  /**
   * Takes a place for a payee's download, and has what makes the table make it.
   *
   * @throws Refusal `toomanyrequests` where the payee has none left
   */
  send(reply: FastifyReply, payeeId: PayeeId, make: () => Promise<Download>): Promise<unknown>;
  /** Cuts off all that are under way: the service stops. */
  closeAll(): void;
}

/** What the edge of the portal needs from the rest of the service. */
export interface PortalOptions {
  /** Who sends a cookie; undefined where it is not valid, or no longer. */
  readonly findUser: (cookie: string) => Promise<SignedInUser | undefined>;
  /** Why the session of a cookie is over; undefined where that is not known. */
  readonly findSessionEnd: (cookie: string) => Promise<SessionEnd | undefined>;
  /** Why the user may not use an operation; undefined where they may. */
  readonly accessFault: (operationId: string, user: SignedInUser) => AccessFault | undefined;
  /** Notes that an operator looks at what is a payee's, before they are answered. */
  readonly noteVisit: (visit: { readonly payeeId: PayeeId; readonly actor: Actor }) => Promise<void>;
  /** Whether a page that this person uses may call an operation of the API. */
  readonly mayCall: (operationId: string, person: Person, asked?: string) => boolean;
  /** What tables are sent by. */
  readonly downloads: Downloads;
  /** Whether browsers speak TLS to this installation: always in production. */
  readonly isSecure: () => boolean;
}
