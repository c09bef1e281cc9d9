import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { readConfig, readPassphrase } from '../config.ts';
import { openCardFile } from '../gift-cards/bulk/card-file.adapter.ts';
import { readPrinterKey, readPrivateKey, readSealedFile } from '../gift-cards/bulk/print-file.adapter.ts';
import { openPlan } from '../issuers/certification/plan-file.adapter.ts';
import { passphraseExport } from '../keys/export/key-export.adapter.ts';
import { exportFiles } from '../keys/export/key-file.adapter.ts';
import { passphraseFile } from '../keys/export/passphrase-file.adapter.ts';
import { containsCardNumber } from '../kit/cards/find-card-numbers.ts';
import type { CommandRuntime } from '../kit/command.ts';
import { Secret } from '../kit/secret.ts';
import { Trouble } from '../kit/work/trouble.ts';
import { openSettlementFile, settlementFilesOf } from '../settlements/files/settlement-file.adapter.ts';
import { openImport, readLines, readTable, stampFile } from './commands/import-file.ts';
import { askUnseen, readSecret, showProgress } from './commands/terminal.ts';
import type { commandServices } from './slices.ts';

type Services = ReturnType<typeof commandServices>;

/** What the command of that name needs of the service. */
type ServiceOf<Name extends keyof Services> = Awaited<ReturnType<Services[Name]>>;

/**
 * Puts the commands of a name on this machine: its settings, its terminal, its files.
 *
 * @param keys `optional`: a key ring that does not fit is no reason to refuse it
 */
export type MakeRuntime = <Name extends keyof Services>(
  name: Name,
  keys?: 'optional',
) => CommandRuntime<ServiceOf<Name>> & typeof MACHINE;

const MACHINE = {
  print: (text: string): void => {
    process.stdout.write(`${text}\n`);
  },
  progress: showProgress,
  pause: (durationMs: number): Promise<void> => pause(durationMs),
  breathe: (): Promise<void> => nextTurn(),
  passphrase,
  passphraseFile,
  readNumber: () => readSecret('Card number'),
  readLines,
  readTable,
  stampFile,
  openImport,
  openCardFile,
  readPrinterKey,
  readPrivateKey,
  readSealedFile,
  openSettlementFile,
  settlementFilesOf,
  openPlan,
  keyExport: passphraseExport,
  exportFiles,
};

/**
 * Makes what puts commands on this machine. The service is opened for one command and closed afterwards, whatever happens. What
 * it takes is loaded then: a command that needs no database does not pay for it. Names and reasons that a command is given are
 * stored, and a number given here stands in the shell's history too: a command that is given a card's does nothing.
 *
 * @param given what the command line gives the command, known by the time that it opens the service
 */
export function runtimeMaker(given: readonly string[]): MakeRuntime {
  return <Name extends keyof Services>(name: Name, keys: 'required' | 'optional' = 'required') => ({
    ...MACHINE,
    withService: async <Result>(work: (service: ServiceOf<Name>) => Promise<Result>): Promise<Result> => {
      const [{ openService }, { commandServices: servicesOf }, { explained }] = await Promise.all([
        import('./service.ts'),
        import('./slices.ts'),
        import('../db/server/explain.ts'),
      ]);
      // Awaited by what uses it, which says what is wrong with it.
      AHEAD[name]?.().catch(() => undefined);
      const service = await openService({ config: readConfig(), as: 'command', keys, tell: () => undefined });
      try {
        if (given.some((text) => containsCardNumber(text, service.cardPrefixes()))) {
          throw new Trouble('What a command is given must not hold a card number. Nothing was done.');
        }
        return await explained(async () => work((await servicesOf(service)[name]()) as ServiceOf<Name>));
      } finally {
        await service.close();
      }
    },
  });
}

/** What is loaded while the service is opened: what reads lines, schemas and their checker, takes half of a command's start. */
const AHEAD: Partial<Record<keyof Services, () => Promise<unknown>>> = {
  tokens: () => Promise.all([import('../tokens/import/import.wire.ts'), import('../http/body/line-reader.ts')]),
  cardImport: () => Promise.all([import('../gift-cards/bulk/import.wire.ts'), import('../http/body/line-reader.ts')]),
};

async function passphrase({ isNew }: { readonly isNew: boolean }): Promise<Secret> {
  const given = readPassphrase();
  if (given !== undefined) return new Secret(given);
  const typed = await askUnseen(isNew ? 'A new passphrase' : 'Passphrase');
  if (isNew && (await askUnseen('Once more')).reveal() !== typed.reveal()) {
    throw new Trouble('The two are not the same. Nothing was written.');
  }
  return typed;
}
