import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { ensureMode } from '../../../src/db/server/installation.ts';
import type { Transact } from '../../../src/db/transaction.types.ts';
import type { CardFormat, CardsService, SealForPrinter } from '../../../src/gift-cards/bulk/bulk.types.ts';
import { openCardFile } from '../../../src/gift-cards/bulk/card-file.adapter.ts';
import { type IssueSummary, runIssue } from '../../../src/gift-cards/bulk/run-issue.cli.ts';
import type { ProductOnSale } from '../../../src/gift-cards/gift-cards.types.ts';
import { FIND_PRODUCTS } from '../../../src/gift-cards/products/products.store.ts';
import type { PayeeId } from '../../../src/kit/ids.ts';
import type { AmountMinor } from '../../../src/kit/money.ts';
import { takePaymentNumbers } from '../../../src/ledger/accounts/open-accounts.ts';
import { type TestDatabase, testDatabase } from '../database/database.ts';
import { addPayee } from '../database/ledger.ts';
import { type Instance, instance, keyFolder } from '../keys.ts';
import { addProduct, productTerms } from './gift-cards.ts';

/** A programme of gift cards, and what its commands need, in this process. */
export interface Programme {
  readonly database: TestDatabase;
  readonly keys: Instance;
  readonly payeeId: PayeeId;
  readonly product: ProductOnSale;
  readonly folder: string;
  readonly service: CardsService;
  /** Runs `gift-cards issue` into a file of the folder, over any way to open a transaction. */
  issue(name: string, count: number, options?: IssueOptions): Promise<IssueSummary>;
  /** The settings of a process that works on the same database with the same keys. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface IssueOptions {
  readonly transact?: Transact;
  readonly amount?: number;
  readonly format?: CardFormat;
  readonly seal?: SealForPrinter;
  readonly randomDigits?: (count: number) => string;
}

/** Opens a database with a payee that sells gift cards. Stop it in `afterAll`. */
export async function openProgramme(): Promise<Programme> {
  const folder = await mkdtemp('/tmp/kontor-programme-');
  const keyFiles = await keyFolder();
  const database = await testDatabase();
  const keys = instance(database, join(folder, 'keys.json'));
  await keys.start();
  // Before it has a payee that no first start has made.
  await database.transact((transaction) => ensureMode(transaction, 'sandbox'));
  const payeeId = await addPayee(database);
  const product = await addProduct(database, productTerms(payeeId));
  const { transact } = database;
  const service: CardsService = {
    transact,
    takeNumbers: (payeeId, count) => transact((transaction) => takePaymentNumbers(transaction, payeeId, count)),
    maker: keys,
    findProduct: database.find(FIND_PRODUCTS),
    whichPayee: () => Promise.resolve(payeeId),
  };
  return {
    database,
    keys,
    payeeId,
    product,
    folder,
    service,
    async issue(name, count, { amount = 500, format = 'ndjson', seal, ...more } = {}) {
      const path = join(folder, name);
      const file = await openCardFile(path);
      const run = { payeeId, product, amount: amount as AmountMinor, isInactive: false, count, format, path, seal };
      const maker = { ...service.maker, ...(more.randomDigits && { randomDigits: more.randomDigits }) };
      const runtime = { progress: () => undefined, breathe: () => setImmediate() };
      try {
        return await runIssue({ service: { ...service, ...more, maker }, runtime, file, run });
      } finally {
        await file.close();
      }
    },
    settings: {
      KONTOR_MODE: 'sandbox',
      KONTOR_DATABASE_URL: database.appUrl,
      KONTOR_DATABASE_OWNER_URL: database.ownerUrl,
      KONTOR_DATA_DIR: folder,
    },
    async stop() {
      await database.drop();
      await keyFiles.remove();
      await rm(folder, { recursive: true });
    },
  };
}

/** A card as a file of issued cards has it. */
export interface FiledCard {
  readonly accountKey: string;
  readonly cvc: string;
  readonly expiryDate: string;
  readonly balance: number;
  readonly currency: string;
  readonly paymentAccountId: string;
  readonly paymentId: number;
}

/** The cards of an NDJSON file. */
export async function filedCards({ folder }: Programme, name: string): Promise<FiledCard[]> {
  const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
  if (lines.pop() !== '') throw new Error('the last line has no end');
  return lines.map((line) => JSON.parse(line));
}
