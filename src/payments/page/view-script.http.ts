import type { OpenRoute } from '../../http/route.types.ts';
import { notFound } from '../../kit/errors.ts';
import { findCardPayment } from '../find-payment.ts';
import type { PageRoutesOptions } from './page-context.http.ts';
import { openPageLink } from './page-link.ts';

/**
 * The view script of a payment: the same text for all of them, because it finds the payment by the address that it was
 * loaded from. So a payee's page can ask its browser to check it. There is one only where a page of the payee's may
 * frame the payment's.
 */
export function viewScriptRoutes({
  context,
  assets,
  viewGlobals,
}: Pick<PageRoutesOptions, 'context' | 'assets'> & {
  /** Further global names of what it defines. */
  readonly viewGlobals: readonly string[];
}): OpenRoute[] {
  const named = viewGlobals.map((name) => `\nglobalThis.${name}=kontor;`).join('');
  // Made once: what is packed once is known by what it is.
  let whole: Buffer | undefined;
  return [
    {
      method: 'GET',
      path: '/pay/:payeeId/:secret/view.js',
      limit: 'page',
      handle: async ({ params }) => {
        const { payeeId = '', secret = '' } = params;
        const key = openPageLink(context.keyRing, { payeeId, secret });
        if (key === undefined) throw notFound();
        const { payment } = await findCardPayment(context, key);
        const script = assets().get('view.js');
        if (script === undefined || (payment.terms.urls.hostUrls ?? []).length === 0) throw notFound();
        whole ??= Buffer.concat([script.content, Buffer.from(named)]);
        return { status: 200, headers: HEADERS, body: whole, packing: 'once' };
      },
    },
  ];
}

/** Any page may load it, and check it: which pages may frame the payment is for the frame to say. */
const HEADERS = {
  'content-type': 'application/javascript; charset=utf-8',
  'cache-control': 'private, max-age=3600',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};
