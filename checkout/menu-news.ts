import { find, say } from './elements.ts';
import { alertTo, endAlert } from './faults.ts';
import { tellHeight } from './owner.ts';
import type { MenuAnswer, MenuNews } from './texts.types.ts';

/** Shows what a gift card has changed, and says it. What was typed for a card stays. */
export function showMenu({ menu, announce, title, message = '', isCalm }: MenuAnswer): void {
  if (menu !== undefined) draw(menu);
  endAlert();
  if (title !== undefined) alertTo('payment', { title, text: message, isCalm });
  const spoken = find('announce', HTMLElement);
  if (spoken !== undefined && announce !== undefined) spoken.textContent = announce;
  tellHeight();
}

function draw({ rows, total, rest, button, none, bankShows, isCovered, takesMore, seen }: MenuNews): void {
  showTotal(total);
  const split = find('split', HTMLElement);
  for (const row of split?.querySelectorAll('.gift') ?? []) row.remove();
  for (const row of rows) document.getElementById('rest')?.before(newRow(row));
  hide('split', rows.length === 0);
  hide('rest', isCovered);
  say('rest-amount', rest);
  say('submit-label', button);
  say('bank-shows', bankShows);
  for (const field of document.querySelectorAll<HTMLInputElement>('input[name="seen"]')) field.value = seen;
  const isMenu = document.getElementById('means-title') !== null;
  hide('means-title', isCovered);
  hide('means-CreditCard', isCovered);
  hide('means-GiftCard', isCovered && isMenu);
  hide('pay-gift', !isCovered);
  hide('gift', !takesMore);
  say('gift-none', takesMore || isCovered ? '' : none);
}

/** Shows the total that the payee has changed meanwhile; what was bought for another one is not said any more. */
function showTotal(total: string): void {
  for (const shown of document.querySelectorAll('.total')) {
    if (shown.textContent === total) continue;
    document.title = document.title.replace(shown.textContent, total);
    shown.textContent = total;
    document.querySelector('.items')?.remove();
  }
}

function hide(id: string, isHidden: boolean): void {
  const element = document.getElementById(id);
  if (element !== null) element.hidden = isHidden;
}

function newRow({ leg, name, amount, left, remove }: MenuNews['rows'][number]): DocumentFragment {
  const row = find('gift-row', HTMLTemplateElement)?.content.cloneNode(true) as DocumentFragment;
  const put = (selector: string, text: string) => {
    const element = row.querySelector(selector);
    if (element !== null) element.textContent = text;
  };
  put('.gift-name', name);
  put('.gift-amount', amount);
  put('.gift-left', left);
  row.querySelector('button')?.setAttribute('aria-label', remove);
  const field = row.querySelector('input');
  if (field !== null) field.value = leg;
  return row;
}
