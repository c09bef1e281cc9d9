import { notFound } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Download } from '../portal-route.types.ts';
import type { EdgeRequest, OpenAnswer, OpenRequest } from '../route.types.ts';
import { refuseEncodedSeparator, type SignatureStep, UsedNonce } from '../signing/hmac-step.ts';
import type { Admission } from './admission.ts';
import { beginApi, beginning, beginPortal, refusingBadFraming } from './arrive.ts';
import type { ApiKind, EdgeOptions, EdgeState, Kind, NowhereKind, PortalKind, Run } from './edge.types.ts';
import { inviteBody } from './expect.ts';
import { createFilePlaces, takingFilePlace } from './file-places.ts';
import { checkingAccess, checkingOrigin, findingVisitor } from './portal-session.ts';
import {
  chooseApiType,
  choosePortalType,
  concealing,
  findingPayee,
  readingApi,
  readingPortal,
  readOpen,
} from './reception.ts';
import { sendOpen } from './send-open.ts';
import { type MethodsAt, methodNotAllowed } from './send-problem.ts';

/** The names of the steps, in their order; only the body is received earlier by those that are signed. */
export type StepName =
  | 'arrive'
  | 'framing'
  | 'authenticate'
  | 'sign'
  | 'receive'
  | 'rate'
  | 'scope'
  | 'object'
  | 'version'
  | 'body'
  | 'handle'
  | 'answer';

/** A step of the edge, and the kinds of requests that pass it. */
export interface Step {
  readonly name: StepName;
  readonly kinds: readonly Kind[];
  readonly run: Run;
}

/** What the steps are made of. */
export interface StepParts {
  readonly options: EdgeOptions;
  readonly admission: Admission;
  readonly signatures: SignatureStep;
  readonly methodsAt: MethodsAt;
}

const API = ['api', 'signed'] as const;
const SIGNED = ['signed', 'signed-nowhere'] as const;
const BY_TOKEN = ['api', 'signed', 'api-nowhere', 'signed-nowhere'] as const;
const PORTAL = ['portal', 'sign-in'] as const;
const NOWHERE = ['api-nowhere', 'signed-nowhere', 'nowhere'] as const;
const ROUTED = ['api', 'signed', 'portal', 'sign-in', 'open'] as const;
const EVERY = [...ROUTED, ...NOWHERE] as const;

/**
 * All that happens to a request, from top to bottom: it passes the steps of its kind in this order, and the first that
 * refuses it decides the answer. A body is received once its sender is admitted; where a signature covers it, before that,
 * because a wrong signature is 401 and so comes before all that is decided about a known caller.
 */
export function listSteps(parts: StepParts): readonly Step[] {
  const { options, admission, signatures, methodsAt } = parts;
  return [
    step('arrive', EVERY, beginning(options)),
    step('arrive', BY_TOKEN, beginApi),
    step('arrive', PORTAL, beginPortal),
    step('arrive', EVERY, (edge) => options.underWay.enter(edge)), // 503
    step('framing', EVERY, refusingBadFraming(options)), // 400
    step('framing', SIGNED, refuseEncodedSeparator),
    step('authenticate', BY_TOKEN, admission.authenticate), // 401, 429
    step('authenticate', ['portal'], findingVisitor(options)),
    step('sign', SIGNED, signatures.requireHeader), // 401, 429
    step('receive', SIGNED, inviteBody), // 413
    step('sign', SIGNED, signatures.verify),
    step('rate', [...BY_TOKEN, 'portal'], admission.countRequest), // 429, 503
    step('rate', ['sign-in'], (edge) => admission.meetStranger(edge, 'sign-in')),
    step('rate', ['open'], countVisit),
    step('scope', API, (edge) => admission.checkScope(edge, edge.served.route)), // 403
    step('scope', PORTAL, checkingOrigin(options)),
    step('scope', ['portal'], checkingAccess(options)),
    step('scope', ROUTED, admit),
    step('receive', ['portal'], takingFilePlace(createFilePlaces())), // 429, 503
    step('receive', ['api', 'portal', 'sign-in', 'open'], inviteBody), // 413
    step('object', [...API, 'portal'], findingPayee(options)), // 404
    step('object', NOWHERE, refuseAddress), // 404, 405
    step('version', API, concealing(chooseApiType)), // 406, 415
    step('version', PORTAL, choosePortalType),
    step('body', API, concealing(readingApi(options))), // 400
    step('body', PORTAL, readingPortal(options)),
    step('body', ['open'], readOpen),
    step('handle', ['api'], handle),
    step('handle', ['signed'], handlingSigned(parts)),
    step('handle', PORTAL, handlingPortal(parts)),
    step('handle', ['open'], handleOpen),
    step('answer', [...API, ...PORTAL], answer),
    step('answer', ['open'], (edge) => sendOpen(edge, edge.answer as OpenAnswer)),
  ];

  function countVisit(edge: EdgeState<'open'>): void {
    const { limit } = edge.served.route;
    if (limit !== undefined) admission.meetStranger(edge, limit);
  }

  function refuseAddress({ request }: EdgeState<NowhereKind>): never {
    const allowed = methodsAt(request);
    throw allowed === undefined ? notFound() : methodNotAllowed(allowed);
  }
}

/** A nonce that turns out to be known while the request is handled is a wrong signature, like one that was found before. */
function handlingSigned({ signatures }: StepParts): Run<'signed'> {
  return async (edge) => {
    try {
      await handle(edge);
    } catch (error) {
      if (error instanceof UsedNonce) return signatures.refuseUsedNonce(edge);
      throw error;
    }
  };
}

/** A route of the portal without an answer of its own sends a table to download. */
function handlingPortal({ options }: StepParts): Run<PortalKind> {
  return async (edge) => {
    const { reply, served, payeeId, filePlace } = edge;
    const { route } = served;
    const make = () => route.handle(edge.input as never) as Promise<unknown>;
    if (filePlace !== undefined) edge.answer = await filePlace.work(edge.request.body as Buffer, make);
    else if (route.shape.answer !== undefined) edge.answer = await make();
    else edge.answer = await options.portal.downloads.send(reply, payeeId as PayeeId, make as () => Promise<Download>);
  };
}

/** Makes a row of the table; its function is typed by the kinds that it is for. */
function step<K extends Kind>(name: StepName, kinds: readonly K[], run: Run<K>): Step {
  return { name, kinds, run: run as Run };
}

/** From here on something is said about objects. */
function admit(edge: EdgeState): void {
  edge.isAdmitted = true;
}

/** Writes an answer by the schema of its route. */
function answer({ reply, served, answer: body }: EdgeState<ApiKind | PortalKind>): void {
  // What waits for a second person (202) is told by another form.
  const write = reply.statusCode === 200 ? served.write : undefined;
  reply.send(write === undefined ? body : write(body));
}

async function handle(edge: EdgeState<ApiKind>): Promise<void> {
  edge.answer = await edge.served.route.handle(edge.input as EdgeRequest);
}

async function handleOpen(edge: EdgeState<'open'>): Promise<void> {
  edge.answer = await edge.served.route.handle(edge.input as OpenRequest);
}

/** The steps of one kind: those before its body is there, and those after. */
export interface Way {
  readonly before: readonly Run[];
  readonly after: readonly Run[];
}

/** Takes from the table what requests of each kind pass. */
export function waysOf(steps: readonly Step[]): Readonly<Record<Kind, Way>> {
  return Object.fromEntries(EVERY.map((kind) => [kind, wayOf(kind, steps)])) as Record<Kind, Way>;
}

/** One that never receives a body is refused before. */
function wayOf(kind: Kind, steps: readonly Step[]): Way {
  const own = steps.filter(({ kinds }) => kinds.includes(kind));
  const received = own.findLastIndex(({ name }) => name === 'receive') + 1 || own.length;
  const runs = own.map(({ run }) => run);
  return { before: runs.slice(0, received), after: runs.slice(received) };
}

/**
 * Takes a request through steps, one after the other.
 *
 * @throws what the first one that refuses it throws
 */
export async function walk(steps: readonly Run[], edge: EdgeState): Promise<void> {
  for (const take of steps) await take(edge);
}
