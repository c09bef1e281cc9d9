import type { Command } from 'commander';
import { listCardRanges } from './find-card-ranges.ts';
import { loadCardRanges } from './load-card-ranges.ts';
import type { VaultRuntime } from './vault.types.ts';

/** Adds `kontor card-ranges list|load`. */
export function vaultCommands(program: Command, runtime: VaultRuntime): void {
  const ranges = program
    .command('card-ranges')
    .description('what the first digits of a card tell: brand, type, issuing bank, country');
  ranges
    .command('list')
    .description('show all card ranges')
    .option('--json', 'print JSON, one range a line')
    .action((options: { json?: boolean }) => list(runtime, options));
  ranges
    .command('load')
    .description('put the ranges of a file in the place of those loaded before; all or nothing')
    .argument(
      '<file>',
      'CSV whose first row names the columns: prefix,brand,cardType,holderType,issuerName,countryCode',
    )
    .option('--json', 'print JSON')
    .action((file: string, options: { json?: boolean }) => load(runtime, file, options));
}

async function list(runtime: VaultRuntime, { json = false }: { json?: boolean }): Promise<void> {
  await runtime.withService((service) =>
    service.transact(async (transaction) => {
      for await (const range of listCardRanges(transaction)) {
        const { prefix, brand, cardType, holderType, issuerName, countryCode, source } = range;
        const words = [prefix.padEnd(9), brand, cardType, holderType, issuerName, countryCode, source];
        runtime.print(json ? JSON.stringify(range) : words.filter((word) => word !== null).join(' '));
      }
    }),
  );
}

async function load(runtime: VaultRuntime, file: string, { json = false }: { json?: boolean }): Promise<void> {
  const result = await runtime.withService((service) =>
    service.transact((transaction) =>
      loadCardRanges(transaction, runtime.readTable(file), (lines) => runtime.progress(`${lines} lines`)),
    ),
  );
  runtime.progress(undefined);
  const { loaded, replaced } = result;
  runtime.print(json ? JSON.stringify(result) : `${loaded} card ranges are loaded in the place of ${replaced}.`);
}
