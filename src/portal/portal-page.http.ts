import type { OpenAnswer, OpenRequest, OpenRoute } from '../http/route.types.ts';
import { notFound } from '../kit/errors.ts';

/**
 * The page runs and loads files of this service only, writes no styles of its own, talks to this service alone, and
 * no page may frame it. No script can make another one out of text.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  // The page names its files by what is in them: a browser that kept an old page would ask for files that are gone.
  'cache-control': 'no-cache',
};

/** Addresses below these are no screens: what is not there is 404. */
const NOT_SCREENS = new Set(['api', 'assets']);

/** The portal's page at all of its addresses: its script shows what the address is about. It holds no data of any payee. */
export function portalPageRoutes(page: () => Buffer): OpenRoute[] {
  const handle = (request: OpenRequest): OpenAnswer => {
    if (NOT_SCREENS.has(request.params['screen'] ?? '')) throw notFound();
    return { status: 200, headers: HEADERS, body: page(), packing: 'once' };
  };
  return ['/portal', '/portal/:screen', '/portal/:screen/:part', '/portal/:screen/:part/:id'].map((path) => ({
    method: 'GET',
    path,
    handle,
  }));
}
