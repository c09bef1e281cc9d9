import { html } from '../http/markup.ts';
import type { OpenAnswer, OpenRequest } from '../http/route.types.ts';
import type { PageAssets } from './page.types.ts';
import { localeAsked, localeFor, textsIn } from './page-language.http.ts';
import { bareAnswer } from './page-shell.http.ts';
import { MARK } from './page-states.http.ts';

/** What a link that leads nowhere shows, in the language that the browser asks for first. */
export function unknownPage(
  assets: PageAssets,
  { headers, query }: Pick<OpenRequest, 'headers' | 'query'>,
): OpenAnswer {
  const locale = localeAsked(query['language']) ?? localeFor(String(headers['accept-language'] ?? ''));
  const { unknownTitle, unknown } = textsIn(locale);
  return bareAnswer(assets, {
    lang: locale,
    title: unknownTitle,
    status: 404,
    body: html`<div class="outcome">${MARK}<h1>${unknownTitle}</h1><p>${unknown}</p></div>`,
  });
}
