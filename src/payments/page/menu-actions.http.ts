import { prefersJson } from '../../http/body/negotiate.ts';
import { readFields } from '../../http/pages/form.ts';
import type { OpenAnswer } from '../../http/route.types.ts';
import { assert } from '../../kit/assert.ts';
import { GIFT_FAULTS, readEntry, readSeen } from './menu.rules.ts';
import { openAgain } from './open-page.ts';
import type {
  Faults,
  Menu,
  MenuAnswer,
  OrderAtPage,
  OrderPages,
  PageOutcome,
  PayerAtMenu,
  ShownGiftCard,
} from './page.types.ts';
import { closedFor, saidOf } from './page-alert.http.ts';
import { addressOf, type PageContext } from './page-context.http.ts';
import { keyOfForm } from './page-form.rules.ts';
import { pageAnswer } from './page-shell.http.ts';
import { drawForm } from './page-states.http.ts';
import { type Arrival, go, json, nextAddress, type PageVisit, redirect, visitAfter } from './page-visit.http.ts';
import { giftNews, menuNews } from './split.http.ts';

// What a payer does at the menu of an order's page. The answer is a page, or for the script what has changed on it.

/** What is typed and is not to be told to anyone else. */
const NOTHING: ReadonlyMap<string, string> = new Map();

/** Adds a gift card that the payer has entered. The page is put together once: as it is afterwards. */
export async function addGiftCard(arrival: Arrival): Promise<OpenAnswer | undefined> {
  const { options, request, actor, found } = arrival;
  const read = readEntry(readFields(request));
  if (read.faults !== undefined) return invalid(arrival, 'notusable', read.faults);
  const { number, code } = read;
  const payer = { actor, ...options.from(request.remoteAddress) };
  const order = orderOf(found);
  const answer = await order.add({ ...payer, number, code });
  const fault = GIFT_FAULTS[answer.outcome];
  if (fault !== undefined && answer.outcome !== 'toomany') {
    return invalid(arrival, answer.outcome, { giftNumber: fault });
  }
  const visit = await visitAfter(arrival, answer.after);
  const card = visit?.context.page.menu?.giftCards.find(({ legId }) => !order.legIds.includes(legId));
  return visit && follow(visit, answer, card && { text: 'giftAdded', card });
}

/** Takes a gift card away that the payer does not want to pay with. */
export async function removeGiftCard(visit: PageVisit): Promise<OpenAnswer> {
  const { orders, payer } = portOf(visit);
  const legId = readFields(visit.request).get('leg') ?? '';
  const answer = await orders.remove({ ...payer, legId });
  const context = await lookAgain(visit);
  const left = context.page.menu?.giftCards ?? [];
  const card = visit.context.page.menu?.giftCards.find((one) => left.every((other) => other.legId !== one.legId));
  return follow({ ...visit, context }, answer, card && { text: 'giftRemoved', card });
}

/** Pays with gift cards alone; undefined where the form says another means. What is paid leads on, and shows no page. */
export async function payByGiftCards(arrival: Arrival): Promise<OpenAnswer | undefined> {
  const { options, request, actor, found, frame } = arrival;
  const fields = readFields(request);
  if (fields.get('means') !== 'GiftCard') return undefined;
  const seen = readSeen(fields.get('seen'));
  if (seen === undefined) return redirect(addressOf(frame));
  const payer = { actor, ...options.from(request.remoteAddress) };
  const answer = await orderOf(found).pay({ ...payer, seen, key: keyOfForm(fields) });
  if (answer.isPaid) {
    const paid = { ...frame, page: { state: 'paid', payment: found.view.payment } } as const;
    return go({ request, context: frame }, nextAddress(paid));
  }
  const visit = await visitAfter(arrival, answer.after);
  return visit && follow(visit, answer);
}

function orderOf({ order }: Arrival['found']): OrderAtPage {
  assert(order !== undefined, 'only a payment of an order has a menu');
  return order;
}

/** Notes which means of payment the payer has opened. There is nothing to show for it. */
export async function noteSelected(visit: PageVisit): Promise<OpenAnswer> {
  const { orders } = portOf(visit);
  const { menu, payment } = visit.context.page;
  const wanted = readFields(visit.request).get('means');
  const instrument = menu?.instruments.find((offered) => offered === wanted);
  if (instrument !== undefined) await orders.noteSelected(payment, instrument);
  return json({ outcome: 'ok' });
}

/** What the page asks of orders, and for whom. A page without an order has no menu, and no form that leads here. */
function portOf({ options, context, actor, request }: PageVisit): { orders: OrderPages; payer: PayerAtMenu } {
  const { payment } = context.page;
  assert(options.orders !== undefined && context.page.menu !== undefined, 'only an order has a menu');
  return { orders: options.orders(), payer: { payment, actor, ...options.from(request.remoteAddress) } };
}

/** What is said aloud: which gift card came, or went. */
interface News {
  readonly text: 'giftAdded' | 'giftRemoved';
  readonly card: ShownGiftCard;
}

/** Answers with the page as it is now. */
function follow(visit: PageVisit, { outcome, retryAfterSeconds }: MenuAnswer, news?: News): OpenAnswer {
  const { context } = visit;
  const { menu, state } = context.page;
  if (menu === undefined || (state !== 'ready' && state !== 'declined')) return go(visit, nextAddress(context));
  if (outcome === 'closed') return closed(visit, menu, retryAfterSeconds);
  const said = saidOf(context, outcome);
  if (!prefersJson(visit.request)) {
    if (said === undefined) return redirect(addressOf(context));
    return pageAnswer(context, drawForm(context, { faults: {}, fields: NOTHING, said }));
  }
  return json({
    outcome,
    menu: menuNews(context, menu),
    ...(news !== undefined && { announce: giftNews(context, news.text, news.card) }),
    ...said,
    attempt: context.attempt,
  });
}

/** That no gift card is taken for a while, or on this order any more: nothing was looked up. */
function closed({ context, request }: PageVisit, menu: Menu, retryAfterSeconds: number | undefined): OpenAnswer {
  const said = closedFor(context, retryAfterSeconds);
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  const answer = prefersJson(request)
    ? json({ outcome: 'closed', ...said, menu: menuNews(context, menu) })
    : pageAnswer(context, drawForm(context, { faults: {}, fields: NOTHING, said }));
  return { ...answer, status: 429, headers: { ...answer.headers, ...headers } };
}

/** What is wrong with an entry. The script is answered without anything that differs from one entry to the next. */
async function invalid(arrival: Arrival, outcome: PageOutcome, faults: Faults): Promise<OpenAnswer | undefined> {
  const { frame, request } = arrival;
  if (!prefersJson(request)) {
    const now = (await visitAfter(arrival, undefined))?.context;
    return now && pageAnswer(now, { ...drawForm(now, { faults, fields: NOTHING }), status: 200 });
  }
  const errors = Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, frame.texts[fault]]));
  return json({ outcome, errors });
}

/** The page as its order is now. */
export async function lookAgain({ options, context, request }: PageVisit): Promise<PageContext> {
  return { ...context, page: await openAgain(options, context.page, options.from(request.remoteAddress)) };
}
