import { readFileSync } from 'node:fs';
import { PACKAGE_FOLDER } from '../kit/package-folder.ts';

/** What the build has made of `portal/index.html`. */
const PAGE = new URL('dist/portal-files/index.html', PACKAGE_FOLDER);

/** Reads the portal's page once, at the first look, and keeps it. */
export function portalPage(): () => Buffer {
  let read: Buffer | undefined;
  return () => {
    read ??= readFileSync(PAGE);
    return read;
  };
}
