/** A shop to pay in: a database with accounts that have money, and services that work on it at the same time. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startEmbedded } from '../dist/modules/sandbox/postgres/embedded.js';
import { readConfig } from '../dist/modules/src/config.js';
import { COMMAND_LINE } from '../dist/modules/src/kit/caller.js';
import { maskCardNumber } from '../dist/modules/src/kit/cards/card-number.js';
import { Secret } from '../dist/modules/src/kit/secret.js';
import { openAccount } from '../dist/modules/src/ledger/accounts/open-account.js';
import { openService } from '../dist/modules/src/wiring/service.js';
import { runKontor, startAcquirer, startKontor } from './kontor.mjs';
import { withCheckDigit } from './tokens.mjs';

/** Beginning of the numbers of our own accounts, and digits behind it that no account of the sandbox has. */
const NUMBERS = '9578019';
const OPENING_BALANCE_MINOR = 900_000_000_000;

/**
 * Opens a shop with its own embedded PostgreSQL. The services have no limits of requests.
 *
 * @param {string} folder where it keeps its data
 * @param {{accounts: number, openingBalance?: number}} options how many, and what is on each, in minor units
 */
export async function openShop(folder, { accounts: count, openingBalance = OPENING_BALANCE_MINOR }) {
  // As root the server runs as another user, who must get through.
  await mkdir(folder);
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'data');
  const server = await startEmbedded({ dataDir, as: 'serve', log: () => undefined });
  const database = {
    KONTOR_MODE: 'sandbox',
    KONTOR_DATABASE_URL: server.appUrl,
    KONTOR_DATABASE_OWNER_URL: server.ownerUrl,
  };
  const services = [];
  const close = async () => {
    for (const service of services) await service.stop();
    await server.stop();
  };
  const serve = async (name, settings) => {
    const unlimited = { ...database, KONTOR_REQUESTS_PER_MINUTE: '0' };
    const service = await startKontor(dataDir, { name, settings: { ...unlimited, ...settings } });
    services.push(service);
    return service;
  };
  try {
    const grouped = await serve('grouped', {});
    const config = readConfig({ ...database, KONTOR_DATA_DIR: dataDir });
    const numbers = Array.from({ length: count }, (_, index) => ownNumber(index));
    const drafts = numbers.map((number) => ({ ...draftOf(grouped.payeeId, number), openingBalance }));
    const accounts = await openAccounts(config, drafts);
    const settle = () => placeEvents(server.adminUrl);
    return {
      server,
      dataDir,
      settings: database,
      config,
      payeeId: grouped.payeeId,
      accounts,
      grouped,
      serve,
      settle,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The first six digits of a test card of Visa's. */
const TEST_CARDS = '492500';

/**
 * Opens a shop as production has it: with an acquirer in a process of its own, over two connections, and an account of each
 * card that is charged there.
 *
 * @param {string} folder where it keeps its data
 * @param {{cards: number, others?: Record<string, string>}} options how many cards, and other settings
 */
export async function openAcquiringShop(folder, { cards, others = {} }) {
  await mkdir(folder);
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'data');
  const server = await startEmbedded({ dataDir, as: 'serve', log: () => undefined });
  const acquirer = await startAcquirer();
  const settings = {
    KONTOR_MODE: 'production',
    KONTOR_DATABASE_URL: server.appUrl,
    KONTOR_DATABASE_OWNER_URL: server.ownerUrl,
    KONTOR_KEY_FILE: join(dataDir, 'ring.json'),
    KONTOR_REQUESTS_PER_MINUTE: '0',
    KONTOR_LOG_LEVEL: 'silent',
  };
  const services = [];
  const close = async () => {
    for (const service of services) await service.stop();
    await acquirer.stop();
    await server.stop();
  };
  try {
    const run = (...args) => runKontor(dataDir, ['--as', 'bench', ...args], settings);
    const made = async (...args) => JSON.parse((await run(...args, '--json')).printed);
    await run('migrate');
    // The first start makes the keys.
    await (await startKontor(dataDir, { name: 'first', settings })).stop();
    const { payeeId } = await made('payees', 'create', '--name', 'Bench');
    const { accessToken } = await made('access-tokens', 'create', '--payee', payeeId, '--scopes', 'accounts');
    const hmac = await made('hmac-keys', 'create', '--payee', payeeId);
    await writeFile(join(dataDir, 'acquirers.json'), JSON.stringify(acquirersFile(payeeId, acquirer.port)), {
      mode: 0o600,
    });
    const config = readConfig({ ...settings, KONTOR_DATA_DIR: dataDir });
    const numbers = Array.from({ length: cards }, (_, index) => testCard(index));
    const accounts = await openAccounts(
      config,
      numbers.map((number) => cardDraft(payeeId, number)),
    );
    const service = { ...(await startKontor(dataDir, { settings: { ...settings, ...others } })), accessToken, hmac };
    services.push(service);
    await untilConnected(service);
    return { server, acquirer, accounts, service, settle: () => placeEvents(server.adminUrl), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function acquirersFile(payeeId, port) {
  const merchant = { name: 'Bench', street: 'Storgata 1', city: 'Oslo', postalCode: '0155', country: 'NOR' };
  const institutions = { acquiringInstitution: '957800', forwardingInstitution: '957801' };
  const times = { cutOver: '23:00', timeZone: 'Europe/Oslo' };
  const place = { dialect: 'iso93', host: '127.0.0.1', port, tls: 'none', connections: 2, testHost: true };
  const agreement = { acquirer: 'north', merchantId: '000012345678901', terminalIds: ['WEB00001'], mcc: '5732' };
  return {
    acquirers: [{ id: 'north', name: 'North', ...place, ...institutions, ...times }],
    agreements: [{ id: 'bench', payeeId, ...agreement, merchant, currencies: ['NOK'], brands: ['Visa'] }],
  };
}

function testCard(index) {
  return withCheckDigit(`${TEST_CARDS}${String(index).padStart(9, '0')}`);
}

/** Waits until all lines to the acquirer are ready. */
async function untilConnected({ baseUrl }) {
  const isConnected = async () => {
    const metrics = await fetch(`${baseUrl}/metrics`).then((answer) => answer.text());
    return /^kontor_acquirer_ready_connections\{[^}]*\} 2$/m.test(metrics);
  };
  while (!(await isConnected())) await pause(LOOK_MS);
}

/** How often events are looked at. */
const LOOK_MS = 50;

/**
 * Waits until every event has its place in the feed: what one party of a measurement leaves behind is not to be done while
 * the next one is measured.
 */
async function placeEvents(adminUrl) {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    while ((await client.query('select from event_pending limit 1')).rowCount > 0) await pause(LOOK_MS);
  } finally {
    await client.end();
  }
}

async function openAccounts(config, drafts) {
  const service = await openService({ config, as: 'command', mayMake: true, keys: 'required', tell: () => undefined });
  try {
    const accounts = [];
    for (const draft of drafts) {
      const { accountId } = await service.database.transact((transaction) =>
        openAccount(transaction, service.accounts, { draft, actor: COMMAND_LINE }),
      );
      accounts.push({ accountId, number: draft.number.reveal() });
    }
    return accounts;
  } finally {
    await service.close();
  }
}

function ownNumber(index) {
  return withCheckDigit(`${NUMBERS}${String(index).padStart(8, '0')}`);
}

/** Of a card that an acquirer decides on. */
function cardDraft(payeeId, number) {
  return {
    ...draftOf(payeeId, number),
    kind: 'External',
    instrument: 'creditcard',
    issuer: 'north',
    currency: null,
    expiresOn: null,
    cvcSequence: 0,
    openingBalance: 0,
  };
}

function draftOf(payeeId, number) {
  return {
    payeeId,
    number: new Secret(number),
    kind: 'StoredValue',
    instrument: 'prepaid',
    issuer: 'ledger',
    currency: 'NOK',
    numberMasked: maskCardNumber(number),
    expiresOn: '2039-12-31',
    cvcRequired: false,
    cvcKeyId: null,
    cvcSequence: 1,
    allowedProductIds: [],
    largestBalance: null,
    openingBalance: OPENING_BALANCE_MINOR,
  };
}

/** Authorizes on these accounts by one service for some seconds, and says how that went; all must be approved. */
export function authorize(service, accounts, options) {
  return load(service, { kind: 'authorize', accounts, ...options });
}

/** Gets new gift cards from a service for some seconds, each with money on it. */
export function getGiftCards(service, options) {
  return load(service, { kind: 'gift-card', ...options });
}

/** Makes card payments for some seconds, which are never paid. */
export function makeCardPayments(service, options) {
  return load(service, { kind: 'card-payment', ...options });
}

/** Makes payment orders of three items for some seconds, which are never paid. */
export function makeOrders(service, options) {
  return load(service, { kind: 'payment-order', payeeId: service.payeeId, ...options });
}

/** Sends a service requests of a kind for some seconds; all must be answered well. */
export async function load({ baseUrl, accessToken, hmac }, options) {
  const child = fork(join(import.meta.dirname, 'load-requests.mjs'));
  child.send({ baseUrl, accessToken, hmac, ...options });
  const exited = once(child, 'exit');
  const [result] = await once(child, 'message');
  await exited;
  if (result.failed > 0) throw new Error(`${result.failed} requests failed: ${result.example}`);
  return result;
}
