import { html, type Markup } from '../../http/pages/markup.ts';
import { isCovered, seenIn, takesGiftCard } from './menu.rules.ts';
import type { Menu, ShownGiftCard } from './page.types.ts';
import { addressOf, amountIn, type PageContext, say } from './page-context.http.ts';

/** What is bought, folded: the total stands above it. */
export function orderItems(context: PageContext, { items }: Menu): Markup | undefined {
  if (items.length === 0) return undefined;
  return html`<details class="items"><summary>${context.texts.orderItems}</summary>
<ul>${items.map(
    ({ name, quantity, quantityUnit, amount }) =>
      html`<li><span>${name} <span class="soft">${quantity} ${quantityUnit}</span></span><span class="sum">${amountIn(context, amount)}</span></li>`,
  )}</ul>
</details>`;
}

/** How the total is paid: what each gift card takes of it, with a button that removes it, and what is left for a card. */
export function splitBox(context: PageContext, menu: Menu, canRemove: boolean): Markup {
  const { texts } = context;
  return html`<p id="announce" class="hidden" role="status"></p>
<dl id="split" class="split"${menu.giftCards.length === 0 && html` hidden`}>
<div><dt>${texts.orderTotal}</dt><dd class="sum total">${amountIn(context, menu.total)}</dd></div>
${menu.giftCards.map((card) => giftRow(context, card, canRemove))}
<div id="rest"${isCovered(menu) && html` hidden`}><dt>${restLabel(context, menu)}</dt><dd class="sum" id="rest-amount">${amountIn(context, menu.byCard)}</dd></div>
</dl>
<template id="gift-row">${giftRow(context, { legId: '', lastFour: '', amount: 0, left: 0 }, true)}</template>
`;
}

function restLabel({ texts }: PageContext, { instruments }: Menu): string {
  return instruments.includes('CreditCard') ? texts.toPayByCard : texts.leftToPay;
}

/** A gift card as it is named: by its last digits alone. */
const nameOfGiftCard = ({ lastFour }: Pick<ShownGiftCard, 'lastFour'>): string => `•••• ${lastFour}`;

/** What a gift card takes of the total, as a number that is taken off. */
function taken(context: PageContext, { amount }: Pick<ShownGiftCard, 'amount'>): string {
  return amountIn(context, -amount);
}

function giftRow(context: PageContext, card: ShownGiftCard, canRemove: boolean): Markup {
  const { texts } = context;
  const named = { card: nameOfGiftCard(card) };
  return html`<div class="gift"><dt><span class="gift-name">${say(context, 'giftCard', named)}</span>
<span class="soft gift-left">${say(context, 'giftAfter', { left: amountIn(context, card.left) })}</span></dt>
<dd><span class="sum gift-amount">${taken(context, card)}</span>${
    canRemove &&
    html`
<form method="post" action="${addressOf(context, '/gift-card/remove')}"><input type="hidden" name="leg" value="${card.legId}"><button class="quiet" aria-label="${say(context, 'removeGift', named)}">${texts.remove}</button></form>`
  }</dd></div>`;
}

/** What the script shows after a gift card came or went: texts alone, and what the forms send. */
export function menuNews(context: PageContext, menu: Menu): object {
  return {
    rows: menu.giftCards.map((card) => ({
      leg: card.legId,
      name: say(context, 'giftCard', { card: nameOfGiftCard(card) }),
      amount: taken(context, card),
      left: say(context, 'giftAfter', { left: amountIn(context, card.left) }),
      remove: say(context, 'removeGift', { card: nameOfGiftCard(card) }),
    })),
    total: amountIn(context, menu.total),
    rest: amountIn(context, menu.byCard),
    bankShows: bankShows(context),
    button: payText(context, menu),
    none: say(context, menu.entry === 'Closed' ? 'giftClosed' : 'giftTooMany'),
    isCovered: isCovered(menu),
    takesMore: takesGiftCard(menu),
    seen: seenIn(menu),
  };
}

/** That the bank speaks of the card's part alone, where there are others. */
export function bankShows(context: PageContext): string {
  const { menu } = context.page;
  if (menu === undefined || menu.giftCards.length === 0) return '';
  return say(context, 'bankShows', { amount: amountIn(context, menu.byCard) });
}

/** What the button of the card says. */
export function payText(context: PageContext, menu: Menu): string {
  return say(context, menu.giftCards.length > 0 ? 'payByCardButton' : 'payButton', {
    amount: amountIn(context, menu.byCard),
  });
}

/** What is said aloud of a gift card that came or went. */
export function giftNews(context: PageContext, text: 'giftAdded' | 'giftRemoved', card: ShownGiftCard): string {
  return say(context, text, {
    card: nameOfGiftCard(card),
    amount: amountIn(context, card.amount),
    left: amountIn(context, card.left),
  });
}

/** What each means paid, for the page that says so. */
export function paidRows(context: PageContext, menu: Menu): readonly (readonly [label: string, value: Markup])[] {
  return menu.giftCards.map((card) => [
    say(context, 'giftCard', { card: nameOfGiftCard(card) }),
    html`${amountIn(context, card.amount)}<br><span class="soft">${say(context, 'giftLeft', { left: amountIn(context, card.left) })}</span>`,
  ]);
}
