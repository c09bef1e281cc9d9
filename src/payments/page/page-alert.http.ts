import type { PageTexts } from '../../../locales/page-texts.types.ts';
import { html, type Markup } from '../../http/pages/markup.ts';
import { CARD_TRIES } from '../../kit/cards/card-payment-limits.ts';
import type { CardProblemCode } from '../../kit/cards/card-problems.ts';
import type { Faults, FieldName, PageOutcome } from './page.types.ts';
import { type PageContext, say } from './page-context.http.ts';
import { writeTime } from './page-language.http.ts';

/** What a payer is told. */
export interface Said {
  readonly title: string;
  readonly message: string;
  /** Whether nothing went wrong: the payer has left it. */
  readonly isCalm?: boolean;
}

/** That no cards may be tried from the payer's network for a while, and what the payer can do. */
export function stoppedFor(context: PageContext, seconds: number, by: 'network' | 'payee'): Said {
  const message = say(context, by === 'payee' ? 'stoppedHere' : 'stopped', {
    minutes: String(Math.ceil(seconds / 60)),
  });
  return { title: context.texts.stoppedTitle, message };
}

/** That no gift card is taken: for so many seconds, or on this order. */
export function closedFor(context: PageContext, seconds: number | undefined): Said {
  const minutes = String(Math.ceil((seconds ?? 0) / 60));
  const message = say(context, seconds === undefined ? 'giftClosed' : 'giftClosedFor', { minutes });
  return { title: context.texts.meansGift, message };
}

/** What a payer is told of what did not go as they saw it; undefined where it did. */
export function saidOf({ texts }: PageContext, outcome: PageOutcome): Said | undefined {
  if (outcome === 'busy') return { title: texts.busyTitle, message: texts.busy, isCalm: true };
  if (outcome === 'changed') return { title: texts.changedTitle, message: texts.changed, isCalm: true };
  if (outcome === 'toomany') return { title: texts.meansGift, message: texts.giftTooMany, isCalm: true };
  return undefined;
}

/** What a form that came back is shown with. The number and the code are never shown again. */
export interface Sent {
  /** Why the card was not tried, where that has nothing to do with it. */
  readonly stopped?: Said;
  /** What else is to be told, that is no fault of a field. */
  readonly said?: Said | undefined;
  readonly faults: Faults;
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * Why the last card was not taken, in the payer's words. All other declines look alike: a stolen card and a suspicion of fraud
 * are told from no other.
 */
const DECLINED: Partial<Record<CardProblemCode, keyof PageTexts>> = {
  acquirerinsufficientfunds: 'declinedFunds',
  acquirercardexpired: 'declinedExpired',
  acquirerinvalidamount: 'declinedAmount',
  acquirergatewayerror: 'declinedTechnical',
  acquirergatewaytimeout: 'declinedTechnical',
  velocitycheck: 'declinedTooOften',
  '3dsecuredeclined': 'declinedAuthentication',
  '3dsecureusercancelled': 'cancelledAuthentication',
};

/** What became of the last try, and how many are left; undefined where none came to nothing. */
export function declineOf(context: PageContext): Said | undefined {
  const { page, texts } = context;
  const { problem = null, card = null } = page.transactions.at(-1) ?? {};
  if (problem === null) return undefined;
  const info = card?.cardholderInfo;
  const fromBank = info === undefined ? '' : ` ${say(context, 'bankSays', { info })}`;
  return {
    // A payer who goes back was not refused anything.
    isCalm: page.isEndedByPayer,
    title: page.isEndedByPayer ? texts.cancelledTitle : texts.declinedTitle,
    message: `${texts[DECLINED[problem] ?? 'declined']}${fromBank} ${triesText(context, CARD_TRIES - page.payment.failedTries)}${keptText(context)}`,
  };
}

/** Until when the gift cards are kept that are to pay the other part. */
function keptText(context: PageContext): string {
  const { keptUntil } = context.page.menu ?? {};
  return keptUntil === undefined ? '' : ` ${say(context, 'keptUntil', { time: writeTime(context.locale, keptUntil) })}`;
}

/** How many tries a payer has left. */
export function triesText(context: PageContext, left: number): string {
  return left === 1 ? context.texts.lastTry : say(context, 'triesLeft', { count: String(left) });
}

/**
 * The one place that says what is wrong: with the fields, each with a link to its own, or with the last try. It is there
 * without either too, for the script to fill.
 */
export function alertBox(context: PageContext, { faults, fields, stopped, said }: Sent): Markup {
  const { page, texts } = context;
  const wrong = Object.entries(faults) as [FieldName, keyof PageTexts][];
  const isWrong = wrong.length > 0;
  const decline = stopped ?? said ?? (isWrong || page.state !== 'declined' ? undefined : declineOf(context));
  const again = (isWrong || decline !== undefined) && fields.has('number') ? texts.enterAgain : '';
  const line = ([name, fault]: [FieldName, keyof PageTexts]) =>
    html`<li data-field="${name}"><a href="#${name === 'card' ? 'card-0' : name}">${texts[fault]}</a></li>`;
  return html`<div id="alert" class="alert${decline?.isCalm === true && ' calm'}" role="alert" tabindex="-1" data-about="${isWrong ? 'fields' : 'payment'}"${!isWrong && decline === undefined && html` hidden`}>
<h2 id="alert-title">${isWrong ? texts.errorsTitle : decline?.title}</h2>
<p id="alert-text">${decline?.message}</p>
<ul>${wrong.map(line)}</ul>
<p id="alert-again">${again}</p>
</div>`;
}
