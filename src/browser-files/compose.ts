import type { Database } from '../db/server/database.types.ts';
import { oneAtATime } from '../kit/work/one-at-a-time.ts';
import { FIND_OTHER_FILES } from './browser-files.store.ts';
import type { BrowserFile } from './browser-files.types.ts';
import { builtFiles } from './built-files.adapter.ts';
import { shareFiles } from './share-files.ts';

/**
 * Composes the files that pages load. While one version takes the place of another, a page of one may ask an instance of the
 * other for its files: so each instance keeps its own in the database, before it serves its first page, and looks there for what it does not know.
 */
export function composeBrowserFiles(database: Database) {
  const own = builtFiles();
  const others = new Map<string, BrowserFile>();
  // Strangers may ask for what is not there as often as they like: one look answers all who ask meanwhile.
  const learn = oneAtATime(async () => {
    const { rows } = await database.read<BrowserFile>(FIND_OTHER_FILES, [[...own().keys(), ...others.keys()]]);
    for (const file of rows) others.set(file.path, file);
  });
  const find = async (path: string): Promise<BrowserFile | undefined> => {
    const known = own().get(path) ?? others.get(path);
    if (known !== undefined) return known;
    await learn();
    return others.get(path);
  };
  const share = () => database.background.transact((transaction) => shareFiles(transaction, own()));
  return { find, share };
}
