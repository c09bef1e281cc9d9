import type { EmbeddedPostgres } from '../../sandbox/postgres/embedded.types.ts';
import type { Config } from '../config.ts';
import type { BatchObserver } from '../db/batch/batch.types.ts';
import type { ObserveGroup } from '../db/reading/group-read.ts';
import { migrate, pendingMigrations } from '../db/schema/migrate.ts';
import { guardComplaints } from '../db/schema/schema-guards.ts';
import { connect, roleOf } from '../db/server/connection.ts';
import type { Database } from '../db/server/database.types.ts';
import { explained } from '../db/server/explain.ts';
import { ensureMode, requireMode } from '../db/server/installation.ts';
import { openDatabase } from '../db/server/open-database.ts';
import { requireSessions } from '../db/server/pooler.ts';
import { rightsComplaints } from '../db/server/privileges.ts';
import { requireDatabase, serverComplaints } from '../db/server/server-settings.ts';
import type { Read, Transaction } from '../db/transaction.types.ts';
import { loadGiftCardPrefixes } from '../gift-cards/products/products.ts';
import { OWN_PREFIX } from '../issuers/issuers.rules.ts';
import { keyStorage } from '../keys/compose.ts';
import type { KeyStorage } from '../keys/keys.types.ts';
import { hasKeys, startKeys } from '../keys/ring/start-keys.ts';
import { COMMAND_LINE, SERVICE } from '../kit/caller.ts';
import { uuidV7 } from '../kit/ids.ts';
import { randomDigits, randomKey, randomSecret } from '../kit/secret.ts';
import { Trouble } from '../kit/work/trouble.ts';
import { loadCardPrefixes } from '../vault/find-card-ranges.ts';
import { acquirersOf } from './acquirers.ts';
import { noteMigrations } from './note-life.ts';
import { sandboxComplaints } from './sandbox-complaints.ts';
import { auditKeysBy, composeSlices, type SliceParts, type Slices } from './slices.ts';

/** Everything that a server and the commands work with: the database, the keys, and the slices. */
export interface Service extends SliceParts, Contexts {
  readonly slices: Slices;
  /** Reads the prefixes again: another process may have loaded card ranges. */
  loadCardPrefixes(): Promise<void>;
  /** Gives back connections and the embedded server. Safe to call twice. */
  close(): Promise<void>;
}

/** What the verbs of slices are given beside a transaction, for code that calls them past their routes and commands. */
type Contexts = ReturnType<typeof contextsOf>;

function contextsOf({ merchants, portalUsers, accounts, giftCards, payments, ledger }: Slices) {
  return {
    merchants: merchants.context,
    portalUsers: portalUsers.context,
    accounts: accounts.context,
    giftCards: giftCards.context,
    cardPayments: payments.context,
    ledger: ledger.ledger,
  };
}

export interface OpenServiceOptions {
  readonly config: Config;
  /** `serve` owns an embedded database; `command` shares it with a running service. */
  readonly as: 'serve' | 'command';
  /**
   * Whether what is missing is made: the embedded database, migrations of a sandbox, the key ring, test cards. Others than `serve`
   * and `sandbox` may run without their settings, and would make an empty sandbox beside what they should look at.
   */
  readonly mayMake?: boolean;
  /** Whether the key ring must fit the database; `optional` for commands that put it right. */
  readonly keys: 'required' | 'optional';
  /** What happens, one line each. */
  readonly tell: (line: string) => void;
  /** Hears of each grouped read. */
  readonly observeGroup?: ObserveGroup;

  /** Is told how batches of money go; a single command needs none. */
  readonly observer?: BatchObserver;
}

const NO_OBSERVER: BatchObserver = {
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
  const { config, as, mayMake = as === 'serve', keys, tell, observeGroup, observer = NO_OBSERVER } = options;
  const acquirers = await acquirersOf(config);
  const sandbox = config.mode === 'sandbox' ? await import('../../sandbox/sandbox.ts') : undefined;
  if (!mayMake) await requireEmbedded(config);
  const { urls, embedded } = await findDatabase(config, as, tell);
  const database = openDatabase({ url: urls.appUrl, ...(observeGroup && { observeGroup }) });
  const close = async (): Promise<void> => {
    await database.close();
    await embedded?.stop();
  };
  try {
    return await explained(() => open());
  } catch (error) {
    await close();
    throw error;
  }

  async function open(): Promise<Service> {
    if (as === 'serve' && embedded === undefined) await requireSessions(urls.appUrl);
    await bringUpToDate({ config, as, mayMake, tell }, database, urls);
    const { keyRing, keyProvider } = keyStorage(config);
    if (!mayMake && !(await database.transact(hasKeys))) throw neverStarted();
    await database
      .transact((transaction) => startRing(transaction, { keyRing, keyProvider }, mayMake))
      .catch((error) => {
        if (keys === 'required' || !(error instanceof Trouble)) throw error;
      });
    // The test cards are there from the first start on; an operator's ranges are loaded by a command.
    if (mayMake && sandbox !== undefined) await database.transact(sandbox.addTestCardRanges);
    const { loadCardPrefixes, ...cardRanges } = await openCardRanges(database);
    const newId = () => uuidV7(Date.now());
    const parts = {
      config,
      acquirers,
      sandbox: sandbox?.SANDBOX,
      database,
      keyRing,
      keyProvider,
      newId,
      newSecret: randomSecret,
      newRandom: randomKey,
      randomDigits,
      observer,
      ...cardRanges,
    };
    const slices = composeSlices(parts);
    return { ...parts, ...contextsOf(slices), slices, loadCardPrefixes, close };
  }
}

async function startRing(transaction: Transaction, storage: KeyStorage, mayMake: boolean): Promise<void> {
  await auditKeysBy(SERVICE)(transaction, await startKeys(transaction, storage, mayMake));
}

type CardRanges = Pick<Service, 'cardPrefixes' | 'notePrefix' | 'loadCardPrefixes'>;

async function openCardRanges(database: Database): Promise<CardRanges> {
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

/** Applies what the database lacks, without opening the service: `kontor migrate`. */
export async function migrateOnly(config: Config, tell: (line: string) => void): Promise<readonly string[]> {
  // That of a sandbox is made by its first start; production may want one of this name.
  if (config.mode === 'sandbox') await requireEmbedded(config);
  const { urls, embedded } = await findDatabase(config, 'command', tell);
  try {
    return await explained(async () => {
      const connection = await connect(urls.ownerUrl);
      try {
        const run: Read = (statement, values) => connection.run(statement, values);
        await requireMode(run, config.mode);
        const applied = await migrate({ ...urls, tell });
        await ensureMode({ run }, config.mode);
        await noteMigrations({ run }, applied, COMMAND_LINE);
        return applied;
      } finally {
        await connection.end();
      }
    });
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
    requireFiles('KONTOR_DATABASE_URL', config.databaseUrl);
    requireFiles('KONTOR_DATABASE_OWNER_URL', ownerUrl);
    return { urls: { appUrl: config.databaseUrl, ownerUrl }, embedded: undefined };
  }
  const { startEmbedded } = await import('../../sandbox/postgres/embedded.ts');
  const embedded = await startEmbedded({ dataDir: config.dataDir, as, log: tell });
  return { urls: embedded, embedded };
}

const LOAD_SETTINGS = 'Load the settings with kontor --env FILE, or name the file in KONTOR_ENV_FILE';

/** @throws Trouble where the settings want the embedded database, and there is none */
async function requireEmbedded({ databaseUrl, dataDir, mode }: Config): Promise<void> {
  if (databaseUrl !== undefined) return;
  const { hasEmbedded } = await import('../../sandbox/postgres/embedded-paths.ts');
  if (await hasEmbedded(dataDir)) return;
  const made = mode === 'sandbox' ? 'kontor serve makes a sandbox there' : 'kontor migrate makes one there';
  throw new Trouble(`There is no database in ${dataDir}. ${LOAD_SETTINGS}; ${made}.`);
}

function neverStarted(): Trouble {
  return new Trouble(
    `There is nothing in this database yet: no service was ever started on it. ${LOAD_SETTINGS}, or start kontor serve once.`,
  );
}

/** The driver reads the files that an address names, each time that it reads the address. */
function requireFiles(name: string, url: string): void {
  try {
    roleOf(url);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Trouble(
      `${name} names a file (sslrootcert, sslcert or sslkey) that cannot be read${code === undefined ? '' : ` (${code})`}.`,
    );
  }
}

/**
 * The sandbox migrates by itself; production waits for the operator to decide, and needs a server that keeps its word.
 */
async function bringUpToDate(
  { config, as, mayMake, tell }: Pick<OpenServiceOptions, 'config' | 'as' | 'mayMake' | 'tell'>,
  database: Database,
  urls: DatabaseUrls,
): Promise<void> {
  const reader = { run: database.read };
  await requireDatabase(reader);
  await requireMode(database.read, config.mode);
  if (config.mode === 'sandbox' && mayMake) {
    const steps = await migrate({ ...urls, tell });
    await database.transact(async (transaction) => {
      await ensureMode(transaction, config.mode);
      await noteMigrations(transaction, steps, SERVICE);
    });
    if (steps.length > 0) tell(`Migrated: ${[...new Set([steps[0], steps.at(-1)])].join(' to ')}`);
    return;
  }
  if (config.mode === 'production') refuseFor(await serverComplaints(reader));
  const pending = await pendingMigrations(database);
  if (pending.length > 0) {
    throw new Trouble(`The database lacks ${pending.length} migrations of this version. Run: kontor migrate`);
  }
  if (config.mode === 'sandbox') return;
  // Guards first: by the comments among them, `kontor migrate` knows which rights to give.
  refuseFor([...(await guardComplaints(reader)), ...(await rightsComplaints(reader))]);
  if (as !== 'serve') return;
  refuseFor(await sandboxComplaints(reader));
  await database.transact((transaction) => ensureMode(transaction, config.mode));
}

function refuseFor(complaints: readonly string[]): void {
  if (complaints.length > 0) throw new Trouble(`The database is not safe for production.\n${complaints.join('\n')}`);
}
