import type { PageTexts } from '../../../locales/page-texts.types.ts';
import { prefersHtml } from '../../http/body/negotiate.ts';
import { html, type Markup } from '../../http/pages/markup.ts';
import type { OpenAnswer, OpenRequest } from '../../http/route.types.ts';
import type { PageAssets } from './page.types.ts';
import { localeAsked, localeFor, textsIn } from './page-language.http.ts';
import { MARK } from './page-outcome.http.ts';
import { bareAnswer } from './page-shell.http.ts';

type Asked = Pick<OpenRequest, 'headers' | 'query' | 'params'>;

/** What a link that leads nowhere shows, in the language that the browser asks for first. */
export function unknownPage(assets: PageAssets, request: Asked): OpenAnswer {
  return plainPage(assets, request, {
    status: 404,
    draw: ({ unknownTitle, unknown }) => ({ title: unknownTitle, text: unknown }),
  });
}

/** What a payer is shown who would get a problem; undefined where it is no payer, or nothing that one can wait for. */
export function troublePage(assets: PageAssets, request: Asked, status: number): OpenAnswer | undefined {
  if (!prefersHtml(request.headers['accept'] as string | undefined)) return undefined;
  if (status === 404) return unknownPage(assets, request);
  if (status !== 429 && status < 500) return undefined;
  const { payeeId, secret } = request.params;
  return plainPage(assets, request, {
    status,
    draw: ({ troubleTitle, trouble, tryAgain }) => ({
      title: troubleTitle,
      text: trouble,
      more: html`<a class="primary" href="/pay/${payeeId}/${secret}">${tryAgain}</a>`,
    }),
  });
}

interface Plain {
  readonly status: number;
  readonly draw: (texts: PageTexts) => { readonly title: string; readonly text: string; readonly more?: Markup };
}

function plainPage(assets: PageAssets, { headers, query }: Asked, { status, draw }: Plain): OpenAnswer {
  const locale = localeAsked(query['language']) ?? localeFor(String(headers['accept-language'] ?? ''));
  const { title, text, more } = draw(textsIn(locale));
  return bareAnswer(assets, {
    lang: locale,
    state: status === 404 ? 'unknown' : 'trouble',
    title,
    status,
    body: html`<div class="outcome">
${MARK}
<h1>${title}</h1>
<p>${text}</p>
${more}
</div>`,
  });
}
