import type { JobContext } from '../db/job-context.types.ts';
import { browserFileRoutes } from './browser-files.http.ts';
import type { composeBrowserFiles } from './compose.ts';

/** Milliseconds between two notes that this version is still served. */
const SHARE_INTERVAL_MS = 1_800_000;

type BrowserFiles = ReturnType<typeof composeBrowserFiles>;

/** The files that pages load. */
export function routes({ find }: BrowserFiles) {
  return { openRoutes: browserFileRoutes(find) };
}

/** Notes that this version is still served. */
export function startJobs({ share }: BrowserFiles, { background }: JobContext) {
  return { stop: background.repeat('share-browser-files', SHARE_INTERVAL_MS, share) };
}
