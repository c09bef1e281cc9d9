import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { AccountsService } from '../accounts/opening/accounts.cli.ts';
import { readConfig, readPassphrase } from '../config.ts';
import type { EventsService } from '../events/events.types.ts';
import type { CardsRuntime } from '../gift-cards/bulk/bulk.types.ts';
import { openCardFile } from '../gift-cards/bulk/card-file.adapter.ts';
import type { CardImportRuntime } from '../gift-cards/bulk/import.types.ts';
import type { LifeRuntime } from '../gift-cards/cards/life.types.ts';
import type { GiftCardsService } from '../gift-cards/gift-cards.types.ts';
import type { LiabilityService } from '../gift-cards/liability/liability.types.ts';
import { passphraseExport } from '../keys/export/key-export.adapter.ts';
import { exportFiles } from '../keys/export/key-file.adapter.ts';
import type { KeysRuntime } from '../keys/keys.types.ts';
import { containsCardNumber } from '../kit/cards/find-card-numbers.ts';
import type { CommandRuntime } from '../kit/command.types.ts';
import { Secret } from '../kit/secret.ts';
import { Trouble } from '../kit/work/trouble.ts';
import type { LedgerService } from '../ledger/accounts/ledger-reads.types.ts';
import type { MerchantsService } from '../merchants/merchants.types.ts';
import type { IssuersService } from '../portal/installation/issuers.types.ts';
import type { PortalUsersCommands } from '../portal-users/portal-users.cli.ts';
import type { TokensRuntime } from '../tokens/import/import.types.ts';
import type { VaultRuntime } from '../vault/vault.types.ts';
import type { BackgroundService } from './commands/background-commands.ts';
import type { COMMAND_SERVICES } from './commands/command-services.ts';
import { openImport } from './commands/import-file.ts';
import { askUnseen, readSecret, showProgress } from './commands/terminal.ts';

/** What the commands of each slice get. */
export interface Runtimes {
  readonly keys: KeysRuntime;
  readonly background: CommandRuntime<BackgroundService>;
  readonly merchants: CommandRuntime<MerchantsService>;
  readonly vault: VaultRuntime;
  readonly tokens: TokensRuntime;
  readonly accounts: CommandRuntime<AccountsService>;
  readonly issuers: CommandRuntime<IssuersService>;
  readonly ledger: CommandRuntime<LedgerService>;
  readonly giftCards: CommandRuntime<GiftCardsService>;
  readonly cards: CardsRuntime;
  readonly cardImport: CardImportRuntime;
  readonly cardLife: LifeRuntime;
  readonly liability: CommandRuntime<LiabilityService>;
  readonly events: CommandRuntime<EventsService>;
  readonly portalUsers: CommandRuntime<PortalUsersCommands>;
}

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/**
 * Puts the commands on this machine: its settings, its terminal, its files.
 *
 * @param given what the command line gives the command, known by the time that it opens the service
 */
export function createRuntimes(given: readonly string[]): Runtimes {
  const opening = opener(given);
  return {
    merchants: { withService: opening('required', 'merchants'), print },
    keys: {
      // A ring that does not fit must not keep anybody from importing the right one.
      withService: opening('optional', 'keys'),
      print,
      keyExport: passphraseExport,
      exportFiles,
      passphrase,
      progress: showProgress,
      pause,
    },
    background: { withService: opening('optional', 'background'), print },
    cardImport: { withService: opening('required', 'cardImport'), print, openImport, progress: showProgress },
    liability: { withService: opening('optional', 'liability'), print },
    vault: { withService: opening('required', 'vault'), print, readLines, progress: showProgress },
    tokens: { withService: opening('required', 'tokens'), print, openImport, progress: showProgress },
    giftCards: { withService: opening('required', 'giftCards'), print },
    cardLife: {
      withService: opening('required', 'cardLife'),
      print,
      progress: showProgress,
      readNumber: () => readSecret('Card number'),
    },
    cards: {
      withService: opening('required', 'cards'),
      print,
      openCardFile,
      progress: showProgress,
      breathe: () => nextTurn(),
    },
    events: { withService: opening('required', 'events'), print },
    accounts: { withService: opening('required', 'accounts'), print },
    issuers: { withService: opening('optional', 'issuers'), print },
    // Whoever looks whether the books are right needs no keys.
    ledger: { withService: opening('optional', 'ledger'), print },
    portalUsers: { withService: opening('required', 'portalUsers'), print },
  };
}

/**
 * Opens the service for one command and closes it afterwards, whatever happens. What it takes is loaded then: a command that
 * needs no database does not pay for it. Names and reasons that a command is given are stored, and a number given here
 * stands in the shell's history too: a command that is given a card's does nothing.
 */
function opener(given: readonly string[]) {
  return <Name extends keyof typeof COMMAND_SERVICES>(keys: 'required' | 'optional', name: Name) =>
    async <Result>(work: (service: ServiceOf<Name>) => Promise<Result>): Promise<Result> => {
      const [{ openService }, { COMMAND_SERVICES, loadAhead }] = await Promise.all([
        import('./service.ts'),
        import('./commands/command-services.ts'),
      ]);
      loadAhead(name);
      const service = await openService({ config: readConfig(), as: 'command', keys, tell: () => undefined });
      try {
        if (given.some((text) => containsCardNumber(text, service.cardPrefixes()))) {
          throw new Trouble('What a command is given must not hold a card number. Nothing was done.');
        }
        return await work((await COMMAND_SERVICES[name](service)) as ServiceOf<Name>);
      } finally {
        await service.close();
      }
    };
}

/** What the command of that name needs. */
type ServiceOf<Name extends keyof typeof COMMAND_SERVICES> = Awaited<ReturnType<(typeof COMMAND_SERVICES)[Name]>>;

/** Opens the file when the first line is asked for: a reader that is open loses the lines that nobody waits for. */
async function* readLines(path: string): AsyncIterable<string> {
  yield* createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
}

async function passphrase({ isNew }: { readonly isNew: boolean }): Promise<Secret> {
  const given = readPassphrase();
  if (given !== undefined) return new Secret(given);
  const typed = await askUnseen(isNew ? 'A new passphrase' : 'Passphrase');
  if (isNew && (await askUnseen('Once more')).reveal() !== typed.reveal()) {
    throw new Trouble('The two are not the same. Nothing was written.');
  }
  return typed;
}
