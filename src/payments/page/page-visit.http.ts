import { prefersJson } from '../../http/body/negotiate.ts';
import { refuseForeignForm } from '../../http/pages/form.ts';
import type { OpenAnswer, OpenRequest, OpenRoute } from '../../http/route.types.ts';
import type { Actor } from '../../kit/caller.ts';
import type { PayerOnPage } from '../pay.flow.ts';
import { findAgain, findPage, lookAt } from './open-page.ts';
import type { FoundPayment, OpenedPage, PageState } from './page.types.ts';
import { declineOf } from './page-alert.http.ts';
import {
  addressOf,
  alone,
  type Framing,
  type PageContext,
  type PageFrame,
  type PageRoutesOptions,
  pageFrame,
} from './page-context.http.ts';
import { pageAnswer } from './page-shell.http.ts';
import { drawForm } from './page-states.http.ts';
import { unknownPage } from './unknown-page.http.ts';

/** Where a browser without a script is led back to the payee: see `showWayBack`. */
export const WAY_BACK = '/back';

/** A request to the page of a payment that is there. */
export interface PageVisit {
  readonly options: PageRoutesOptions;
  readonly context: PageContext;
  readonly request: OpenRequest;
  readonly actor: Actor;
}

/** Answers a visit. */
export type Handle = (visit: PageVisit) => Promise<OpenAnswer> | OpenAnswer;

/** A request to a page whose payment was found, before what its payer sees is put together. */
export interface Arrival extends Omit<PageVisit, 'context'> {
  readonly found: FoundPayment;
  readonly frame: PageFrame;
}

/** Answers what needs no page, or only the one that is there afterwards; undefined where it is nothing of that. */
export type AnswerEarly = (arrival: Arrival) => Promise<OpenAnswer | undefined>;

/** How a request to a page is answered. */
export interface Answering {
  readonly early?: AnswerEarly | undefined;
  readonly handle: Handle;
}

/** Opens the page that a request is about. A form must come from the page itself, unless it is a bank's. */
export async function meet(
  options: PageRoutesOptions,
  {
    request,
    isFramed,
    method,
    isBanks = false,
  }: { request: OpenRequest; method: OpenRoute['method']; isBanks?: boolean } & Framing,
  { early, handle }: Answering,
): Promise<OpenAnswer> {
  const { payeeId = '', secret = '' } = request.params;
  const found = await findPage(options, { payeeId, secret });
  // A payment that no page may frame has no framed page.
  if (found === undefined || (isFramed && (found.view.payment.terms.urls.hostUrls ?? []).length === 0)) {
    return unknownPage(options.assets(), request);
  }
  if (method === 'POST' && !found.isOpen) return unknownPage(options.assets(), request);
  const mayBeForeign = method !== 'POST' || isBanks;
  const frame = pageFrame(options, request, { payment: found.view.payment, isFramed });
  const actor = { kind: 'payer', sessionId: request.sessionId } as const;
  if (early !== undefined && found.order !== undefined) {
    if (!mayBeForeign) refuseForeignForm(request, options.baseUrl());
    const answer = await early({ options, request, actor, found, frame });
    if (answer !== undefined) return answer;
  }
  const page = await lookAt(options, found, options.from(request.remoteAddress));
  if (page === undefined) return unknownPage(options.assets(), request);
  if (!mayBeForeign) refuseForeignForm(request, options.baseUrl());
  return handle({ options, context: { ...frame, page }, request, actor });
}

/** The visit whose page shows what an arrival has come to: as it is known to be, else as it is found now. */
export async function visitAfter(
  { options, request, actor, found, frame }: Arrival,
  after: FoundPayment | undefined,
): Promise<PageVisit | undefined> {
  const from = options.from(request.remoteAddress);
  const now = after ?? (await findAgain(options, found.view.payment));
  const page = await lookAt(options, now, from);
  return page && { options, request, actor, context: { ...frame, page } };
}

/** The payer who visits, as flows know them. */
export function payerOf({ options, context: { page }, request: { remoteAddress }, actor }: PageVisit): PayerOnPage {
  const address = options.isExempt(remoteAddress) ? undefined : remoteAddress;
  const { isFree } = options.from(remoteAddress);
  return { page, actor, address, isFree, device: address === undefined ? {} : { address } };
}

/** Whether there is nothing more to do for a payer. */
export const isOver = (state: PageState): boolean => state === 'paid' || state === 'failed';

/** What a payer is shown after a try: where they go, or why the card was not taken. */
export function afterTry(visit: PageVisit, page: OpenedPage, fields: ReadonlyMap<string, string>): OpenAnswer {
  const context = { ...visit.context, page };
  if (page.state !== 'declined') return go(visit, nextAddress(context));
  if (!prefersJson(visit.request)) return pageAnswer(context, drawForm(context, { faults: {}, fields }));
  return json({ outcome: 'Declined', ...declineOf(context), attempt: context.attempt });
}

/** Where a payer goes next: to the payee once it is over, but never inside of its frame. */
export function nextAddress(context: PageFrame & { readonly page: Pick<OpenedPage, 'state' | 'payment'> }): string {
  const { state, payment } = context.page;
  return (isOver(state) && !context.isFramed ? payment.terms.urls.completeUrl : undefined) ?? addressOf(context);
}

/** Scripts go where they are told; a form's answer leads to pages of this service alone. */
export function go(
  { request, context }: Pick<PageVisit, 'request'> & { readonly context: PageFrame },
  address: string,
): OpenAnswer {
  if (prefersJson(request)) return json({ outcome: 'Go', url: address });
  return redirect(address.startsWith('/') ? address : addressOf(alone(context), WAY_BACK));
}

/** A browser follows with a GET, so that loading the page again sends no form. */
export function redirect(address: string): OpenAnswer {
  return {
    status: 303,
    headers: { location: address, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    body: '',
  };
}

/** An answer for the page's script. */
export function json(body: object): OpenAnswer {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}
