import type { Transaction } from '../db/transaction.types.ts';
import { FORGET_FILES, insertFiles, RENEW_FILES } from './browser-files.store.ts';
import type { BrowserFiles } from './browser-files.types.ts';

/** Days that files are kept after the last instance of their version has stopped. */
const FILES_KEPT_DAYS = 30;

/** Puts files where instances of other versions find them, and deletes those of versions that are gone. */
export async function shareFiles(transaction: Transaction, files: BrowserFiles): Promise<void> {
  const { rows } = await transaction.run<{ readonly path: string }>(RENEW_FILES, [[...files.keys()]]);
  const there = new Set(rows.map(({ path }) => path));
  const missing = [...files.values()].filter(({ path }) => !there.has(path));
  if (missing.length > 0) await transaction.run(insertFiles, insertFiles.values(missing));
  await transaction.run(FORGET_FILES, [FILES_KEPT_DAYS]);
}
