import type { AccountsContext } from '../accounts/accounts.types.ts';
import { ACCOUNT_PAYMENTS } from '../accounts/payment-shelves.ts';
import type { Config } from '../config.ts';
import type { BatchObserver } from '../db/batch/batch.types.ts';
import { startEmbedded } from '../db/embedded/embedded.ts';
import type { EmbeddedPostgres } from '../db/embedded/embedded.types.ts';
import { isLost, StatementFailed } from '../db/failures.ts';
import type { ObserveGroup } from '../db/group-read.ts';
import { migrate, pendingMigrations } from '../db/migrate.ts';
import { type Database, openDatabase } from '../db/open-database.ts';
import { requireVersion, serverComplaints } from '../db/server-settings.ts';
import type { Transaction } from '../db/transaction.types.ts';
import type { LifeContext } from '../gift-cards/cards/life.types.ts';
import type { GiftCardsContext } from '../gift-cards/gift-cards.types.ts';
import { loadGiftCardPrefixes } from '../gift-cards/products/products.ts';
import { OWN_PREFIX } from '../issuers/issuers.rules.ts';
import { keyFile } from '../keys/export/key-file.adapter.ts';
import type { KeyProvider, KeyRing, KeyStorage } from '../keys/keys.types.ts';
import { createKeyRing } from '../keys/ring/key-ring.adapter.ts';
import { loadRing } from '../keys/ring/load-ring.ts';
import { startKeys } from '../keys/ring/start-keys.ts';
import { SERVICE } from '../kit/caller.ts';
import type { CardPrefixes } from '../kit/cards/card-number.ts';
import { Refusal } from '../kit/errors.ts';
import { uuidV7 } from '../kit/ids.ts';
import { randomKey, randomSecret } from '../kit/secret.ts';
import { Trouble } from '../kit/work/trouble.ts';
import type { Ledger } from '../ledger/ledger.types.ts';
import { makeLedger } from '../ledger/make-ledger.ts';
import type { MerchantsContext } from '../merchants/merchants.types.ts';
import type { CardPaymentsContext } from '../payments/payments.types.ts';
import type { ApprovalsContext } from '../portal/approvals/approvals.types.ts';
import { scryptPasswords } from '../portal-users/passwords/passwords.adapter.ts';
import type { PortalUsersContext } from '../portal-users/portal-users.types.ts';
import { addOwnCardRanges, addSandboxCardRanges } from '../vault/add-test-card-ranges.ts';
import { loadCardPrefixes } from '../vault/find-card-ranges.ts';
import type { VaultContext } from '../vault/vault.types.ts';
import { accountsContext } from './accounts-context.ts';
import { auditKeysBy } from './audit-keys.ts';
import { cardLifeContext } from './card-life-context.ts';
import { cardPaymentsContext } from './card-payments-context.ts';
import { giftCardsContext } from './gift-cards-context.ts';

/** Everything that a server and the commands work with: the database, the keys, and what the slices need of them. */
export interface Service {
  readonly config: Config;
  readonly database: Database;
  readonly keyRing: KeyRing;
  readonly keyProvider: KeyProvider;
  readonly merchants: MerchantsContext;
  readonly portalUsers: PortalUsersContext;
  readonly approvals: ApprovalsContext;
  readonly vault: VaultContext;
  readonly ledger: Ledger;
  readonly accounts: AccountsContext;
  readonly cardLife: LifeContext;
  readonly giftCards: GiftCardsContext;
  readonly cardPayments: CardPaymentsContext;
  /** Beginnings of card numbers beside the schemes' own, for the scan of free text. */
  readonly cardPrefixes: () => CardPrefixes;
  /** Reads them again: another process may have loaded card ranges. */
  loadCardPrefixes(): Promise<void>;
  /** Gives back connections and the embedded server. Safe to call twice. */
  close(): Promise<void>;
}

export interface OpenServiceOptions {
  readonly config: Config;
  /** `serve` owns an embedded database; `command` shares it with a running service. */
  readonly as: 'serve' | 'command';
  /** Whether the key ring must fit the database; `optional` for commands that put it right. */
  readonly keys: 'required' | 'optional';
  /** What happens, one line each. */
  readonly tell: (line: string) => void;
  /** Hears of each grouped read. */
  readonly observeGroup?: ObserveGroup;

  /** Is told how batches of money go; a single command needs none. */
  readonly observer?: BatchObserver;
}

const NOBODY: BatchObserver = {
  committed: () => undefined,
  leftOut: () => undefined,
  split: () => undefined,
  unknown: () => undefined,
};

/** Addresses of one database: the service's role and the one that owns the tables, which may be the same. */
interface DatabaseUrls {
  readonly appUrl: string;
  readonly ownerUrl: string;
}

/**
 * Opens the database, brings it up to this version where that is allowed, and loads the keys.
 *
 * @throws Trouble where something must be put right first; its message says what
 */
export async function openService(options: OpenServiceOptions): Promise<Service> {
  const { config, as, keys, tell, observeGroup, observer = NOBODY } = options;
  const { urls, embedded } = await findDatabase(config, as, tell);
  const database = openDatabase({ url: urls.appUrl, ...(observeGroup && { observeGroup }) });
  const close = async (): Promise<void> => {
    await database.close();
    await embedded?.stop();
  };
  try {
    await explained(() => bringUpToDate(config, database, urls, tell));
    const keyProvider = keyFile(config.keyFile);
    const keyRing = createKeyRing(() => loadRing(keyProvider));
    await database
      .transact((transaction) => startRing(transaction, { keyRing, keyProvider }))
      .catch((error) => {
        if (keys === 'required' || !(error instanceof Trouble)) throw error;
      });
    const { notePrefix, ...cardRanges } = await openCardRanges(config, database);
    const vault = { keyRing, newId: () => uuidV7(Date.now()), cardPrefixes: cardRanges.cardPrefixes };
    const merchants = { ...vault, mode: config.mode, newSecret: randomSecret };
    const portalUsers = { ...merchants, passwords: scryptPasswords(), newRandom: randomKey };
    const { batchMax } = config;
    const ledger = makeLedger((program) => database.batch(program, { batchMax, observer }), {
      newId: vault.newId,
      ...ACCOUNT_PAYMENTS,
    });
    const accounts = accountsContext({ config, database, vault, ledger });
    const cardLife = cardLifeContext({ database, vault, ledger });
    const giftCards = giftCardsContext({
      accounts,
      cardLife,
      database,
      config,
      notePrefix,
      cardPrefixes: cardRanges.cardPrefixes,
    });
    const cardPayments = cardPaymentsContext({ config, database, vault, accounts });
    return {
      config,
      database,
      keyRing,
      keyProvider,
      merchants,
      portalUsers,
      approvals: { transact: database.transact, ...vault, defaultLimits: config.givingLimits },
      vault,
      ledger,
      accounts,
      cardLife,
      giftCards,
      cardPayments,
      ...cardRanges,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startRing(transaction: Transaction, storage: KeyStorage): Promise<void> {
  await auditKeysBy(SERVICE)(transaction, await startKeys(transaction, storage));
}

interface CardRanges extends Pick<Service, 'cardPrefixes' | 'loadCardPrefixes'> {
  /** Adds one that others may not have been told of yet. */
  notePrefix(prefix: string): void;
}

/** The test ranges of the sandbox are there from the first start on; an operator's are loaded by a command. */
async function openCardRanges(config: Config, database: Database): Promise<CardRanges> {
  if (config.mode === 'sandbox') await database.transact(addTestRanges);
  const load = async (from: Pick<Database, 'transact'>) => [
    OWN_PREFIX,
    ...(await from.transact(loadCardPrefixes)),
    ...(await from.transact(loadGiftCardPrefixes)),
  ];
  const noted = new Set<string>();
  let prefixes = await load(database);
  return {
    cardPrefixes: () => prefixes,
    loadCardPrefixes: async () => {
      const loaded = await load(database.background);
      // One that was noted meanwhile may be too new for what was read.
      prefixes = [...new Set([...loaded, ...noted])];
    },
    notePrefix: (prefix) => {
      noted.add(prefix);
      if (!prefixes.includes(prefix)) prefixes = [...prefixes, prefix];
    },
  };
}

/** Of the test cards of the schemes, and of our own. */
async function addTestRanges(transaction: Transaction): Promise<void> {
  await addSandboxCardRanges(transaction);
  await addOwnCardRanges(transaction, [OWN_PREFIX, ...(await loadGiftCardPrefixes(transaction))]);
}

/** Applies what the database lacks, without opening the service: `kontor migrate`. */
export async function migrateOnly(config: Config, tell: (line: string) => void): Promise<readonly string[]> {
  const { urls, embedded } = await findDatabase(config, 'command', tell);
  try {
    return await explained(() => migrate(urls));
  } finally {
    await embedded?.stop();
  }
}

async function findDatabase(
  config: Config,
  as: 'serve' | 'command',
  tell: (line: string) => void,
): Promise<{ urls: DatabaseUrls; embedded: EmbeddedPostgres | undefined }> {
  if (config.databaseUrl !== undefined) {
    const ownerUrl = config.databaseOwnerUrl ?? config.databaseUrl;
    return { urls: { appUrl: config.databaseUrl, ownerUrl }, embedded: undefined };
  }
  const embedded = await startEmbedded({ dataDir: config.dataDir, as, log: tell });
  return { urls: embedded, embedded };
}

/** A caller of the API learns only that the database is away; whoever starts the service can put it right, and learns why. */
async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Refusal && error.code === 'unavailable' ? error.cause : error;
    if (reason instanceof Error && isLost(reason)) {
      throw new Trouble(`The database cannot be reached (${reason.message}). Is it running, and is its address right?`);
    }
    if (reason instanceof StatementFailed && reason.code === INSUFFICIENT_PRIVILEGE) {
      throw new Trouble(
        `The role in the database's address may not do what is needed (${reason.message}). ` +
          'For kontor migrate, set KONTOR_DATABASE_OWNER_URL to an address with the role that owns the tables.',
      );
    }
    throw error;
  }
}

/** SQLSTATE. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** The sandbox migrates by itself; production waits for somebody to decide, and needs a server that keeps its word. */
async function bringUpToDate(
  config: Config,
  database: Database,
  urls: DatabaseUrls,
  tell: (line: string) => void,
): Promise<void> {
  const reader = { run: database.read };
  await requireVersion(reader);
  if (config.mode === 'sandbox') {
    const steps = await migrate(urls);
    if (steps.length > 0) tell(`Migrated: ${[...new Set([steps[0], steps.at(-1)])].join(' to ')}`);
    return;
  }
  const complaints = await serverComplaints(reader);
  if (complaints.length > 0) throw new Trouble(`The database is not safe for production.\n${complaints.join('\n')}`);
  const pending = await pendingMigrations(database);
  if (pending.length === 0) return;
  throw new Trouble(`The database lacks ${pending.length} migrations of this version. Run: kontor migrate`);
}
