import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
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
  serve(...options: readonly string[]): Promise<{ baseUrl: string; started: Started }>;
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
export async function acquiring(settings: Readonly<Record<string, string>> = {}): Promise<Acquiring> {
  const database = await testDatabase();
  const installation = install({
    KONTOR_MODE: 'production',
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_KEY_FILE: 'ring.json',
    KONTOR_DATA_DIR: 'data',
    ...settings,
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
    async serve(...options) {
      const { found, started } = await listening(['serve', ...options], /Kontor is ready at (\S+?)(?:\.\n|, in )/);
      return { baseUrl: found, started };
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
  async function authorize(amount: number, cardNumber = '4925000000000004') {
    const made = await create(amount);
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
  /** A payment from its authorization to a refund, with the books of both sides the same. */
  async function walk(): Promise<void> {
    const { made, tried } = await authorize(12_500);
    expect(tried.body.authorization.transaction.state).toBe('Completed');
    expect(books()).toEqual([12_500, 0, 0]);
    const step = async (rel: string, others: object) => {
      const transaction = { description: rel, payeeReference: `${rel}-${made.body.payment.number}`, ...others };
      return (await send(href(await send(made.body.payment.id), rel), { transaction })).status;
    };
    expect(await step('create-capture', { amount: 10_000, vatAmount: 0 })).toBe(200);
    expect(books()).toEqual([2_500, 10_000, 0]);
    expect(await step('create-cancellation', {})).toBe(200);
    expect(books()).toEqual([0, 10_000, 0]);
    expect(await step('create-reversal', { amount: 4_000, vatAmount: 0 })).toBe(200);
    expect(books()).toEqual([0, 10_000, 4_000]);
  }
  return { send, create, authorize, books, walk };
}
