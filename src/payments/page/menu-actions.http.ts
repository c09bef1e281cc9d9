import { prefersJson } from '../../http/body/negotiate.ts';
import { readFields } from '../../http/pages/form.ts';
import type { OpenAnswer } from '../../http/route.types.ts';
import { assert } from '../../kit/assert.ts';
import { GIFT_FAULTS, readEntry, readSeen } from './menu.rules.ts';
import { openAgain } from './open-page.ts';
import type { Faults, Menu, MenuAnswer, OrderPages, PageOutcome, PayerAtMenu } from './page.types.ts';
import { closedFor, saidOf } from './page-alert.http.ts';
import { addressOf, type PageContext } from './page-context.http.ts';
import { keyOfForm } from './page-form.rules.ts';
import { pageAnswer } from './page-shell.http.ts';
import { drawForm } from './page-states.http.ts';
import { go, json, nextAddress, type PageVisit, redirect } from './page-visit.http.ts';
import { giftNews, menuNews } from './split.http.ts';

// What a payer does at the menu of an order's page. The answer is a page, or for the script what has changed on it.

/** What is typed and is not to be told to anyone else. */
const NOTHING: ReadonlyMap<string, string> = new Map();

/** Adds a gift card that the payer has entered. */
export async function addGiftCard(visit: PageVisit): Promise<OpenAnswer> {
  const read = readEntry(readFields(visit.request));
  if (read.faults !== undefined) return invalid(visit, 'notusable', read.faults);
  const { orders, payer } = portOf(visit);
  const { number, code, proof } = read;
  const answer = await orders.add({ ...payer, number, code, proof });
  const fault = GIFT_FAULTS[answer.outcome];
  if (fault !== undefined && answer.outcome !== 'toomany') {
    return invalid(visit, answer.outcome, { giftNumber: fault });
  }
  return follow(visit, answer, 'giftAdded');
}

/** Takes a gift card away that the payer does not want to pay with. */
export async function removeGiftCard(visit: PageVisit): Promise<OpenAnswer> {
  const { orders, payer } = portOf(visit);
  const legId = readFields(visit.request).get('leg') ?? '';
  return follow(visit, await orders.remove({ ...payer, legId }), 'giftRemoved');
}

/** Pays with gift cards alone. */
export async function payByGiftCards(visit: PageVisit, fields: ReadonlyMap<string, string>): Promise<OpenAnswer> {
  const { orders, payer } = portOf(visit);
  const seen = readSeen(fields.get('seen'));
  if (seen === undefined) return redirect(addressOf(visit.context));
  return follow(visit, await orders.pay({ ...payer, seen, key: keyOfForm(fields) }), undefined);
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

/** Answers with the page as it is now. */
async function follow(
  visit: PageVisit,
  { outcome, retryAfterSeconds }: MenuAnswer,
  news: 'giftAdded' | 'giftRemoved' | undefined,
): Promise<OpenAnswer> {
  const before = visit.context.page.menu;
  const context = await lookAgain(visit);
  const { menu, state } = context.page;
  const now = { ...visit, context };
  if (menu === undefined || (state !== 'ready' && state !== 'declined')) return go(now, nextAddress(context));
  if (outcome === 'closed') return closed(now, menu, retryAfterSeconds);
  const said = saidOf(context, outcome);
  if (!prefersJson(visit.request)) {
    if (said === undefined) return redirect(addressOf(context));
    return pageAnswer(context, drawForm(context, { faults: {}, fields: NOTHING, said }));
  }
  const card = news === undefined ? undefined : changedCard(before, menu, news);
  return json({
    outcome,
    menu: menuNews(context, menu),
    ...(card !== undefined && news !== undefined && { announce: giftNews(context, news, card) }),
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
async function invalid(visit: PageVisit, outcome: PageOutcome, faults: Faults): Promise<OpenAnswer> {
  const { context, request } = visit;
  if (!prefersJson(request)) {
    const now = await lookAgain(visit);
    return pageAnswer(now, { ...drawForm(now, { faults, fields: NOTHING }), status: 200 });
  }
  const errors = Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, context.texts[fault]]));
  return json({ outcome, errors });
}

/** The page as its order is now. */
export async function lookAgain({ options, context, request }: PageVisit): Promise<PageContext> {
  return { ...context, page: await openAgain(options, context.page, options.from(request.remoteAddress)) };
}

/** The gift card that came, as it is now; or the one that went, as it was. */
function changedCard(before: Menu | undefined, after: Menu, news: 'giftAdded' | 'giftRemoved') {
  const [these, those] = news === 'giftAdded' ? [after, before] : [before, after];
  return these?.giftCards.find(({ legId }) => those?.giftCards.every((card) => card.legId !== legId));
}
