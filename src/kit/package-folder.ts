import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Where the package lies, with its migrations and what was built for browsers, as the URL of a folder. Asked of Node and
 * not told by the place of a source: this is not the same as that of what was built of it.
 */
export const PACKAGE_FOLDER = new URL(
  '.',
  pathToFileURL(createRequire(import.meta.url).resolve('kontor/package.json')),
);
