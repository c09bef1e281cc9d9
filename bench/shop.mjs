/** A shop to pay in: a database with accounts that have money, and services that work on it at the same time. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { readConfig } from '../dist/config.js';
import { startEmbedded } from '../dist/db/embedded/embedded.js';
import { COMMAND_LINE } from '../dist/kit/caller.js';
import { maskCardNumber } from '../dist/kit/cards/card-number.js';
import { Secret } from '../dist/kit/secret.js';
import { openAccount } from '../dist/ledger/accounts/open-account.js';
import { openService } from '../dist/wiring/service.js';
import { startKontor } from './kontor.mjs';
import { withCheckDigit } from './tokens.mjs';

/** Beginning of the numbers of our own accounts, and digits behind it that no account of the sandbox has. */
const NUMBERS = '9578019';
const OPENING_BALANCE_MINOR = 900_000_000_000;

/**
 * Opens a shop with its own embedded PostgreSQL. The services have no limits of requests.
 *
 * @param {string} folder where it keeps its data
 * @param {{accounts: number}} options
 */
export async function openShop(folder, { accounts: count }) {
  // As root the server runs as another user, who must get through.
  await mkdir(folder);
  await chmod(folder, 0o711);
  const dataDir = join(folder, 'data');
  const server = await startEmbedded({ dataDir, as: 'serve', log: () => undefined });
  const database = { KONTOR_DATABASE_URL: server.appUrl, KONTOR_DATABASE_OWNER_URL: server.ownerUrl };
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
    const accounts = await openAccounts(config, grouped.payeeId, count);
    const settle = () => placeEvents(server.adminUrl);
    return { server, config, payeeId: grouped.payeeId, accounts, grouped, serve, settle, close };
  } catch (error) {
    await close();
    throw error;
  }
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

async function openAccounts(config, payeeId, count) {
  const service = await openService({ config, as: 'command', keys: 'required', tell: () => undefined });
  try {
    const accounts = [];
    for (let index = 0; index < count; index++) {
      const number = withCheckDigit(`${NUMBERS}${String(index).padStart(8, '0')}`);
      const draft = draftOf(payeeId, number);
      const { accountId } = await service.database.transact((transaction) =>
        openAccount(transaction, service.accounts, { draft, actor: COMMAND_LINE }),
      );
      accounts.push({ accountId, number });
    }
    return accounts;
  } finally {
    await service.close();
  }
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

async function load({ baseUrl, accessToken, hmac }, options) {
  const child = fork(join(import.meta.dirname, 'load-payments.mjs'));
  child.send({ baseUrl, accessToken, hmac, ...options });
  const exited = once(child, 'exit');
  const [result] = await once(child, 'message');
  await exited;
  if (result.failed > 0) throw new Error(`${result.failed} requests failed: ${result.example}`);
  return result;
}
