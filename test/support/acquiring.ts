import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestDatabase, testDatabase } from './database.ts';
import { type Installation, install, type Started } from './kontor.ts';
import { until } from './until.ts';

/** A production installation whose programs are processes, as an operator runs them. */
export interface Acquiring {
  readonly installation: Installation;
  readonly database: TestDatabase;
  readonly payeeId: string;
  readonly accessToken: string;
  /** Starts `kontor acquirers simulate` and says where it listens. */
  simulate(...options: readonly string[]): Promise<{ port: number; started: Started }>;
  /** Writes acquirers.json. */
  configure(file: object): void;
  /** Starts the service with acquirers.json, and says where it listens. */
  serve(): Promise<{ baseUrl: string; started: Started }>;
  remove(): Promise<void>;
}

/** An acquirer on this machine, as acquirers.json names it. */
export function simulated(port: number, others: object = {}) {
  return {
    id: 'north',
    name: 'North Acquiring',
    dialect: 'iso93',
    host: '127.0.0.1',
    port,
    tls: 'none',
    acquiringInstitution: '957800',
    forwardingInstitution: '957801',
    answerMs: 2_000,
    cutOver: '23:00',
    timeZone: 'Europe/Oslo',
    testHost: true,
    ...others,
  };
}

/** An agreement of a payee at it. */
export function agreed(payeeId: string, others: object = {}) {
  return {
    id: 'demo-nok',
    payeeId,
    acquirer: 'north',
    merchantId: '000012345678901',
    terminalIds: ['WEB00001'],
    mcc: '5732',
    merchant: { name: 'Demo AS', street: 'Storgata 1', city: 'Oslo', postalCode: '0155', country: 'NOR' },
    currencies: ['NOK'],
    brands: ['Visa'],
    ...others,
  };
}

/** Installs production on a database of its own, with a payee. Remove it in `afterAll`. */
export async function acquiring(): Promise<Acquiring> {
  const database = await testDatabase();
  const installation = install({
    KONTOR_MODE: 'production',
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_KEY_FILE: 'ring.json',
    KONTOR_DATA_DIR: 'data',
  });
  mkdirSync(join(installation.folder, 'data'));
  const json = async (...args: string[]) => JSON.parse((await installation.kontor([...args, '--json'])).stdout);
  const { payeeId } = await json('payees', 'create', '--name', 'Demo AS');
  const { accessToken } = await json(
    'access-tokens',
    'create',
    '--payee',
    payeeId,
    '--scopes',
    'payments,payments:direct',
  );
  const listening = async (args: readonly string[], pattern: RegExp) => {
    const started = installation.start(['node', 'dist/main.js', ...args]);
    let printed = '';
    started.process.stdout?.on('data', (bytes: Buffer) => {
      printed += bytes.toString();
    });
    await until(() => pattern.test(printed) || started.process.exitCode !== null, 30_000);
    const found = pattern.exec(printed)?.[1];
    if (found === undefined) throw new Error(`it has ended: ${(await started.ended).stderr}`);
    return { found, started };
  };
  return {
    installation,
    database,
    payeeId,
    accessToken,
    async simulate(...options) {
      const { found, started } = await listening(
        ['acquirers', 'simulate', '--port', '0', ...options],
        /listens on 127\.0\.0\.1:(\d+)/,
      );
      return { port: Number(found), started };
    },
    configure(file) {
      const path = join(installation.folder, 'data', 'acquirers.json');
      writeFileSync(path, JSON.stringify(file));
      chmodSync(path, 0o600);
    },
    async serve() {
      const { found, started } = await listening(['serve'], /Kontor is ready at (\S+)\.\n/);
      return { baseUrl: found, started };
    },
    async remove() {
      await installation.remove();
      await database.drop();
    },
  };
}
