import { html } from '../../http/pages/markup.ts';
import type { OpenAnswer } from '../../http/route.types.ts';
import type { PageAssets } from './page.types.ts';
import type { PageContext } from './page-context.http.ts';
import { localeFor, textsIn } from './page-language.http.ts';
import { bareAnswer, type Drawn } from './page-shell.http.ts';
import { bankShows } from './split.http.ts';

/** Leads a browser to a bank: by itself where there is a script, else by a button. */
export function drawLead(context: PageContext, action: string, fields: Readonly<Record<string, string>>): Drawn {
  const { texts } = context;
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return {
    state: 'leading',
    title: texts.authenticationTitle,
    leadsToBank: true,
    body: html`<div class="outcome">
<h1>${texts.authenticationTitle}</h1>
<p>${texts.authentication} ${bankShows(context)}</p>
<form id="lead" method="post" action="${action}">${hidden}
<button id="lead-on" class="primary">${texts.authenticationButton}</button>
</form>
</div>`,
  };
}

/** Where a bank sends a browser back to in a frame: it tells the page around it that it is back, and nothing else. */
export function returnedPage(assets: PageAssets): OpenAnswer {
  const lang = localeFor('');
  const { processing } = textsIn(lang);
  const body = html`<p class="soft">${processing}</p>`;
  return bareAnswer(assets, { lang, state: 'returned', title: processing, body, status: 200 });
}
