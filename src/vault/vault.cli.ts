import { type Command, command, needed } from '../kit/command.ts';
import { listCardRanges } from './find-card-ranges.ts';
import { loadCardRanges } from './load-card-ranges.ts';
import type { VaultRuntime } from './vault.types.ts';

const list = command({
  name: 'list',
  about: 'show all card ranges',
  json: 'print JSON, one range a line',
  run: ({ withService, print }: VaultRuntime, { json }) =>
    withService(({ transact }) =>
      transact(async (transaction) => {
        for await (const range of listCardRanges(transaction)) {
          const { prefix, brand, cardType, holderType, issuerName, countryCode, source } = range;
          const words = [prefix.padEnd(9), brand, cardType, holderType, issuerName, countryCode, source];
          print(json ? JSON.stringify(range) : words.filter((word) => word !== null).join(' '));
        }
      }),
    ),
});

const load = command({
  name: 'load',
  about: 'put the ranges of a file in the place of those loaded before; all or nothing',
  args: ['file'],
  takes: {
    file: needed(
      '<file>',
      'CSV whose first row names the columns: prefix,brand,cardType,holderType,issuerName,countryCode',
    ),
  },
  json: 'print JSON',
  run: async ({ withService, readTable, progress }: VaultRuntime, { file }) => {
    const result = await withService(({ transact }) =>
      transact((transaction) => loadCardRanges(transaction, readTable(file), (lines) => progress(`${lines} lines`))),
    );
    progress(undefined);
    return result;
  },
  show: ({ loaded, replaced }) => `${loaded} card ranges are loaded in the place of ${replaced}.`,
});

/** `card-ranges …`. */
export const vaultCommands: readonly Command<VaultRuntime>[] = [list, load];
