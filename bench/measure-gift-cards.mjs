/** Getting gift cards one by one, against payments; issuing them by the thousand, and where the time goes. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../dist/modules/src/config.js';
import { openCardFile } from '../dist/modules/src/gift-cards/bulk/card-file.adapter.js';
import { cardLines } from '../dist/modules/src/gift-cards/bulk/card-lines.js';
import { issueCards, makeCards } from '../dist/modules/src/gift-cards/bulk/issue-cards.js';
import { FIND_PRODUCTS } from '../dist/modules/src/gift-cards/products/products.store.js';
import { COMMAND_LINE } from '../dist/modules/src/kit/caller.js';
import { GIFT_CARD_BATCH } from '../dist/modules/src/kit/limits.js';
import { randomDigits } from '../dist/modules/src/kit/secret.js';
import { takePaymentNumbers } from '../dist/modules/src/ledger/accounts/open-accounts.js';
import { openService } from '../dist/modules/src/wiring/service.js';
import { runKontor, startKontor } from './kontor.mjs';
import { ACCOUNTS, WARM_UP_SECONDS } from './payments-terms.mjs';
import { median, printGoal, printValue } from './report.mjs';
import { authorize, getGiftCards, openShop } from './shop.mjs';

/** Batches whose steps are measured one after the other. */
const BATCHES = 20;
/** Clients that get cards at the same time, and that pay. */
const CONNECTIONS = 32;

/**
 * Getting a new gift card is a command of the group commit, as an authorization is, with more rows.
 *
 * @param {{folder: string, rounds: number, seconds: number}} options
 */
export async function measureNewCards({ folder, rounds, seconds }) {
  const shop = await openShop(join(folder, 'new-cards'), { accounts: ACCOUNTS });
  try {
    const load = (duration) => ({ connections: CONNECTIONS, seconds: duration });
    await getGiftCards(shop.grouped, load(WARM_UP_SECONDS));
    await authorize(shop.grouped, shop.accounts, load(WARM_UP_SECONDS));
    const results = [];
    for (let round = 0; round < rounds; round++) {
      const cards = await getGiftCards(shop.grouped, load(seconds));
      const payments = await authorize(shop.grouped, shop.accounts, load(seconds));
      results.push({ cards, payments, ratio: cards.perSecond / payments.perSecond });
    }
    return {
      perSecond: median(results.map(({ cards }) => cards.perSecond)),
      p99Ms: median(results.map(({ cards }) => cards.p99Ms)),
      paymentsPerSecond: median(results.map(({ payments }) => payments.perSecond)),
      ratio: median(results.map(({ ratio }) => ratio)),
    };
  } finally {
    await shop.close();
  }
}

export function reportNewCards({ perSecond, p99Ms, paymentsPerSecond, ratio }) {
  printValue(`New gift cards, ${CONNECTIONS} connections, a second`, perSecond);
  printValue('  99 % of them within, milliseconds', p99Ms);
  printValue('  authorizations, as many connections, a second', paymentsPerSecond);
  printGoal('  times the authorizations', ratio, { atLeast: 0.4 });
}

/** @param {{folder: string, cards: number}} options */
export async function measureGiftCards({ folder, cards }) {
  const dataDir = join(folder, 'data');
  const issue = async (count) => {
    const file = join(folder, `cards-${count}.ndjson`);
    const args = ['gift-cards', 'issue', '--count', String(count), '--amount', '50000', '--out', file, '--json'];
    const { printed, seconds } = await runKontor(dataDir, args);
    if (JSON.parse(printed).issued !== count) throw new Error(`${printed} for ${count} cards.`);
    await rm(file);
    return seconds;
  };
  // Beside the running service, as an operator would. One card costs the start of the command and little else.
  const kontor = await startKontor(dataDir);
  try {
    const startSeconds = await issue(1);
    const seconds = await issue(cards);
    const steps = await measureSteps(dataDir, kontor.payeeId, folder);
    return { cards, seconds, cardsPerSecond: cards / (seconds - startSeconds), startSeconds, steps };
  } finally {
    await kontor.stop();
  }
}

/** Microseconds for each card, step by step: nothing overlaps here, as it does in the command. */
async function measureSteps(dataDir, payeeId, folder) {
  process.env.KONTOR_DATA_DIR = dataDir;
  const service = await openService({ config: readConfig(), as: 'command', keys: 'required', tell: () => undefined });
  const file = await openCardFile(join(folder, 'steps.ndjson'));
  const steps = {};
  const timed = async (step, work) => {
    const startedAt = performance.now();
    const result = await work();
    steps[step] = (steps[step] ?? 0) + ((performance.now() - startedAt) * 1000) / (BATCHES * GIFT_CARD_BATCH);
    return result;
  };
  try {
    const { database, keyRing, newId } = service;
    const product = await database.find(FIND_PRODUCTS)({ payeeId, productId: null });
    const maker = { keyRing, newId, randomDigits };
    for (let batch = 0; batch < BATCHES; batch++) {
      const made = await timed('number, digest, seal', () => makeCards(maker, product, GIFT_CARD_BATCH));
      const paymentNumbers = await timed('numbers of payments', () =>
        database.transact((transaction) => takePaymentNumbers(transaction, product.payeeId, GIFT_CARD_BATCH)),
      );
      let doneAt = 0;
      await database.transact(async (transaction) => {
        let last = Promise.resolve();
        const run = (statement, values) => {
          last = last.then(() => timed(statement.name, () => transaction.run(statement, values)));
          return last;
        };
        const command = { product, amount: 50_000, made, paymentNumbers, actor: COMMAND_LINE };
        const cards = await issueCards({ run }, maker, command);
        await timed('file, on the disk', () => file.append(cardLines('ndjson', cards)));
        doneAt = performance.now();
      });
      file.confirm();
      steps.commit = (steps.commit ?? 0) + ((performance.now() - doneAt) * 1000) / (BATCHES * GIFT_CARD_BATCH);
    }
    return steps;
  } finally {
    await file.close();
    await service.close();
  }
}

export function reportGiftCards({ cards, cardsPerSecond, startSeconds, steps }) {
  printGoal(`Issuing ${cards} gift cards into a file, cards a second`, cardsPerSecond, { atLeast: 5000 });
  printValue('  start of the command, seconds, left out', startSeconds);
  for (const [step, microseconds] of Object.entries(steps)) printValue(`  ${step}, microseconds a card`, microseconds);
}
