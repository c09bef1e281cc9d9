import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Static } from 'typebox';
import type { AccountsService } from './accounts/accounts.cli.ts';
import { auditKeysBy } from './audit-keys.ts';
import type { BackgroundService } from './background-commands.ts';
import { readConfig, readPassphrase } from './config.ts';
import type { EventsService } from './events/events.types.ts';
import type { CardsRuntime, CardsService } from './gift-cards/bulk.types.ts';
import { openCardFile } from './gift-cards/card-file.adapter.ts';
import { giftCardInvariants } from './gift-cards/gift-card-invariants.ts';
import type { GiftCardsService } from './gift-cards/gift-cards.types.ts';
import type { CardImportRuntime, CardImportService } from './gift-cards/import.types.ts';
import { CardLineBody } from './gift-cards/import.wire.ts';
import type { LiabilityService } from './gift-cards/liability.types.ts';
import type { LifeRuntime, LifeService } from './gift-cards/life.types.ts';
import { StepBody } from './gift-cards/life.wire.ts';
import { FIND_PRODUCTS } from './gift-cards/products.store.ts';
import { declaredBody } from './http/declared.ts';
import { parseJson } from './http/parse-json.ts';
import { refuseProblems, schemaChecker } from './http/validate.ts';
import { openImport } from './import-file.ts';
import { KEY_USES } from './key-uses.ts';
import { passphraseExport } from './keys/key-export.adapter.ts';
import { exportFiles } from './keys/key-file.adapter.ts';
import type { KeysRuntime, KeysService } from './keys/keys.types.ts';
import { COMMAND_LINE } from './kit/caller.ts';
import type { CommandRuntime } from './kit/command.types.ts';
import { containsCardNumber } from './kit/find-card-numbers.ts';
import { uuidV4 } from './kit/ids.ts';
import { randomDigits, Secret } from './kit/secret.ts';
import { Trouble } from './kit/trouble.ts';
import type { LedgerService } from './ledger/ledger-reads.types.ts';
import { takePaymentNumbers } from './ledger/open-accounts.ts';
import type { MerchantsService } from './merchants/merchants.types.ts';
import { whichPayee } from './merchants/which-payee.ts';
import { whoseCredentials } from './merchants/whose-credentials.ts';
import { cardPaymentInvariants } from './payments/card-payment-invariants.ts';
import type { IssuersService } from './portal/issuers.types.ts';
import type { PortalUsersCommands } from './portal-users/portal-users.cli.ts';
import { openService, type Service } from './service.ts';
import { askUnseen, readSecret, showProgress } from './terminal.ts';
import type { TokensRuntime, TokensService } from './tokens/import.types.ts';
import { ImportLineBody } from './tokens/import.wire.ts';
import type { TokenGuid } from './tokens/tokens.types.ts';
import type { VaultRuntime, VaultService } from './vault/vault.types.ts';

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
    merchants: { withService: opening('required', merchantsService), print },
    keys: {
      // A ring that does not fit must not keep anybody from importing the right one.
      withService: opening('optional', keysService),
      print,
      keyExport: passphraseExport,
      exportFiles,
      passphrase,
      progress: showProgress,
      pause,
    },
    background: { withService: opening('optional', ({ database }) => database), print },
    cardImport: { withService: opening('required', cardImportService), print, openImport, progress: showProgress },
    liability: { withService: opening('optional', ({ database }) => ({ report: database.report, whichPayee })), print },
    vault: { withService: opening('required', vaultService), print, readLines, progress: showProgress },
    tokens: { withService: opening('required', tokensService), print, openImport, progress: showProgress },
    giftCards: { withService: opening('required', giftCardsService), print },
    cardLife: {
      withService: opening('required', cardLifeService),
      print,
      progress: showProgress,
      readNumber: () => readSecret('Card number'),
    },
    cards: {
      withService: opening('required', cardsService),
      print,
      openCardFile,
      progress: showProgress,
      breathe: () => nextTurn(),
    },
    events: { withService: opening('required', eventsService), print },
    accounts: { withService: opening('required', accountsService), print },
    issuers: {
      withService: opening('optional', ({ database, accounts }) => ({
        report: database.report,
        issuers: accounts.issuers,
      })),
      print,
    },
    // Whoever looks whether the books are right needs no keys.
    ledger: { withService: opening('optional', ledgerService), print },
    portalUsers: { withService: opening('required', portalUsersService), print },
  };
}

/**
 * Opens the service for one command and closes it afterwards, whatever happens. Names and reasons that a command is given
 * are stored, and a number given here stands in the shell's history too: a command that is given a card's does nothing.
 */
function opener(given: readonly string[]) {
  return <Part>(keys: 'required' | 'optional', part: (service: Service) => Part) =>
    async <Result>(work: (service: Part) => Promise<Result>): Promise<Result> => {
      const service = await openService({ config: readConfig(), as: 'command', keys, tell: () => undefined });
      try {
        if (given.some((text) => containsCardNumber(text, service.cardPrefixes()))) {
          throw new Trouble('What a command is given must not hold a card number. Nothing was done.');
        }
        return await work(part(service));
      } finally {
        await service.close();
      }
    };
}

function merchantsService({ database, merchants }: Service): MerchantsService {
  return { transact: database.background.transact, merchants };
}

function keysService({ database, keyRing, keyProvider }: Service): KeysService {
  return {
    transact: database.background.transact,
    keyRing,
    keyProvider,
    keyUses: KEY_USES,
    audit: auditKeysBy(COMMAND_LINE),
  };
}

function eventsService({ database, merchants }: Service): EventsService {
  const { read, transact } = database.background;
  return {
    read,
    transact,
    events: merchants,
    whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
  };
}

function portalUsersService({ config, database, portalUsers }: Service): PortalUsersCommands {
  const baseUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
  return { transact: database.background.transact, portalUsers, whose: whoseCredentials, baseUrl };
}

function ledgerService({ database }: Service): LedgerService {
  const invariants = [...giftCardInvariants(), ...cardPaymentInvariants()];
  return { report: database.report, transact: database.background.transact, invariants };
}

function accountsService({ database, vault, accounts }: Service): AccountsService {
  const { transact } = database.background;
  return {
    transact,
    maker: { ...vault, randomDigits, now: accounts.now },
    whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
  };
}

function giftCardsService({ database, giftCards }: Service): GiftCardsService {
  return { transact: database.background.transact, world: giftCards, whichPayee };
}

function cardLifeService({ database, cardLife, cardPrefixes }: Service): LifeService {
  const { transact, read } = database;
  const check = schemaChecker(cardPrefixes)(StepBody);
  return { transact, read, life: cardLife, whichPayee, checkWords: (words) => refuseProblems(check(words)) };
}

function cardsService({ database, vault }: Service): CardsService {
  // As for tokens: many rows by their keys.
  const { transact } = database;
  return {
    transact,
    takeNumbers: (payeeId, count) => transact((transaction) => takePaymentNumbers(transaction, payeeId, count)),
    maker: { ...vault, randomDigits },
    findProduct: database.find(FIND_PRODUCTS),
    whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
  };
}

function cardImportService(service: Service): CardImportService {
  const take = declaredBody(schemaChecker(service.cardPrefixes), CardLineBody);
  return {
    ...cardsService(service),
    parseJson,
    checkLine: (value) => take(value) as Static<typeof CardLineBody>,
  };
}

function vaultService({ database }: Service): VaultService {
  return { transact: database.background.transact };
}

function tokensService({ config, database, vault, cardPrefixes }: Service): TokensService {
  // The planner must not be free here: a plan made while the table was empty would scan it for ever after.
  const { transact } = database;
  const take = declaredBody(schemaChecker(cardPrefixes), ImportLineBody);
  return {
    transact,
    importWorld: {
      ...vault,
      onlyTestNumbers: config.mode === 'sandbox',
      newToken: () => uuidV4() as TokenGuid,
    },
    whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
    readLine: (text) => take(parseJson(text)) as Static<typeof ImportLineBody>,
  };
}

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
