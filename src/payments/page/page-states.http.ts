import { html, type Markup } from '../../http/pages/markup.ts';
import { CARD_TRIES } from '../../kit/cards/card-payment-limits.ts';
import type { TestCard } from '../payments.types.ts';
import { menuForms } from './menu.http.ts';
import type { Menu } from './page.types.ts';
import { alertBox, type Sent, triesText } from './page-alert.http.ts';
import { addressOf, nameOf, type PageContext, say } from './page-context.http.ts';
import { cancelForm, NOTHING_SENT, payForm, summary, titleOf } from './page-form.http.ts';
import { drawOutcome } from './page-outcome.http.ts';
import type { Drawn } from './page-shell.http.ts';
import { bankShows, splitBox } from './split.http.ts';

/** Seconds between two looks at a payment whose outcome is not known yet, where no script does that. */
const REFRESH_SECONDS = 3;

/** The page as its payment is now. */
export function drawPage(context: PageContext): Drawn {
  const { state } = context.page;
  switch (state) {
    case 'ready':
    case 'declined':
      return drawForm(context, { faults: {}, fields: context.page.kept });
    case 'authentication':
      return drawAuthentication(context);
    case 'pending':
      return drawPending(context);
    default:
      return drawOutcome(context, state);
  }
}

/** The form, after a decline with what became of it; or what the payer has to correct. */
export function drawForm(context: PageContext, sent: Sent): Drawn {
  const { page, texts } = context;
  const isWrong = Object.keys(sent.faults).length > 0;
  return {
    state: page.state,
    title: isWrong ? `${texts.errorsTitle} – ${titleOf(context)}` : titleOf(context),
    ...(isWrong && { status: 422 }),
    ...(sent.stopped !== undefined && { status: 429 }),
    body: html`${summary(context)}
${page.menu === undefined ? payForm(context, sent) : menuBody(context, page.menu, sent)}
${bankRoom(context)}
${cancelForm(context)}
${context.isSandbox && page.menu?.instruments.includes('CreditCard') !== false && testCards(context)}`,
  };
}

/** The form where other means pay too. */
function menuBody(context: PageContext, menu: Menu, sent: Sent): Markup {
  return html`${alertBox(context, sent)}
${splitBox(context, menu, true)}
${menuForms(context, menu, sent)}`;
}

function drawAuthentication(context: PageContext): Drawn {
  const { texts, page } = context;
  return {
    state: 'authentication',
    title: `${texts.authenticationTitle} – ${titleOf(context)}`,
    body: html`${summary(context)}
${page.menu !== undefined && splitBox(context, page.menu, false)}
<div class="notice">
<h2>${texts.authenticationTitle}</h2>
<p>${texts.authentication} ${bankShows(context)}</p>
<form id="authenticate" method="post" action="${addressOf(context, '/authenticate')}">
<button id="continue" class="primary">${texts.authenticationButton}</button>
</form>
</div>
${bankRoom(context)}
${otherCard(context)}
${cancelForm(context)}`,
  };
}

/** Where the script shows the bank's challenge, in a frame of its own. */
function bankRoom(context: PageContext): Markup {
  const { texts } = context;
  return html`<section id="bank" hidden data-title="${texts.authenticationTitle}">
<h2>${texts.authenticationTitle}</h2>
<p id="bank-shows">${bankShows(context)}</p>
<button id="close-bank" class="quiet" type="button">${texts.cancelChallenge}</button>
</section>`;
}

/** The form for another card, which ends the try that waits; after the last try there is none. */
function otherCard(context: PageContext): Markup {
  const { texts, page } = context;
  const left = CARD_TRIES - page.payment.failedTries - 1;
  if (left === 0) return html`<p id="no-other">${texts.noOtherCard}</p>`;
  return html`<details class="other"><summary>${texts.otherCard}</summary>
<p>${texts.otherCardTry} ${triesText(context, left)}</p>
${payForm(context, NOTHING_SENT)}
${context.isSandbox && testCards(context)}
</details>`;
}

function drawPending(context: PageContext): Drawn {
  const { texts } = context;
  return {
    state: 'pending',
    title: texts.pendingTitle,
    refreshSeconds: REFRESH_SECONDS,
    body: html`<div class="outcome" role="status">
<span class="spinner" aria-hidden="true"></span>
<h1>${texts.pendingTitle}</h1>
<p>${texts.pending}</p>
<a id="refresh" class="secondary" href="${addressOf(context)}">${texts.refresh}</a>
</div>`,
  };
}

/** Cards to try a sandbox with. A number without its blanks is typed by the script where there is one. */
function testCards(context: PageContext): Markup {
  const { texts, page } = context;
  const row = (card: TestCard) => {
    const { number, brand, needsAuthentication, expiry, cvc } = card;
    const name = nameOf({ brand, lastFour: number.slice(-4) });
    return html`<li><span><span class="card-name">${brand}</span> <code>${number.replace(/(\d{4})(?=\d)/g, '$1 ')}</code>${needsAuthentication && html`<br><span class="soft">${texts.withChallenge}</span>`}</span>
<button class="quiet" type="button" hidden data-number="${number}" data-expiry="${expiry}" data-cvc="${cvc}" aria-label="${say(context, 'useTestCard', { card: name })}">${say(context, 'useTestCard', { card: '' }).trim()}</button></li>`;
  };
  return html`<details id="test-cards"><summary>${texts.testCards}</summary>
<p class="soft">${texts.testCardsHint}</p>
<ul>${page.testCards.map(row)}</ul>
</details>`;
}
