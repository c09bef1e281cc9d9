import type { PageTexts } from '#locales/page-texts.types';
import { html, type Markup } from '../http/markup.ts';
import type { CardProblemCode } from '../kit/card-problems.ts';
import { CARD_TRIES } from '../kit/limits.ts';
import type { PageState } from './page.types.ts';
import { addressOf, type PageContext, say } from './page-context.http.ts';
import { NOTHING_SENT, payForm, type Sent, summary, titleOf } from './page-form.http.ts';
import type { Drawn } from './page-shell.http.ts';

/** Seconds between two looks at a payment whose outcome is not known yet, where no script does that. */
const REFRESH_SECONDS = 3;

/** The page as its payment is now. */
export function drawPage(context: PageContext): Drawn {
  const { state } = context.page;
  switch (state) {
    case 'ready':
    case 'declined':
      return drawForm(context, NOTHING_SENT);
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
    body: html`${summary(context)}
<div id="declined" class="alert" role="alert" tabindex="-1"${page.state !== 'declined' && html` hidden`}>
<h2>${texts.declinedTitle}</h2>
<p id="declined-text">${declinedText(context)}</p>
${sent.fields.size > 0 && !isWrong && html`<p>${texts.enterAgain}</p>`}
</div>
${payForm(context, sent)}`,
  };
}

/** Why the last card was not taken, in the payer's words. A stolen card and a suspicion are told from no other decline. */
const DECLINED: Readonly<Record<CardProblemCode, keyof PageTexts>> = {
  carddeclined: 'declined',
  acquirercardstolen: 'declined',
  acquirerpossiblefraud: 'declined',
  acquirerinsufficientfunds: 'declinedFunds',
  acquirercardexpired: 'declinedExpired',
  acquirerinvalidamount: 'declinedAmount',
  acquirererror: 'declined',
  acquirergatewayerror: 'declinedTechnical',
  acquirergatewaytimeout: 'declinedTechnical',
  velocitycheck: 'declinedTooOften',
  '3dsecuredeclined': 'declinedAuthentication',
  '3dsecureusercancelled': 'cancelledAuthentication',
};

/** What became of the last try, and how many are left; empty where none was declined. */
export function declinedText(context: PageContext): string {
  const { payment, transactions } = context.page;
  const problem = transactions.at(-1)?.problem;
  if (problem == null) return '';
  return `${context.texts[DECLINED[problem]]} ${triesText(context, CARD_TRIES - payment.failedTries)}`;
}

function triesText(context: PageContext, left: number): string {
  return left === 1 ? context.texts.lastTry : say(context, 'triesLeft', { count: String(left) });
}

function drawAuthentication(context: PageContext): Drawn {
  const { texts } = context;
  return {
    state: 'authentication',
    title: `${texts.authenticationTitle} – ${titleOf(context)}`,
    body: html`${summary(context)}
<div class="notice">
<h2>${texts.authenticationTitle}</h2>
<p>${texts.authentication}</p>
<a id="continue" class="primary" href="${addressOf(context, '/challenge')}">${texts.authenticationButton}</a>
</div>
${otherCard(context)}`,
  };
}

/** The form for another card, which ends the try that waits; after the last try there is none. */
function otherCard(context: PageContext): Markup {
  const { texts, page } = context;
  const left = CARD_TRIES - page.payment.failedTries - 1;
  if (left === 0) return html`<p id="no-other">${texts.noOtherCard}</p>`;
  return html`<details class="other"><summary>${texts.otherCard}</summary>
<p>${texts.otherCardTry} ${triesText(context, left)}</p>
${payForm(context, NOTHING_SENT)}
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

type Outcome = Extract<PageState, 'paid' | 'failed' | 'aborted' | 'expired'>;

/** How a payment ended, and the way back. */
function drawOutcome(context: PageContext, state: Outcome): Drawn {
  const { texts, isFramed } = context;
  const { operation, terms } = context.page.payment;
  const name = state === 'paid' && operation === 'Verify' ? 'saved' : state;
  const title = texts[`${name}Title`];
  const { completeUrl } = terms.urls;
  return {
    state,
    title,
    body: html`<div class="outcome">
${state === 'paid' ? TICK : MARK}
<h1>${title}</h1>
<p>${say(context, name)}</p>
${completeUrl !== undefined && html`<a id="back" class="primary" href="${completeUrl}"${isFramed && html` target="_top"`}>${say(context, 'backToMerchant')}</a>`}
</div>`,
  };
}

/** A round tick. */
const TICK: Markup = html`<svg class="sign good" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="M15 24.5l6.5 6.5L34 18"/></svg>`;
/** A round exclamation mark: something ended otherwise. */
export const MARK: Markup = html`<svg class="sign" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="M24 14v13m0 7v.5"/></svg>`;
