import { readdirSync, readFileSync } from 'node:fs';
import { PACKAGE_FOLDER } from '../kit/package-folder.ts';
import type { PortalFile, PortalFiles } from './portal-files.types.ts';

/** What the build has made of `portal/`. */
const FOLDER = new URL('dist/portal-files/', PACKAGE_FOLDER);

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
};

/** Reads the portal's files once, at the first look, and keeps them: about a megabyte. */
export function portalFiles(): () => PortalFiles {
  let read: PortalFiles | undefined;
  return () => {
    read ??= { page: fileAt('index.html'), assets: assets() };
    return read;
  };
}

function assets(): ReadonlyMap<string, PortalFile> {
  return new Map(readdirSync(new URL('assets/', FOLDER)).map((name) => [name, fileAt(`assets/${name}`)]));
}

function fileAt(path: string): PortalFile {
  const content = readFileSync(new URL(path, FOLDER));
  const contentType = TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  return { contentType, content };
}
