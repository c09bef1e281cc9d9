import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Static, TSchema } from 'typebox';
import { accountInvariants } from '../../accounts/account-invariants.ts';
import type { AccountsService } from '../../accounts/opening/accounts.cli.ts';
import type { EventsService } from '../../events/events.types.ts';
import type { CardsService } from '../../gift-cards/bulk/bulk.types.ts';
import type { CardImportService } from '../../gift-cards/bulk/import.types.ts';
import type { LifeService } from '../../gift-cards/cards/life.types.ts';
import { giftCardInvariants } from '../../gift-cards/gift-card-invariants.ts';
import type { GiftCardsService } from '../../gift-cards/gift-cards.types.ts';
import { FIND_PRODUCTS } from '../../gift-cards/products/products.store.ts';
import type { KeysService } from '../../keys/keys.types.ts';
import { COMMAND_LINE } from '../../kit/caller.ts';
import { uuidV4 } from '../../kit/ids.ts';
import { randomDigits } from '../../kit/secret.ts';
import type { LedgerService } from '../../ledger/accounts/ledger-reads.types.ts';
import { takePaymentNumbers } from '../../ledger/accounts/open-accounts.ts';
import type { MerchantsService } from '../../merchants/merchants.types.ts';
import { whichPayee, whoseCredentials } from '../../merchants/payees/which-payee.ts';
import { cardPaymentInvariants } from '../../payments/card-payment-invariants.ts';
import type { PortalUsersCommands } from '../../portal-users/portal-users.cli.ts';
import type { TokensService } from '../../tokens/import/import.types.ts';
import type { TokenGuid } from '../../tokens/tokens.types.ts';
import type { VaultService } from '../../vault/vault.types.ts';
import { auditKeysBy } from '../audit-keys.ts';
import { KEY_USES } from '../key-uses.ts';
import type { Service } from '../service.ts';

/** What each command's slice needs of the service. This file is loaded by a command that opens the service, and by no other. */
export const COMMAND_SERVICES = {
  merchants: merchantsService,
  keys: keysService,
  background: ({ database }: Service) => database,
  cardImport: cardImportService,
  liability: ({ database }: Service) => ({ report: database.report, whichPayee }),
  vault: vaultService,
  tokens: tokensService,
  giftCards: giftCardsService,
  cardLife: cardLifeService,
  cards: cardsService,
  events: eventsService,
  accounts: accountsService,
  issuers: ({ database, accounts }: Service) => ({ report: database.report, issuers: accounts.issuers }),
  ledger: ledgerService,
  portalUsers: portalUsersService,
};

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
  const invariants = [...accountInvariants(), ...giftCardInvariants(), ...cardPaymentInvariants()];
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
  return { transact: database.background.transact, context: giftCards, whichPayee };
}

async function cardLifeService({ database, cardLife, cardPrefixes }: Service): Promise<LifeService> {
  const { transact, read } = database;
  const [{ StepBody }, { refuseProblems, schemaChecker }] = await Promise.all([
    import('../../gift-cards/cards/life.wire.ts'),
    import('../../http/body/validate.ts'),
  ]);
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

async function cardImportService(service: Service): Promise<CardImportService> {
  const { CardLineBody } = await READERS.cardImport();
  const { take, parseJson } = await lineReader(service, CardLineBody);
  return { ...cardsService(service), parseJson, checkLine: take };
}

function vaultService({ database }: Service): VaultService {
  return { transact: database.background.transact };
}

async function tokensService(service: Service): Promise<TokensService> {
  const { config, database, vault } = service;
  // The planner must not be free here: a plan made while the table was empty would scan it for ever after.
  const { transact } = database;
  const { ImportLineBody } = await READERS.tokens();
  const { take, parseJson } = await lineReader(service, ImportLineBody);
  return {
    transact,
    importContext: {
      ...vault,
      onlyTestNumbers: config.mode === 'sandbox',
      newToken: () => uuidV4() as TokenGuid,
      breathe: () => nextTurn(),
    },
    whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
    readLine: (text) => take(parseJson(text)),
  };
}

/** The forms of lines. */
const READERS = {
  tokens: () => import('../../tokens/import/import.wire.ts'),
  cardImport: () => import('../../gift-cards/bulk/import.wire.ts'),
};

/** Begins to load what reads lines, while the service is opened: schemas and their checker take half of a command's start. */
export function loadAhead(name: string): void {
  if (name !== 'tokens' && name !== 'cardImport') return;
  // Awaited by what uses it, which says what is wrong with it.
  Promise.all([READERS[name](), import('../../http/body/validate.ts')]).catch(() => undefined);
}

/** What reads the lines of a file. */
async function lineReader<Body extends TSchema>({ cardPrefixes }: Service, body: Body) {
  const [{ declaredBody }, { parseJson }, { schemaChecker }] = await Promise.all([
    import('../../http/body/declared.ts'),
    import('../../http/body/parse-json.ts'),
    import('../../http/body/validate.ts'),
  ]);
  const read = declaredBody(schemaChecker(cardPrefixes), body);
  return { take: (value: unknown) => read(value) as Static<Body>, parseJson };
}
