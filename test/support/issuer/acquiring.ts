import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { businessDayOf } from '../../../src/issuers/acquirers/business-day.rules.ts';
import { COMMAND_LINE } from '../../../src/kit/caller.ts';
import { createAccessToken } from '../../../src/merchants/access-tokens/access-tokens.ts';
import { createPayee } from '../../../src/merchants/payees/create-payee.ts';
import { openService, type Service } from '../../../src/wiring/service.ts';
import type { MadeCertificate } from '../certificates.ts';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { type Installation, install, type Started } from '../kontor.ts';
import { until } from '../until.ts';
import { FAR_CUT_OVER } from './cut-over.ts';

/** A service that is ready. */
interface Served {
  readonly baseUrl: string;
  readonly started: Started;
  /** All that it has written so far. */
  log(): string;
  /** Where it takes results of 3-D Secure. The log goes its own way, and may say so after the service is ready. */
  resultsPort(): Promise<number>;
}

/** A production installation whose programs are processes, as an operator runs them. */
export interface Acquiring {
  readonly installation: Installation;
  readonly database: TestDatabase;
  readonly payeeId: string;
  readonly accessToken: string;
  /** Starts `kontor acquirers simulate` and says where it listens. */
  simulate(...options: readonly string[]): Promise<{ port: number; started: Started }>;
  /** Starts `kontor three-ds simulate` and says where its directory server listens. */
  simulateThreeDS(...options: readonly string[]): Promise<{ port: number; started: Started }>;
  /** Writes acquirers.json. */
  configure(file: object): void;
  /** Writes a certificate and its key beside it. @returns their names, as that file has them */
  keep(name: string, made: MadeCertificate): { cert: string; key: string };
  /** The path of a file beside it. */
  beside(name: string): string;
  /** Starts the service with acquirers.json, and says where it listens. */
  serve(...options: readonly string[]): Promise<Served>;
  /** Does something as a command does, but in this process. */
  inService<Result>(work: (service: Service) => Promise<Result>): Promise<Result>;
  /** The business day of the acquirer that payments are of now. */
  businessDay(): Promise<string>;
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
    // Each host is an acquirer of its own.
    acquiringInstitution: String(900_000 + port),
    forwardingInstitution: '957801',
    answerMs: 2_000,
    cutOver: FAR_CUT_OVER,
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

/** Makes a payee that may pay, as the commands do, but in this process: two commands take more than a second of a core. */
function withCredentials({ database, merchants }: Service) {
  return database.transact(async (transaction) => {
    const payeeId = await createPayee(transaction, merchants, { name: 'Demo AS', actor: COMMAND_LINE });
    const scopes = ['payments', 'payments:direct'];
    const asked = { payeeId, name: 'Test', scopes, actor: COMMAND_LINE };
    const { accessToken } = await createAccessToken(transaction, merchants, asked);
    return { payeeId, accessToken: accessToken.reveal() };
  });
}

/**
 * Installs production on a database of its own, with a payee. Remove it in `afterAll`.
 *
 * @param main the built program that serves, where it is not the checkout's
 * @param own the database, where that is not one of the server that all files share
 */
export async function acquiring(
  settings: Readonly<Record<string, string>> = {},
  main = 'dist/main.js',
  own?: TestDatabase,
): Promise<Acquiring> {
  const database = own ?? (await testDatabase());
  const environment = { KONTOR_MODE: 'production', KONTOR_DATABASE_URL: database.appUrl, ...settings };
  const installation = install({ ...environment, KONTOR_KEY_FILE: 'ring.json', KONTOR_DATA_DIR: 'data' });
  mkdirSync(join(installation.folder, 'data'));
  const inService: Acquiring['inService'] = async (work) => {
    const config = readConfig({
      ...environment,
      KONTOR_KEY_FILE: join(installation.folder, 'ring.json'),
      KONTOR_DATA_DIR: join(installation.folder, 'data'),
    });
    const service = await openService({
      config,
      as: 'command',
      mayMake: true,
      keys: 'required',
      tell: () => undefined,
    });
    return work(service).finally(() => service.close());
  };
  const { payeeId, accessToken } = await inService(withCredentials);
  const beside = (name: string) => join(installation.folder, 'data', name);
  const write = (name: string, text: string) => {
    writeFileSync(beside(name), text);
    chmodSync(beside(name), 0o600);
  };
  const listening = async (args: readonly string[], pattern: RegExp, program = 'dist/main.js') => {
    const started = installation.start(['node', program, ...args]);
    let printed = '';
    started.process.stdout?.on('data', (bytes: Buffer) => {
      printed += bytes.toString();
    });
    await until(() => pattern.test(printed) || started.process.exitCode !== null, 30_000);
    const found = pattern.exec(printed)?.[1];
    if (found === undefined) throw new Error(`it has ended: ${(await started.ended).stderr}`);
    return { found, started, log: () => printed };
  };
  return {
    installation,
    database,
    payeeId,
    accessToken,
    inService,
    async simulate(...options) {
      const { found, started } = await listening(
        ['acquirers', 'simulate', '--port', '0', '--cut-over', FAR_CUT_OVER, ...options],
        /listens on 127\.0\.0\.1:(\d+)/,
      );
      return { port: Number(found), started };
    },
    async simulateThreeDS(...options) {
      const { found, started } = await listening(
        ['three-ds', 'simulate', '--port', '0', '--bank-port', '0', ...options],
        /listens on https?:\/\/127\.0\.0\.1:(\d+)\/visa/,
      );
      return { port: Number(found), started };
    },
    configure: (file) => write('acquirers.json', JSON.stringify(file)),
    keep(name, { cert, key }) {
      write(`${name}.pem`, cert);
      write(`${name}.key`, key);
      return { cert: `${name}.pem`, key: `${name}.key` };
    },
    beside,
    async serve(...options) {
      const ready = /Kontor is ready at (\S+?)(?:\."|, in )/;
      const { found, started, log } = await listening(['serve', ...options], ready, main);
      const results = /Results of 3-D Secure are taken on port (\d+)/;
      const resultsPort = async () => {
        await until(() => results.test(log()));
        return Number(results.exec(log())?.[1]);
      };
      return { baseUrl: found, started, log, resultsPort };
    },
    async businessDay() {
      // As the acquirer has said it, else as it counts.
      const [row] = await database.asAdmin('select max(business_day)::text as day from acquirer_exchange');
      if (row?.['day']) return String(row['day']);
      return businessDayOf(Date.now(), { cutOver: FAR_CUT_OVER, timeZone: 'Europe/Oslo' });
    },
    async remove() {
      await installation.remove();
      await database.drop();
    },
  };
}

/** An answer as it came. */
export interface ShopAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  readonly body: any;
}

/** Where an operation of an answer leads. */
export const href = (answer: ShopAnswer, rel: string): string =>
  answer.body.operations.find((operation: { rel: string }) => operation.rel === rel).href;

/** What a payee's program does, and what the books of the test acquirer say then. */
export function acquiringShop(where: () => { baseUrl: string; accessToken: string; journal: string }) {
  async function send(path: string, body?: object): Promise<ShopAnswer> {
    const { baseUrl, accessToken } = where();
    const answer = await fetch(new URL(path, baseUrl), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  }
  const create = (amount: number, others: object = {}) =>
    send('/psp/creditcard/payments', {
      payment: {
        operation: 'Purchase',
        intent: 'Authorization',
        currency: 'NOK',
        prices: [{ type: 'CreditCard', amount }],
        ...others,
      },
    });
  async function authorize(amount: number, cardNumber = '4925000000000004', others: object = {}) {
    const made = await create(amount, others);
    const transaction = { cardNumber, cardExpiryMonth: 12, cardExpiryYear: 2039, cardVerificationCode: '123' };
    return { made, tried: await send(href(made, 'direct-authorization'), { transaction }) };
  }
  /** Held, captured and refunded at the acquirer, after the last change of its books. */
  function books(): number[] {
    const changes = readFileSync(where().journal, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"event":"books"'))
      .map((line) => JSON.parse(line));
    const { held, captured, refunded } = changes.at(-1);
    return [held, captured, refunded];
  }
  /** Captures, cancels or reverses, which must be done. */
  async function follow(id: string, rel: string, others: object): Promise<void> {
    const transaction = { description: rel, payeeReference: `${rel}-${id.slice(-12)}`, ...others };
    const { status, body } = await send(href(await send(id), rel), { transaction });
    expect(status, JSON.stringify(body)).toBe(200);
  }
  /** A payment from its authorization to a refund, with the books of both sides the same. */
  async function walk(others: object = {}): Promise<void> {
    const { made, tried } = await authorize(12_500, undefined, others);
    expect(tried.body.authorization.transaction.state).toBe('Completed');
    expect(books()).toEqual([12_500, 0, 0]);
    const { id } = made.body.payment;
    await follow(id, 'create-capture', { amount: 10_000, vatAmount: 0 });
    expect(books()).toEqual([2_500, 10_000, 0]);
    await follow(id, 'create-cancellation', {});
    expect(books()).toEqual([0, 10_000, 0]);
    await follow(id, 'create-reversal', { amount: 4_000, vatAmount: 0 });
    expect(books()).toEqual([0, 10_000, 4_000]);
  }
  return { send, create, authorize, follow, books, walk };
}
