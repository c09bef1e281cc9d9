import { prefersJson } from '../../http/body/negotiate.ts';
import { readFields, refuseForeignForm } from '../../http/pages/form.ts';
import type { OpenAnswer, OpenRequest, OpenRoute } from '../../http/route.types.ts';
import type { Actor } from '../../kit/caller.ts';
import { CARD_DECLINES_OF_NETWORK_SECONDS } from '../../kit/cards/card-payment-limits.ts';
import { authenticateOnPage, leavePage, type PayerOnPage, payOnPage } from '../pay.flow.ts';
import type { CardTransaction } from '../payments.types.ts';
import { openPage } from './open-page.ts';
import type { Faults, OpenedPage, PageState } from './page.types.ts';
import { declineOf, stoppedFor } from './page-alert.http.ts';
import {
  addressOf,
  alone,
  type Framing,
  type PageContext,
  type PageRoutesOptions,
  pageContext,
} from './page-context.http.ts';
import { drawRemoval, drawWayBack } from './page-outcome.http.ts';
import { pageAnswer } from './page-shell.http.ts';
import { drawChallenge, drawForm, drawPage } from './page-states.http.ts';
import { removeStoredCard } from './remove-stored-card.ts';
import { troublePage, unknownPage } from './unknown-page.http.ts';

/** Where the page of a payment is: see `pageLink`. */
const PAGE = '/pay/:payeeId/:secret';
const WAY_BACK = '/back';

/** The page that a payer pays on, by itself and inside a page of the payee's. */
export function pageRoutes(options: PageRoutesOptions): OpenRoute[] {
  return [PAGE, `${PAGE}/frame`].flatMap((path) => {
    const at = (method: OpenRoute['method'], suffix: string, handle: Handle): OpenRoute => ({
      method,
      path: `${path}${suffix}`,
      limit: 'page',
      handle: (request) => meet(options, { request, isFramed: path !== PAGE, method }, handle),
      explain: (request, status) => troublePage(options.assets(), request, status),
    });
    return [
      at('GET', '', show),
      at('POST', '', pay),
      at('POST', '/cancel', leave),
      at('POST', '/remove', remove),
      at('GET', '/challenge', showChallenge),
      at('POST', '/challenge', answerChallenge),
      at('GET', '/state', showState),
      at('GET', WAY_BACK, showWayBack),
    ];
  });
}

/** A request to the page of a payment that is there. */
interface PageVisit {
  readonly options: PageRoutesOptions;
  readonly context: PageContext;
  readonly request: OpenRequest;
  readonly actor: Actor;
}

type Handle = (visit: PageVisit) => Promise<OpenAnswer> | OpenAnswer;

async function meet(
  options: PageRoutesOptions,
  { request, isFramed, method }: { request: OpenRequest; method: OpenRoute['method'] } & Framing,
  handle: Handle,
): Promise<OpenAnswer> {
  const { payeeId = '', secret = '' } = request.params;
  const page = await openPage(options.context, { payeeId, secret });
  // A payment that no page may frame has no framed page.
  if (page === undefined || (isFramed && (page.payment.terms.urls.hostUrls ?? []).length === 0)) {
    return unknownPage(options.assets(), request);
  }
  if (method === 'POST') refuseForeignForm(request, options.baseUrl());
  const context = pageContext(options, request, { page, isFramed });
  return handle({ options, context, request, actor: { name: 'payer', sessionId: request.sessionId } });
}

function show({ context }: PageVisit): OpenAnswer {
  // Nothing on it was chosen by the request. What answers a form is not packed: it shows what was typed.
  return { ...pageAnswer(context, drawPage(context)), packing: 'now' };
}

function showState({ context }: PageVisit): OpenAnswer {
  return json({ state: context.page.state });
}

/**
 * Leads a browser without a script to the payee. Browsers hold each address that a form's answer redirects to against
 * `form-action` (CSP 3, 6.4.1), also those to which the payee's site sends them on, which we cannot know: so the answer
 * leads here, and what begins here is no form's any more.
 */
function showWayBack({ context }: PageVisit): OpenAnswer {
  const { state, payment } = context.page;
  const { completeUrl, cancelUrl } = payment.terms.urls;
  const address = isOver(state) ? completeUrl : isLeft(state) ? cancelUrl : undefined;
  if (address === undefined) return redirect(addressOf(context));
  return pageAnswer(context, drawWayBack(context, address));
}

/** Whether there is nothing more to do for a payer. */
const isOver = (state: PageState): boolean => state === 'paid' || state === 'failed';
/** Whether no try is under way, so that a payer who leaves is not charged. */
const isLeft = (state: PageState): boolean => state === 'ready' || state === 'declined';

async function pay(visit: PageVisit): Promise<OpenAnswer> {
  const { options, context, request } = visit;
  const fields = readFields(request);
  const paid = await payOnPage(options, { ...payerOf(visit), fields });
  switch (paid.outcome) {
    case 'Stopped':
      return stop(visit, paid.retryAfterSeconds ?? CARD_DECLINES_OF_NETWORK_SECONDS, fields);
    case 'Invalid':
      return invalid(visit, paid.faults, fields);
    case 'Overtaken':
      return go(visit, addressOf(context));
    default:
      return afterTry(visit, paid.page, fields);
  }
}

function payerOf({ options, context: { page }, request: { remoteAddress }, actor }: PageVisit): PayerOnPage {
  const address = options.isExempt(remoteAddress) ? undefined : remoteAddress;
  return { page, actor, address, device: address === undefined ? {} : { address } };
}

/** Tells a payer that no cards may be tried from their network for a while. */
function stop({ context, request }: PageVisit, seconds: number, fields: ReadonlyMap<string, string>): OpenAnswer {
  const stopped = stoppedFor(context, seconds);
  // For the script it is as a decline: it says why, and lets the payer go on.
  if (prefersJson(request)) return json({ outcome: 'Declined', ...stopped, attempt: context.attempt });
  const answer = pageAnswer(context, drawForm(context, { faults: {}, fields, stopped }));
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } };
}

function invalid(visit: PageVisit, faults: Faults, fields: ReadonlyMap<string, string>): OpenAnswer {
  const { context, request } = visit;
  if (!prefersJson(request)) return pageAnswer(context, drawForm(context, { faults, fields }));
  const errors = Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, context.texts[fault]]));
  return json({ outcome: 'Invalid', errors, attempt: context.attempt });
}

function afterTry(visit: PageVisit, page: OpenedPage, fields: ReadonlyMap<string, string>): OpenAnswer {
  const context = { ...visit.context, page };
  if (page.state !== 'declined') return go(visit, nextAddress(context));
  if (!prefersJson(visit.request)) return pageAnswer(context, drawForm(context, { faults: {}, fields }));
  return json({ outcome: 'Declined', ...declineOf(context), attempt: context.attempt });
}

/** Where a payer goes next: to the payee once it is over, but never inside of its frame. */
function nextAddress(context: PageContext): string {
  const { state, payment } = context.page;
  if (state === 'authentication') return addressOf(context, '/challenge');
  return (isOver(state) && !context.isFramed ? payment.terms.urls.completeUrl : undefined) ?? addressOf(context);
}

/**
 * Leads a payer who does not want to pay back to the payee, but only where that is certain: while a try runs, or after it
 * has succeeded, they are shown that instead.
 */
async function leave(visit: PageVisit): Promise<OpenAnswer> {
  const { options, request, actor } = visit;
  const page = await leavePage(options, { page: visit.context.page, fields: readFields(request), actor });
  const { cancelUrl } = page.payment.terms.urls;
  if (cancelUrl === undefined || !isLeft(page.state)) {
    // Without a script the whole window comes here, also from a frame.
    return go(visit, prefersJson(request) ? addressOf(visit.context) : addressOf(alone(visit.context)));
  }
  return prefersJson(request)
    ? json({ outcome: 'Left', url: cancelUrl, attempt: visit.context.attempt })
    : go(visit, cancelUrl);
}

/** Removes a stored card once its payer has confirmed it. One that is not offered any more needs no question. */
async function remove({ options, context, request, actor }: PageVisit): Promise<OpenAnswer> {
  const { page } = context;
  const fields = readFields(request);
  const token = fields.get('token') ?? '';
  const card = page.storedCards.find((offered) => offered.token === token);
  if (card !== undefined && !fields.has('confirmed')) return pageAnswer(context, drawRemoval(context, card));
  const { transact } = options;
  await transact((transaction) => removeStoredCard(transaction, options.context, { page, token, actor }));
  return redirect(addressOf(context));
}

/** The transaction whose payer has to authenticate here; an operator's acquirer has a page of its own for that. */
function waitingIn({ options, context }: PageVisit): CardTransaction | undefined {
  if (!options.context.isSandbox || context.page.state !== 'authentication') return undefined;
  return context.page.transactions.findLast(({ state }) => state === 'AwaitingActivity');
}

function showChallenge(visit: PageVisit): OpenAnswer {
  const waiting = waitingIn(visit);
  if (waiting === undefined) return redirect(addressOf(visit.context));
  return pageAnswer(visit.context, drawChallenge(visit.context, waiting));
}

async function answerChallenge(visit: PageVisit): Promise<OpenAnswer> {
  const { options, context, request } = visit;
  const verdict = VERDICTS.find((known) => known === readFields(request).get('verdict'));
  const waiting = waitingIn(visit);
  if (waiting === undefined || verdict === undefined) return redirect(addressOf(context));
  const page = await authenticateOnPage(options, { ...payerOf(visit), waiting, verdict });
  return go(visit, nextAddress({ ...context, page }));
}

const VERDICTS = ['Approved', 'Declined', 'Cancelled'] as const;

/** Scripts go where they are told; a form's answer leads to pages of this service alone. */
function go({ request, context }: PageVisit, address: string): OpenAnswer {
  if (prefersJson(request)) return json({ outcome: 'Go', url: address });
  return redirect(address.startsWith('/') ? address : addressOf(alone(context), WAY_BACK));
}

/** A browser follows with a GET, so that loading the page again sends no form. */
function redirect(address: string): OpenAnswer {
  return {
    status: 303,
    headers: { location: address, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    body: '',
  };
}

function json(body: object): OpenAnswer {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}
