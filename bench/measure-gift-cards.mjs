/** Issuing gift cards by the thousand: cards a second by the command, and where the time goes. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../dist/config.js';
import { openCardFile } from '../dist/gift-cards/card-file.adapter.js';
import { cardLines } from '../dist/gift-cards/card-lines.js';
import { issueCards, makeCards } from '../dist/gift-cards/issue-cards.js';
import { FIND_PRODUCTS } from '../dist/gift-cards/products.store.js';
import { COMMAND_LINE } from '../dist/kit/caller.js';
import { GIFT_CARD_BATCH } from '../dist/kit/limits.js';
import { randomDigits } from '../dist/kit/secret.js';
import { openService } from '../dist/service.js';
import { runKontor, startKontor } from './kontor.mjs';
import { printGoal, printValue } from './report.mjs';

/** Batches whose steps are measured one after the other. */
const BATCHES = 20;

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
    const { database, vault } = service;
    const product = await database.find(FIND_PRODUCTS)({ payeeId, productId: null });
    const maker = { ...vault, randomDigits };
    for (let batch = 0; batch < BATCHES; batch++) {
      const made = await timed('number, digest, seal', () => makeCards(maker, product, GIFT_CARD_BATCH));
      let doneAt = 0;
      await database.transact(async (transaction) => {
        let last = Promise.resolve();
        const run = (statement, values) => {
          last = last.then(() => timed(statement.name, () => transaction.run(statement, values)));
          return last;
        };
        const command = { product, amount: 50_000, made, actor: COMMAND_LINE };
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
