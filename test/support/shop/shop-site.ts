import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PluginPage, type PluginWay, pluginHtml } from './shop-plugin.ts';

/** A shop's own web site, in another site than the service's: `localhost`, which is not `127.0.0.1`. */
export interface ShopSite {
  readonly origin: string;
  /** The same pages under a name that no payment knows. */
  readonly otherOrigin: string;
  /** An address of the shop that sends a browser on to the same page under its other name, as from `shop` to `www.shop`. */
  moved(path: string): string;
  /** A page that loads this view script, opens the view with its button, and keeps what it is told in `window.told`. */
  viewPage(script: string, options?: ViewPageOptions): string;
  /** A page of a shop whose plug-in brings its own script. */
  pluginPage(page: PluginPage): string;
  stop(): Promise<void>;
}

export interface ViewPageOptions {
  readonly culture?: string;
  /** Names of the handlers that are given; all others are left to the script. */
  readonly handlers?: readonly string[];
  readonly style?: Readonly<Record<string, string>>;
  /** What makes the view: `kontor.hostedView.creditCard` where it is left out. */
  readonly make?: string;
}

/** Every handler of the view. */
export const HANDLERS = [
  'onPaymentCreated',
  'onPaymentPending',
  'onPaymentCompleted',
  'onPaymentCanceled',
  'onPaymentFailed',
  'onPaymentTransactionFailed',
  'onPaymentToS',
  'onError',
] as const;

/** Starts the site. */
export async function shopSite(): Promise<ShopSite> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://shop');
    if (pathname === '/logo.svg') {
      response
        .writeHead(200, { 'content-type': 'image/svg+xml', 'cross-origin-resource-policy': 'cross-origin' })
        .end(LOGO);
      return;
    }
    if (pathname.startsWith('/moved/')) {
      const { port: at } = server.address() as AddressInfo;
      response.writeHead(302, { location: `http://other.localhost:${at}/${pathname.slice('/moved/'.length)}` }).end();
      return;
    }
    const body = PAGES[pathname]?.(searchParams) ?? `<h1>${pathname.slice(1)}</h1>`;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://localhost:${port}`;
  return {
    origin,
    otherOrigin: `http://other.localhost:${port}`,
    moved: (path) => `${origin}/moved/${path}`,
    viewPage: (script, { culture = '', handlers = HANDLERS, style = {}, make = 'kontor.hostedView.creditCard' } = {}) =>
      `${origin}/view?${new URLSearchParams({ script, culture, make, handlers: handlers.join(), style: JSON.stringify(style) })}`,
    pluginPage: (page) => `${origin}/plugin?${new URLSearchParams({ ...page })}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Pages that are more than a heading. */
const PAGES: Readonly<Record<string, (asked: URLSearchParams) => string>> = {
  '/view': viewHtml,
  '/plugin': (asked) => {
    const of = (name: string) => asked.get(name) ?? '';
    return pluginHtml({ way: of('way') as PluginWay, href: of('href'), name: of('name'), culture: of('culture') });
  },
};

/** Drawn for white paper, as most are. */
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40" viewBox="0 0 120 40"><text x="4" y="28" font-size="24" font-weight="700">B&amp;B</text><path d="M70 30l20-20 20 20z"/></svg>';

function viewHtml(asked: URLSearchParams): string {
  const handlers = (asked.get('handlers') ?? '').split(',').filter(Boolean);
  const told = handlers.map((name) => `${name}: (event) => told.push(['${name}', event])`);
  return `<h1>Basket</h1>
<button id="open">Pay</button>
<div id="payment"></div>
<button id="after">After it</button>
<script src="${asked.get('script')}"></script>
<script>
const told = [];
const view = ${asked.get('make')}({
  container: 'payment',
  culture: '${asked.get('culture')}',
  style: ${asked.get('style')},
  ${told.join(',\n  ')}
});
document.getElementById('open').addEventListener('click', () => view.open());
</script>`;
}

function page(body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The shop</title><link rel="icon" href="data:,"><style>:root { color-scheme: light dark }</style></head>
<body><main>${body}</main></body>
</html>`;
}
