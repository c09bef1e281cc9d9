import { html, type Markup } from '../../http/pages/markup.ts';
import type { TestCard } from './page.types.ts';
import { nameOf, type PageContext, say } from './page-context.http.ts';

/** Cards to try a sandbox with. A number without its blanks is typed by the script where there is one. */
export function testCards(context: PageContext): Markup {
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
