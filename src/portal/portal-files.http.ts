import type { OpenAnswer, OpenRequest, OpenRoute } from '../http/route.types.ts';
import { notFound } from '../kit/errors.ts';
import type { PortalFile, PortalFiles } from './portal-files.types.ts';

/**
 * The page runs and loads files of this service only, writes no styles of its own, talks to this service alone, and
 * no page may frame it. No script can make another one out of text.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  // The page names its files by what is in them: a browser that kept an old page would ask for files that are gone.
  'cache-control': 'no-cache',
};

const ASSET_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
};

/** Addresses below these are no screens: what is not there is 404. */
const NOT_SCREENS = new Set(['api', 'assets']);

/** The portal's page at all of its addresses, and the files that it loads. They hold no data of any payee. */
export function portalFileRoutes(files: () => PortalFiles): OpenRoute[] {
  const page = (request: OpenRequest): OpenAnswer => {
    if (NOT_SCREENS.has(request.params['screen'] ?? '')) throw notFound();
    return answer(files().page, PAGE_HEADERS);
  };
  return [
    { method: 'GET', path: '/portal', handle: page },
    { method: 'GET', path: '/portal/:screen', handle: page },
    { method: 'GET', path: '/portal/:screen/:part', handle: page },
    { method: 'GET', path: '/portal/:screen/:part/:id', handle: page },
    {
      method: 'GET',
      path: '/portal/assets/:asset',
      handle: (request) => {
        const found = files().assets.get(request.params['asset'] ?? '');
        if (found === undefined) throw notFound();
        return answer(found, ASSET_HEADERS);
      },
    },
  ];
}

function answer({ contentType, content }: PortalFile, headers: Readonly<Record<string, string>>): OpenAnswer {
  return { status: 200, headers: { ...headers, 'content-type': contentType }, body: content, packing: 'once' };
}
