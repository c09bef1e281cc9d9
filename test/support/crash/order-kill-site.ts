import { setTimeout as pause } from 'node:timers/promises';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { COMMAND_LINE, SCOPES } from '../../../src/kit/caller.ts';
import type { PayeeId } from '../../../src/kit/ids.ts';
import { createAccessToken } from '../../../src/merchants/access-tokens/access-tokens.ts';
import { testDatabase } from '../database/database.ts';
import { startServer, type TestServer } from '../database/server.ts';
import { refuteLedger } from '../issuer/accounts-ledger.ts';
import { type AcquirerSite, acquirerSite, type Line, type SiteAcquirer } from '../issuer/acquirer-site.ts';
import { type Switchboard, switchboard } from '../issuer/switchboard.ts';
import { type OrderWalks, orderWalks } from '../payer/order-walks.ts';
import { sendTo, type TestService } from '../service.ts';
import { addProduct, productTerms } from '../shop/gift-cards.ts';
import { addHmacKey } from '../shop/signing.ts';
import { until } from '../until.ts';
import { acquirersBooks, differences, ownBooks } from './acquirer-books.ts';
import { kill, untilReady } from './crash.ts';

/** Who is killed, with signal 9. */
export type OrderVictim = 'service' | 'database' | 'acquirer';

/** What asks a payee's orders and payers' pages. */
export type OrderShop = Pick<TestService, 'send' | 'baseUrl' | 'database'>;

/** Service, PostgreSQL and test acquirer, each in processes of its own that can be killed, and a payee that sells gift cards. */
export interface OrderKillSite {
  readonly acquirer: SiteAcquirer;
  readonly database: AcquirerSite['kontor']['database'];
  readonly adminUrl: string;
  /** Goes to the service wherever it listens, and through a switchboard that can keep its answers. */
  readonly shop: OrderShop;
  readonly walks: OrderWalks;
  readonly clients: Switchboard;
  /** Ends the service, and starts it with this line to the acquirer; as long as it has another one. */
  serveWith(line: Line): Promise<void>;
  /** Kills all victims as near to one moment as the system offers. The database comes up again by itself. */
  killAll(victims: readonly OrderVictim[]): Promise<void>;
  /** Starts again what was killed. What lives recovers by itself. */
  bringUp(victims: readonly OrderVictim[]): Promise<void>;
  /** Waits until a line to the acquirer takes questions: what was started again may have none yet. */
  lineIsThere(): Promise<void>;
  /** Waits until nothing is unknown, but for no time: see `AcquirerSite`. No request may be under way. */
  settled(): Promise<void>;
  /** What the acquirer's books say of a payment and ours do not, and what is wrong with balances. Nothing may be under way. */
  unlikeBooks(): Promise<string[]>;
  /** The same, and what `kontor ledger verify` says. */
  broken(): Promise<string[]>;
  remove(): Promise<void>;
}

/**
 * Installs production on a PostgreSQL of its own.
 *
 * @param main the program that serves, where it is not the built one
 */
export async function orderKillSite(main?: string): Promise<OrderKillSite> {
  const server = await startServer();
  const database = await testDatabase({ of: 'empty', server });
  await migrate(database);
  const site = await acquirerSite({ main, ids: ['north'], database, withThreeDS: true });
  const [acquirer] = site.acquirers;
  if (acquirer === undefined) throw new Error('there is an acquirer');
  const own = await sellingPayee(site);
  const clients = await switchboard();
  const shop: OrderShop = {
    baseUrl: `http://127.0.0.1:${clients.port}`,
    database,
    send: (method, path, options) => sendTo(shop.baseUrl, own, { method, path: pathOf(path), ...options }),
  };
  let line: Line | undefined;
  const serve = async () => clients.leadTo(Number(new URL((await site.serve()).baseUrl).port));
  return {
    acquirer,
    database,
    adminUrl: database.adminUrl,
    shop,
    walks: orderWalks(shop),
    clients,
    async serveWith(wanted) {
      if (line === wanted) return;
      line = wanted;
      for (const instance of site.instances) await instance.kill();
      site.waitFor(wanted);
      await serve();
      // Whose bank takes part is known.
      await until(async () => (await countOf(database, 'three_ds_range')) > 0, SETTLED_MS);
    },
    async killAll(victims) {
      await killAll(victims, { site, acquirer, server });
      if (victims.includes('database')) await untilAnswering(database);
    },
    async bringUp(victims) {
      if (victims.includes('acquirer')) await acquirer.start();
      if (victims.includes('service')) await serve();
      else await untilReady(shop.baseUrl);
    },
    lineIsThere: () =>
      until(async () => {
        const { text } = await shop.send('GET', '/metrics', { accessToken: null });
        return /^kontor_acquirer_ready_connections\{[^}]*\} [1-9]/m.test(text);
      }, SETTLED_MS),
    settled: async () => {
      await site.settled();
      await until(async () => (await countOf(database, 'payment_order where unsettled > 0')) === 0, SETTLED_MS);
    },
    unlikeBooks: async () => [
      ...differences(acquirersBooks(acquirer.journal()), await ownBooks(database)),
      ...(await refuteLedger(database)),
    ],
    broken: async () => [...(await site.broken([])), ...(await refuteLedger(database))],
    async remove() {
      await site.remove();
      await clients.close();
      await server.remove();
    },
  };
}

const SETTLED_MS = 60_000;

/** A link says where the service listens by itself. */
function pathOf(path: string): string {
  if (!path.startsWith('http')) return path;
  const { pathname, search } = new URL(path);
  return pathname + search;
}

/** Lets the installation's payee sell gift cards. @returns what its program sends requests with */
async function sellingPayee({ kontor: { payeeId: id, database, inService } }: AcquirerSite) {
  const payeeId = id as PayeeId;
  await addProduct(database, productTerms(payeeId));
  return inService(async (service) => {
    const hmac = await addHmacKey(service, payeeId);
    const command = { payeeId, name: 'Orders', scopes: SCOPES, actor: COMMAND_LINE };
    const made = await service.database.transact((transaction) =>
      createAccessToken(transaction, service.merchants, command),
    );
    return { hmac, accessToken: made.accessToken.reveal() };
  });
}

/** How many rows this part of a statement finds. */
export async function countOf({ asAdmin }: Pick<OrderShop['database'], 'asAdmin'>, from: string): Promise<number> {
  const [row] = await asAdmin(`select count(*)::integer as count from ${from}`);
  return Number(row?.['count']);
}

interface Processes {
  readonly site: AcquirerSite;
  readonly acquirer: SiteAcquirer;
  readonly server: TestServer;
}

async function killAll(victims: readonly OrderVictim[], { site, acquirer, server }: Processes): Promise<void> {
  const ofDatabase = victims.includes('database') ? await server.processIds() : [];
  const instances = victims.includes('service') ? [...site.instances] : [];
  if (victims.includes('acquirer')) acquirer.signal('SIGKILL');
  for (const instance of instances) instance.process.kill('SIGKILL');
  if (ofDatabase.length > 0) await kill(ofDatabase);
  await Promise.all(instances.map((instance) => instance.kill()));
  if (victims.includes('acquirer')) await acquirer.kill();
}

async function untilAnswering({ asAdmin }: Pick<OrderShop['database'], 'asAdmin'>): Promise<void> {
  const answers = () =>
    asAdmin('select 1').then(
      () => true,
      () => false,
    );
  // Not asked all the time: it recovers meanwhile.
  await until(async () => (await answers()) || (await pause(50, false)), SETTLED_MS);
}
