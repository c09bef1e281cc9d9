import type { OpenRoute } from '../http/route.types.ts';
import { notFound } from '../kit/errors.ts';
import type { BrowserFile } from './browser-files.types.ts';

/** Their names change with what is in them, so browsers keep them for ever. */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
};

/** The files that pages load, those of other versions too. */
export function browserFileRoutes(find: (path: string) => Promise<BrowserFile | undefined>): OpenRoute[] {
  return ['/checkout', '/portal/assets'].map((folder) => ({
    method: 'GET',
    path: `${folder}/:file`,
    handle: async ({ params }) => {
      const found = await find(`${folder}/${params['file']}`);
      if (found === undefined) throw notFound();
      return {
        status: 200,
        headers: { ...HEADERS, 'content-type': found.contentType },
        body: found.content,
        packing: 'once',
      };
    },
  }));
}
