import { readFileSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { keyStorage } from '../../src/keys/compose.ts';
import { startKeys } from '../../src/keys/ring/start-keys.ts';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { openService, type Service } from '../../src/wiring/service.ts';
import type { TestDatabase } from '../support/database/database.ts';
import { emptyDatabaseBefore } from '../support/database/older-database.ts';
import { serverOf } from '../support/prober/routes-server.ts';
import type { TestService } from '../support/service.ts';
import { stopClock } from './clock.ts';
import { commandsAbout } from './commands.ts';
import { type Question, questionsOf } from './questions.ts';
import { KEPT_FILES, keptFile, LAST_MIGRATION, loadRows } from './rows.ts';

/** The kept rows, migrated to this version, and a service in front of them whose clock stands still. No job of it runs. */
export interface Recorded {
  readonly database: TestDatabase;
  readonly service: Service;
  /** Whose rows they are, and what requests are sent with. */
  readonly payee: Pick<TestService, 'payeeId' | 'accessToken' | 'hmac'>;
  readonly address: AddressInfo;
  readonly questions: readonly Question[];
  /** Words of commands that are asked, too. */
  readonly commands: readonly string[];
  close(): Promise<void>;
}

/** The address that links in answers have. */
const BASE_URL = 'http://kontor.example';

/**
 * @param beforeMigration looks at the rows as they were kept
 */
export async function openRecorded(beforeMigration: (database: TestDatabase) => Promise<unknown>): Promise<Recorded> {
  const endings: (() => unknown)[] = [];
  const close = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    return { ...(await open(beforeMigration, endings)), close };
  } catch (error) {
    // Other files of this process have its clock.
    await close();
    throw error;
  }
}

async function open(
  beforeMigration: (database: TestDatabase) => Promise<unknown>,
  endings: (() => unknown)[],
): Promise<Omit<Recorded, 'close'>> {
  const database = await emptyDatabaseBefore(LAST_MIGRATION + 1);
  endings.push(() => database.drop());
  await loadRows(database);
  const dataDir = await keptFiles();
  endings.push(() => rm(dataDir, { recursive: true }));
  endings.push(await stopClock(database, readFileSync(keptFile('instant.txt'), 'utf8').trim()));
  await beforeMigration(database);
  const config = readConfig({
    KONTOR_MODE: 'sandbox',
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_DATABASE_OWNER_URL: database.ownerUrl,
    KONTOR_DATA_DIR: dataDir,
    KONTOR_PORT: '0',
    KONTOR_LOG_LEVEL: 'silent',
    KONTOR_REQUESTS_PER_MINUTE: '0',
    KONTOR_PAGES_PER_MINUTE: '0',
  });
  const payee = JSON.parse(readFileSync(keptFile('sandbox.json'), 'utf8'));
  const { keyRing, keyProvider } = keyStorage(config);
  await database.transact((transaction) => startKeys(transaction, { keyRing, keyProvider }, false));
  const source = { database, payeeId: payee.payeeId, keyRing };
  const questions = await questionsOf(source, describeRoutes());
  const commands = await commandsAbout(source);
  await migrate(database);
  const service = await openService({ config, as: 'command', keys: 'required', tell: () => undefined });
  endings.push(() => service.close());
  const { app } = await serverOf({ config, service, baseUrl: BASE_URL });
  endings.push(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { database, service, payee, address: app.server.address() as AddressInfo, questions, commands };
}

/** A data directory with what the service had beside its rows. */
async function keptFiles(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'kontor-recorded-'));
  for (const name of KEPT_FILES) {
    await cp(keptFile(name), join(dataDir, name));
    // A checkout has them as Git makes files, and a key ring is for its owner alone.
    await chmod(join(dataDir, name), 0o600);
  }
  return dataDir;
}
