import { readFileSync } from 'node:fs';
import { PACKAGE_FOLDER } from '../../kit/package-folder.ts';
import type { PageAsset, PageAssets } from '../page/page.types.ts';

/** What the build has made for browsers. */
const FOLDER = new URL('dist/checkout/', PACKAGE_FOLDER);

/** Where browsers load it from. */
const PATH = '/checkout/';

/** Reads what was built for browsers once, at the first look, and keeps it. */
export function pageAssets(): () => PageAssets {
  let read: PageAssets | undefined;
  return () => {
    read ??= new Map(Object.entries(listed()).map(([name, { file, integrity }]) => [name, asset(file, integrity)]));
    return read;
  };
}

function listed(): Readonly<Record<string, { readonly file: string; readonly integrity: string }>> {
  return JSON.parse(readFileSync(new URL('assets.json', FOLDER), 'utf8'));
}

function asset(file: string, integrity: string): PageAsset {
  return { path: `${PATH}${file}`, integrity, content: readFileSync(new URL(file, FOLDER)) };
}
