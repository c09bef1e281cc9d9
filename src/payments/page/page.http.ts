import { prefersJson } from '../../http/body/negotiate.ts';
import { readFields } from '../../http/pages/form.ts';
import type { OpenAnswer, OpenRoute } from '../../http/route.types.ts';
import { CARD_DECLINES_OF_NETWORK_SECONDS } from '../../kit/cards/card-payment-limits.ts';
import { Refusal } from '../../kit/errors.ts';
import { leavePage, type PaidOnPage, payOnPage } from '../pay.flow.ts';
import { authenticate, beginAuthentication, finish, showChallenge, showMethod } from './authentication.http.ts';
import { readSeen, seenIn } from './menu.rules.ts';
import { addGiftCard, lookAgain, noteSelected, payByGiftCards, removeGiftCard } from './menu-actions.http.ts';
import type { Faults, Menu, OpenedPage, PageState } from './page.types.ts';
import { saidOf, stoppedFor } from './page-alert.http.ts';
import { addressOf, alone, type PageRoutesOptions } from './page-context.http.ts';
import { drawRemoval, drawWayBack } from './page-outcome.http.ts';
import { pageAnswer } from './page-shell.http.ts';
import { canBePaid } from './page-state.rules.ts';
import { drawForm, drawPage } from './page-states.http.ts';
import {
  type AnswerEarly,
  afterTry,
  go,
  type Handle,
  isOver,
  json,
  meet,
  type PageVisit,
  payerOf,
  redirect,
  WAY_BACK,
} from './page-visit.http.ts';
import { removeStoredCard } from './remove-stored-card.ts';
import { menuNews } from './split.http.ts';
import { troublePage } from './unknown-page.http.ts';

/** Where the page of a payment is: see `pageLink`. */
const PAGE = '/pay/:payeeId/:secret';

/** The page that a payer pays on, by itself and inside a page of the payee's. */
export function pageRoutes(options: PageRoutesOptions): OpenRoute[] {
  return [PAGE, `${PAGE}/frame`].flatMap((path) => {
    const at = (method: OpenRoute['method'], suffix: string, handle: Handle, early?: AnswerEarly): OpenRoute => ({
      method,
      path: `${path}${suffix}`,
      limit: 'page',
      handle: (request) => meet(options, { request, isFramed: path !== PAGE, method }, { early, handle }),
      explain: (request, status) => troublePage(options.assets(), request, status),
    });
    return [
      at('GET', '', show),
      at('POST', '', pay, payByGiftCards),
      at('POST', '/cancel', leave),
      at('POST', '/remove', remove),
      at('POST', '/selected', ofMenu(noteSelected)),
      at('POST', '/gift-card', ({ context }) => redirect(addressOf(context)), addGiftCard),
      at('POST', '/gift-card/remove', ofMenu(removeGiftCard)),
      at('GET', '/method', showMethod),
      at('POST', '/authenticate', authenticate),
      at('GET', '/challenge', showChallenge),
      at('POST', '/finish', finish),
      at('GET', '/state', showState),
      at('GET', WAY_BACK, showWayBack),
    ];
  });
}

async function show({ options, context }: PageVisit): Promise<OpenAnswer> {
  const { menu, state, payment } = context.page;
  if (menu?.wasOpened === false && canBePaid(state)) await options.orders?.().noteOpened(payment, context);
  // Nothing on it was chosen by the request. What answers a form is not packed: it shows what was typed.
  return { ...pageAnswer(context, drawPage(context)), packing: 'now' };
}

/** What only the page of an order has: any other is shown as it is. */
function ofMenu(handle: Handle): Handle {
  return (visit) => (visit.context.page.menu === undefined ? redirect(addressOf(visit.context)) : handle(visit));
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
  const isCancelled = isLeft(state) || isOrderLeft(context.page);
  const address = isOver(state) ? completeUrl : isCancelled ? cancelUrl : undefined;
  if (address === undefined) return redirect(addressOf(context));
  return pageAnswer(context, drawWayBack(context, address));
}

/** Whether no try is under way, so that a payer who leaves is not charged. */
const isLeft = (state: PageState): boolean => state === 'ready' || state === 'declined';

/** An order ends when its payer leaves it; a payment by itself does not. */
const isOrderLeft = ({ menu, state, isEndedByPayer }: OpenedPage): boolean =>
  menu !== undefined && state === 'aborted' && isEndedByPayer;

async function pay(visit: PageVisit): Promise<OpenAnswer> {
  const { options, context, request } = visit;
  const fields = readFields(request);
  const { menu } = context.page;
  const seen = menu && (readSeen(fields.get('seen')) ?? { legs: [], card: menu.total });
  const paid = await payOnPage(options, { ...payerOf(visit), fields, seen });
  switch (paid.outcome) {
    case 'Stopped':
      return stop(visit, paid, fields);
    case 'Invalid':
      return invalid(visit, paid.faults, fields);
    case 'Overtaken':
      return menu === undefined ? go(visit, addressOf(context)) : overtaken(visit, menu, fields);
    default:
      if (paid.page.state === 'authentication') return beginAuthentication(visit, paid.page, fields);
      return afterTry(visit, menu === undefined ? paid.page : (await lookAgain(visit)).page, fields);
  }
}

/** What became of the page of an order that another window was faster on: the new amounts, where these have changed. */
async function overtaken(visit: PageVisit, before: Menu, fields: ReadonlyMap<string, string>): Promise<OpenAnswer> {
  const context = await lookAgain(visit);
  const { menu, state } = context.page;
  const isSame = menu === undefined || seenIn(menu) === (fields.get('seen') ?? seenIn(before));
  if (menu === undefined || isSame || !isLeft(state)) return go(visit, addressOf(context));
  const said = saidOf(context, 'changed');
  if (!prefersJson(visit.request)) return pageAnswer(context, drawForm(context, { faults: {}, fields, said }));
  return json({ outcome: 'changed', menu: menuNews(context, menu), ...said, attempt: context.attempt });
}

type Stopped = Extract<PaidOnPage, { readonly outcome: 'Stopped' }>;

/** Tells a payer that this card is not tried for a while: none is from their network, or only with an authentication here. */
function stop(
  { context, request }: PageVisit,
  { by, retryAfterSeconds: seconds = CARD_DECLINES_OF_NETWORK_SECONDS }: Stopped,
  fields: ReadonlyMap<string, string>,
): OpenAnswer {
  const stopped = stoppedFor(context, seconds, by);
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

/**
 * Leads a payer who does not want to pay back to the payee, but only where that is certain: while a try runs, or after it
 * has succeeded, they are shown that instead.
 */
async function leave(visit: PageVisit): Promise<OpenAnswer> {
  const { options, request, actor } = visit;
  const left = await leavePage(options, { page: visit.context.page, fields: readFields(request), actor });
  const page = left.menu !== undefined && isLeft(left.state) ? await cancelOrder(visit, left) : left;
  const { cancelUrl } = page.payment.terms.urls;
  if (cancelUrl === undefined || !(isLeft(page.state) || isOrderLeft(page))) {
    // Without a script the whole window comes here, also from a frame.
    return go(visit, prefersJson(request) ? addressOf(visit.context) : addressOf(alone(visit.context)));
  }
  return prefersJson(request)
    ? json({ outcome: 'Left', url: cancelUrl, attempt: visit.context.attempt })
    : go(visit, cancelUrl);
}

/** Ends an order whose payer does not want to pay it: unless it is being paid just now, which the page then shows. */
async function cancelOrder(visit: PageVisit, page: OpenedPage): Promise<OpenedPage> {
  const { options, actor, request } = visit;
  try {
    await options.orders?.().cancel({ payment: page.payment, actor, ...options.from(request.remoteAddress) });
  } catch (error) {
    if (!(error instanceof Refusal && (error.code === 'forbidden' || error.code === 'conflict'))) throw error;
  }
  return (await lookAgain(visit)).page;
}

/** Removes a stored card once its payer has confirmed it. One that is not offered any more needs no question. */
async function remove({ options, context, request, actor }: PageVisit): Promise<OpenAnswer> {
  const { page } = context;
  const fields = readFields(request);
  const token = fields.get('token') ?? '';
  const card = page.storedCards.find((offered) => offered.token === token);
  if (card !== undefined && !fields.has('confirmed')) return pageAnswer(context, drawRemoval(context, card));
  const { transact } = options;
  await transact((transaction) => removeStoredCard(transaction, { page, token, actor }));
  return redirect(addressOf(context));
}
