import { html, type Markup } from '../../http/pages/markup.ts';
import { brandMark, DRAWN_BRANDS } from './brand-marks.http.ts';
import { isCovered, openedMeans, seenIn, takesGiftCard } from './menu.rules.ts';
import type { Menu, MenuInstrument } from './page.types.ts';
import type { Sent } from './page-alert.http.ts';
import { addressOf, type PageContext, say } from './page-context.http.ts';
import { cardForm, termsLine, textField } from './page-form.http.ts';

/** The menu: each means of payment with its form. One alone stands open, without a menu. */
export function menuForms(context: PageContext, menu: Menu, sent: Sent): Markup {
  const { page, texts } = context;
  const covered = isCovered(menu);
  const opened = sent.faults.giftNumber ?? sent.faults.giftCode;
  const open = opened === undefined ? openedMeans(menu, page.state === 'declined' || hasFaults(sent)) : 'GiftCard';
  const isMenu = menu.instruments.length > 1;
  const section = (means: MenuInstrument) => {
    const form = means === 'CreditCard' ? cardForm(context, sent) : giftForm(context, menu, sent);
    const isHidden = means === 'CreditCard' ? covered : isMenu && covered;
    if (!isMenu) return html`<div id="means-${means}"${isHidden && html` hidden`}>${form}</div>`;
    return html`<details class="means" id="means-${means}" name="means" data-means="${means}"${means === open && html` open`}${isHidden && html` hidden`}>
<summary><span>${texts[means === 'CreditCard' ? 'meansCard' : 'meansGift']}</span>${means === 'CreditCard' && marks(context)}</summary>
<div class="means-form">${form}</div>
</details>`;
  };
  return html`${isMenu && html`<h2 id="means-title" class="means-title"${covered && html` hidden`}>${texts.meansTitle}</h2>`}
<div class="menu"${isMenu && html` data-selected="${addressOf(context, '/selected')}"`}>${menu.instruments.map(section)}</div>
${menu.instruments.includes('GiftCard') && payByGiftCards(context, menu)}`;
}

const hasFaults = ({ faults }: Sent): boolean => Object.keys(faults).length > 0;

/** Marks on the card's line: as many as a phone has room for. */
const MARKS_SHOWN = 3;

function marks({ page }: PageContext): Markup {
  const shown = DRAWN_BRANDS.filter((brand) => page.brands.includes(brand)).slice(0, MARKS_SHOWN);
  return html`<span class="marks" aria-hidden="true">${shown.map(brandMark)}</span>`;
}

/** Where a gift card is entered. Number and code are always asked for, and never shown again. */
function giftForm(context: PageContext, menu: Menu, sent: Sent): Markup {
  const { texts } = context;
  const field = {
    fault: sent.faults.giftNumber,
    attributes: html`inputmode="numeric" autocomplete="off" maxlength="120"`,
  };
  return html`<p id="gift-none" class="gift-none"${(takesGiftCard(menu) || isCovered(menu)) && html` hidden`}>${say(context, menu.entry === 'Closed' ? 'giftClosed' : 'giftTooMany')}</p>
<form id="gift" method="post" action="${addressOf(context, '/gift-card')}" novalidate data-texts="${giftTexts(context)}"${!takesGiftCard(menu) && html` hidden`}>
<div class="fields">
${textField(texts, { name: 'giftNumber', label: texts.giftNumber, ...field })}
${textField(texts, {
  name: 'giftCode',
  label: texts.giftCode,
  hint: texts.giftCodeHint,
  attributes: html`inputmode="numeric" autocomplete="off" maxlength="40"`,
  fault: sent.faults.giftCode,
})}
</div>
<button id="add-gift" class="secondary" type="submit">${texts.addGift}</button>
</form>`;
}

function giftTexts({ texts }: PageContext): string {
  const { giftNumberMissing, giftCodeMissing, addGift, addingGift, errorsTitle, troubleTitle, notSent } = texts;
  return JSON.stringify({
    giftNumberMissing,
    giftCodeMissing,
    addGift,
    addingGift,
    errorsTitle,
    troubleTitle,
    notSent,
  });
}

/** The button that pays where gift cards pay all. */
function payByGiftCards(context: PageContext, menu: Menu): Markup {
  const { texts } = context;
  return html`<form id="pay-gift" method="post" action="${addressOf(context)}"${!isCovered(menu) && html` hidden`}>
<input type="hidden" name="attempt" value="${context.attempt}">
<input type="hidden" name="seen" value="${seenIn(menu)}">
${termsLine(context)}
<button id="submit-gift" class="primary pay" name="means" value="GiftCard"><span>${texts.payGiftButton}</span></button>
</form>`;
}
