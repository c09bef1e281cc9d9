import { overPlainRows } from '../db/rows/over-rows.ts';
import type { Statement } from '../db/transaction.types.ts';
import type { BrowserFile } from './browser-files.types.ts';

/** Files of which these paths are not any. */
export const FIND_OTHER_FILES: Statement = {
  name: 'browser-files-find-others',
  text: `
    select path, content_type as "contentType", content
    from browser_file
    where path <> all ($1::text[])`,
};

/** Notes of files that an instance serves them, and answers the paths of those that are there. */
export const RENEW_FILES: Statement = {
  name: 'browser-files-renew',
  text: `
    update browser_file
    set shared_at = kontor_now()
    where path = any ($1::text[])
    returning path`,
};

/** Adds files. Another instance of the same version may do so at the same time. */
export const insertFiles = overPlainRows<BrowserFile>({
  name: 'browser-files-insert',
  columns: {
    path: ['text', 'path'],
    content_type: ['text', 'contentType'],
    content: ['bytea', 'content'],
  },
  text: ({ names, rows }) => `
    insert into browser_file (${names}, shared_at)
    select ${names}, kontor_now()
    from ${rows}
    order by path
    on conflict do nothing`,
});

/** Deletes files that no instance has served for so many days. */
export const FORGET_FILES: Statement = {
  name: 'browser-files-forget',
  text: `
    delete from browser_file
    where shared_at < kontor_now() - make_interval(days => $1)`,
};
