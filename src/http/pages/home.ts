import { prefersHtml } from '../body/negotiate.ts';
import type { OpenAnswer, OpenRequest, OpenRoute } from '../route.types.ts';
import { escapeHtml, PAGE_HEADERS, page } from './page.ts';

/** What the first page tells of the service. */
export interface HomeOptions {
  readonly version: string;
  /** Without a trailing slash. */
  readonly baseUrl: () => string;
  /** In the sandbox the page says that it is one. */
  readonly isSandbox: boolean;
}

/** Where to go from here, at the service's own address: a page for people, the same as JSON for programs. */
export function homeRoutes({ version, baseUrl, isSandbox }: HomeOptions): OpenRoute[] {
  return [
    {
      method: 'GET',
      path: '/',
      handle: (request) =>
        answer(request, {
          html: () => homePage(version, isSandbox),
          json: () => ({ service: 'Kontor', version, links: linksOf(baseUrl()) }),
        }),
    },
  ];
}

interface Forms {
  readonly html: () => string;
  readonly json: () => object;
}

function answer({ headers }: OpenRequest, { html, json }: Forms): OpenAnswer {
  const isPage = prefersHtml(headers['accept'] as string | undefined);
  const type = isPage ? PAGE_HEADERS : { 'content-type': 'application/json; charset=utf-8' };
  return {
    status: 200,
    headers: { ...type, 'cache-control': 'no-cache', vary: 'Accept' },
    body: isPage ? html() : JSON.stringify(json()),
    packing: 'once',
  };
}

/** Everything that needs no access token, as label, address and description. */
const LINKS = [
  ['reference', '/docs', 'Reference', 'Every operation of the API, with examples, to read and to try.'],
  [
    'openApi',
    '/openapi.json',
    'OpenAPI document',
    'The same for programs: generate a client, or import it into a tool.',
  ],
  ['portal', '/portal', 'Portal', 'Where merchants see their payments, act on them, and make credentials.'],
  ['health', '/health/ready', 'Health', 'Whether the service takes requests now.'],
] as const;

function linksOf(baseUrl: string): object {
  return Object.fromEntries(LINKS.map(([name, path]) => [name, `${baseUrl}${path}`]));
}

function homePage(version: string, isSandbox: boolean): string {
  const links = LINKS.map(
    ([, path, label, description]) => `<li><a href="${path}">${label}</a><p>${description}</p></li>`,
  );
  return page(
    'Kontor',
    `<p class="soft">Version ${escapeHtml(version)}${isSandbox ? ' · <strong class="tag">Sandbox</strong>' : ''}</p>
<h1>A payments service</h1>
<p>Payers' stored cards and accounts, account payments, gift cards, and card payments on a hosted page, behind one REST API
whose answers say what can be done next.</p>
<ul class="cards">
${links.join('\n')}
</ul>
${isSandbox ? SANDBOX : ''}`,
  );
}

const SANDBOX = `<h2>The first request</h2>
<p>The terminal where Kontor was started shows a line to paste. This shows the credentials again:</p>
<pre>npm run -s kontor -- sandbox</pre>
<p class="soft">Use test card numbers only.</p>`;
