import { html } from '../../http/pages/markup.ts';
import type { CardTransaction } from '../payments.types.ts';
import { addressOf, amountIn, type PageContext } from './page-context.http.ts';
import type { Drawn } from './page-shell.http.ts';

/** What the bank's page is in the sandbox: it asks what its answer is to be. */
export function drawChallenge(context: PageContext, { card, amount }: CardTransaction): Drawn {
  const { texts, page } = context;
  const { payment } = page;
  const button = (id: string, verdict: string, style: string, text: string) =>
    html`<button id="${id}" class="${style}" name="verdict" value="${verdict}">${text}</button>`;
  return {
    state: 'challenge',
    title: texts.challengeTitle,
    body: html`<div class="challenge">
<p class="bank">3-D Secure${card?.issuingBank !== undefined && html` · ${card.issuingBank}`}</p>
<h1>${texts.challengeTitle}</h1>
<dl class="facts">
${payment.operation !== 'Verify' && html`<div><dt>${texts.total}</dt><dd>${amountIn(context, amount)}</dd></div>`}
<div><dt>${texts.challengeMerchant}</dt><dd>${context.page.merchantName}</dd></div>
<div><dt>${texts.challengeCard}</dt><dd>${card?.cardBrand} •••• ${card?.maskedPan.slice(-4)}</dd></div>
</dl>
<p>${texts.challenge}</p>
<form id="challenge" method="post" action="${addressOf(context, '/challenge')}">
${button('approve', 'Approved', 'primary', texts.approve)}
${button('decline', 'Declined', 'secondary', texts.refuse)}
${button('cancel-challenge', 'Cancelled', 'quiet', texts.cancelChallenge)}
</form>
</div>`,
  };
}
