import type { PageTexts } from '../../../locales/page-texts.types.ts';
import { html, type Markup } from '../../http/pages/markup.ts';
import { approvedOf } from '../payment-state.rules.ts';
import type { CardTransaction } from '../payments.types.ts';
import { brandMark, brandSprite } from './brand-marks.http.ts';
import { isCovered } from './menu.rules.ts';
import type { Menu, PageState, StoredCard } from './page.types.ts';
import { addressOf, amountIn, amountShown, nameOf, type PageContext, say } from './page-context.http.ts';
import { writeDate } from './page-language.http.ts';
import type { Drawn } from './page-shell.http.ts';
import { paidRows } from './split.http.ts';

type Outcome = Extract<PageState, 'paid' | 'failed' | 'aborted' | 'expired'>;

/** How a payment ended, and the way back. */
export function drawOutcome(context: PageContext, state: Outcome): Drawn {
  const { page, texts, isFramed } = context;
  const { completeUrl, cancelUrl } = page.payment.terms.urls;
  const paid = approvedOf(page);
  const { undone } = page;
  const [title, text] = wordsOf(context, state, paid);
  const back = state === 'aborted' && page.isEndedByPayer ? (cancelUrl ?? completeUrl) : completeUrl;
  return {
    state,
    title: texts[title],
    body: html`<div class="outcome">
${state === 'paid' && undone === undefined ? TICK : MARK}
<h1>${texts[title]}</h1>
<p>${say(context, text, undone === 'Reversed' ? { amount: amountIn(context, page.menu?.reversed ?? page.payment.reversed) } : {})}</p>
${page.menu?.paidAt !== undefined ? receiptOfOrder(context, page.menu, paid) : paid !== undefined && receipt(context, paid)}
${back !== undefined && html`<a id="back" class="primary" href="${back}"${isFramed && html` target="_top"`}>${say(context, 'backToMerchant')}</a>`}
</div>`,
  };
}

type Words = readonly [title: keyof PageTexts, text: keyof PageTexts];

function wordsOf({ page }: PageContext, state: Outcome, paid: CardTransaction | undefined): Words {
  if (state === 'paid' && page.payment.operation === 'Verify') {
    return paid !== undefined && paid.tokens.length > 0 ? ['savedTitle', 'saved'] : ['checkedTitle', 'checked'];
  }
  if (page.undone !== undefined)
    return page.undone === 'Reversed' ? ['refundedTitle', refundedText(page.menu)] : ['abortedTitle', 'aborted'];
  if (page.isEndedByPayer && state === 'aborted') return ['abortedByPayerTitle', 'abortedByPayer'];
  if (page.isEndedByPayer && state === 'failed') return ['failedTitle', 'failedCancelled'];
  return [`${state}Title`, state];
}

/** What is on a gift card again is there at once. */
const refundedText = (menu: Menu | undefined): keyof PageTexts =>
  menu !== undefined && isCovered(menu) ? 'refundedToGift' : 'refunded';

/** What a payer may need to find the payment again: in the shop, and among what their bank shows. */
function receipt(context: PageContext, { card, updatedAt }: CardTransaction): Markup {
  const { page, texts, locale } = context;
  const { number, operation, reversed, terms } = page.payment;
  const { orderReference, payeeReference } = terms.payeeInfo;
  const brand = card?.cardBrand ?? '';
  const row = (label: string, value: string | Markup) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  return html`${brandSprite([brand])}
<dl class="facts">
${row(texts.reference, orderReference ?? payeeReference ?? String(number))}
${row(texts.paidOn, html`<time datetime="${updatedAt}">${writeDate(locale, updatedAt)}</time>`)}
${card !== null && row(texts.challengeCard, html`${brandMark(brand)} ${nameOf({ brand, lastFour: card.maskedPan.slice(-4) })}`)}
${operation !== 'Verify' && page.undone !== 'Cancelled' && row(texts.amount, amountShown(context))}
${reversed > 0 && row(texts.refundedAmount, amountIn(context, reversed))}
</dl>`;
}

/** The same of an order: what each means has paid of it, and what is left on gift cards. */
function receiptOfOrder(context: PageContext, menu: Menu, paid: CardTransaction | undefined): Markup {
  const { page, texts, locale } = context;
  const { number, terms } = page.payment;
  const { orderReference, payeeReference } = terms.payeeInfo;
  const { paidAt = '', total, byCard, reversed } = menu;
  const card = paid?.card ?? undefined;
  const brand = card?.cardBrand ?? '';
  const row = (label: string | Markup, value: string | Markup) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
  const byThisCard = html`${brandMark(brand)} ${nameOf({ brand, lastFour: card?.maskedPan.slice(-4) ?? '' })}`;
  return html`${brandSprite([brand])}
<dl class="facts">
${row(texts.reference, orderReference ?? payeeReference ?? String(number))}
${row(texts.paidOn, html`<time datetime="${paidAt}">${writeDate(locale, paidAt)}</time>`)}
${paidRows(context, menu).map(([label, value]) => row(label, value))}
${card !== undefined && row(byThisCard, amountIn(context, byCard))}
${row(texts.amount, amountIn(context, total))}
${reversed > 0 && row(texts.refundedAmount, amountIn(context, reversed))}
</dl>`;
}

/** Leads back to the payee, with a link for a browser that does not go on by itself. */
export function drawWayBack(context: PageContext, address: string): Drawn {
  const title = say(context, 'leavingTitle');
  return {
    state: 'leaving',
    title,
    goesOnTo: address,
    body: html`<div class="outcome">
<h1>${title}</h1>
<a id="back" class="primary" href="${address}">${say(context, 'backToMerchant')}</a>
</div>`,
  };
}

/** Asks a payer whether a stored card is to be removed, before it is. */
export function drawRemoval(context: PageContext, card: StoredCard): Drawn {
  const { texts } = context;
  const title = say(context, 'removeTitle', { card: nameOf(card) });
  return {
    state: 'removal',
    title,
    body: html`${brandSprite([card.brand])}
<div class="outcome">
${brandMark(card.brand)}
<h1>${title}</h1>
<p>${say(context, 'removeText')}</p>
<form id="removal" method="post" action="${addressOf(context, '/remove')}">
<input type="hidden" name="token" value="${card.token}">
<button id="confirm-removal" class="primary danger" name="confirmed" value="yes">${texts.removeConfirm}</button>
</form>
<a id="keep" class="secondary" href="${addressOf(context)}">${texts.keep}</a>
</div>`,
  };
}

/** A round tick. */
const TICK: Markup = html`<svg class="sign good" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="M15 24.5l6.5 6.5L34 18"/></svg>`;
/** A round exclamation mark: something ended otherwise. */
export const MARK: Markup = html`<svg class="sign" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="M24 14v13m0 7v.5"/></svg>`;
