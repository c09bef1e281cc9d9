import type { OpenRoute } from '../../http/route.types.ts';
import { notFound } from '../../kit/errors.ts';
import type { PageAsset, PageAssets } from './page.types.ts';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
};

/** The files that pages load. Their names change with what is in them, so they are kept for ever. */
export function pageAssetRoutes(assets: () => PageAssets): OpenRoute[] {
  return [
    {
      method: 'GET',
      path: '/checkout/:file',
      handle: ({ params }) => {
        const path = `/checkout/${params['file']}`;
        const found = [...assets().values()].find((asset: PageAsset) => asset.path === path);
        if (found === undefined) throw notFound();
        return {
          status: 200,
          headers: {
            'content-type': TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
            'cache-control': 'public, max-age=31536000, immutable',
            'cross-origin-resource-policy': 'same-origin',
          },
          body: found.content,
          packing: 'once',
        };
      },
    },
  ];
}
