import { readdirSync, readFileSync } from 'node:fs';
import { PACKAGE_FOLDER } from '../kit/package-folder.ts';
import type { BrowserFiles } from './browser-files.types.ts';

/** Where browsers load files from, and where the build has put them. */
const FOLDERS = {
  '/checkout/': 'dist/checkout/',
  '/portal/assets/': 'dist/portal-files/assets/',
} as const;

/** What browsers load, by the end of its name. All else in a folder, such as its list, is for the service alone. */
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
};

/** Reads the files of this version once, at the first look, and keeps them: about a megabyte. */
export function builtFiles(): () => BrowserFiles {
  let read: BrowserFiles | undefined;
  return () => {
    read ??= new Map(Object.entries(FOLDERS).flatMap(([path, folder]) => filesIn(path, folder)));
    return read;
  };
}

function filesIn(below: string, folder: string) {
  const from = new URL(folder, PACKAGE_FOLDER);
  return readdirSync(from).flatMap((name) => {
    const contentType = TYPES[name.split('.').at(-1) ?? ''];
    const path = `${below}${name}`;
    return contentType === undefined
      ? []
      : [[path, { path, contentType, content: readFileSync(new URL(name, from)) }] as const];
  });
}
