import { assert } from '../../kit/assert.ts';
import { COMMAND_LINE } from '../../kit/caller.ts';
import { GIFT_CARD_BATCH } from '../../kit/limits.ts';
import { Secret } from '../../kit/secret.ts';
import { progressBar } from '../../kit/work/progress.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { MadeCard } from '../gift-cards.types.ts';
import type {
  CardFile,
  CardsRuntime,
  CardsService,
  CardToSell,
  ClearOfBatch,
  IssueCards,
  IssueRun,
} from './bulk.types.ts';
import { cardHeading, cardLines, readCards } from './card-lines.ts';
import { issueCards, makeCards } from './issue-cards.ts';
import { claimCardFiles, keepIssued } from './keep-issued.ts';
import { readSealedCards } from './sealed-lines.ts';

/** Cards that are made before the database's answers are looked at again: a millisecond. */
const GIFT_CARD_BREATH = 25;

/** What a run came to. */
export interface IssueSummary {
  /** Cards that this run has issued. */
  readonly issued: number;
  /** Cards in the file, those of earlier runs among them. */
  readonly cards: number;
}

interface Issuing {
  readonly service: CardsService;
  readonly runtime: Pick<CardsRuntime, 'progress' | 'breathe'>;
  readonly file: CardFile;
  readonly run: IssueRun;
}

/**
 * Issues cards until so many are in the file, a batch in each transaction. A batch is in the file, and the file on the
 * disk, before the transaction is committed; so whenever a run ends, each card that exists is in the file, and the next
 * run takes those out that do not exist.
 *
 * No part waits for another without need: while the database writes one batch, the next cards are made, and the batch
 * before is put into the file and committed. Batches are written, put into the file and committed in their order.
 */
export async function runIssue(issuing: Issuing): Promise<IssueSummary> {
  const { service, runtime, file, run } = issuing;
  const kept = await takeUp(service, file, run);
  let last: Written = { cards: [], committed: Promise.resolve() };
  let prepared = await prepare(service, runtime, { run, done: kept.cards });
  for (let done = kept.cards; prepared.made.length > 0; ) {
    const batch = { ...prepared, before: last, isFirst: done === 0 };
    done += prepared.made.length;
    [prepared, last] = await Promise.all([prepare(service, runtime, { run, done }), writeBatch(issuing, batch)]);
    runtime.progress(`${progressBar(done / run.count)}, ${done} cards`);
  }
  await last.committed;
  runtime.progress(undefined);
  return { issued: run.count - kept.cards, cards: run.count };
}

/** A batch whose rows are in the database, when the file is its own. */
interface Written {
  readonly cards: readonly CardToSell[];
  /** Settles when its transaction has ended. */
  readonly committed: Promise<void>;
}

interface Batch extends Prepared {
  readonly before: Written;
  /** Whether it begins the file. */
  readonly isFirst: boolean;
}

/**
 * Writes a batch, and waits until the one before is committed. Its own end is left to the caller, so that the next batch
 * can be written meanwhile. A batch that fails takes those behind it along: they wait for it before they touch the file.
 */
function writeBatch({ service, file, run }: Issuing, { before, isFirst, ...prepared }: Batch): Promise<Written> {
  return new Promise((resolve, reject) => {
    const { payeeId, product, amount, isInactive, format, seal } = run;
    const command = { product, amount, isInactive, ...prepared, beside: before.cards, actor: COMMAND_LINE };
    const committed = service
      .transact(async (transaction) => {
        const cards = await issueCards(transaction, service.maker, command);
        await before.committed;
        resolve({ cards, committed });
        const heading = isFirst ? cardHeading(format) : '';
        await claimCardFiles(transaction, payeeId);
        const lines = new Secret(heading + cardLines(format, cards).reveal());
        await file.append(seal === undefined ? lines : new Secret(seal(lines, clearOf(run, cards))));
      })
      .then(() => file.confirm());
    // Nothing is under way any more when the run fails.
    committed.catch((error: unknown) => Promise.allSettled([before.committed]).then(() => reject(error)));
  });
}

function clearOf({ product, amount, format }: IssueRun, cards: readonly CardToSell[]): ClearOfBatch {
  const accounts = cards.map(({ accountId }) => accountId);
  return { version: 1, format, balance: amount, currency: product.currency, accounts };
}

/** Reads what earlier runs have left, and cuts off what never came to be. */
async function takeUp(service: CardsService, file: CardFile, run: IssueRun): Promise<{ readonly cards: number }> {
  const written = run.seal === undefined ? readCards(run.format, file.content) : readSealedCards(file.content);
  if (written === undefined) throw new Trouble(`${run.path} is there and holds something else. Name another file.`);
  const cards = await service.transact(async (transaction) => {
    const kept = await keepIssued(transaction, service.maker.keyRing, { run, cards: written.cards });
    const end = written.ends[kept];
    // A batch is there as a whole, or not at all.
    assert(end !== undefined, 'what exists of a file ends where a batch of it ends');
    // Under the lock: any other writer of the file waits.
    await file.cut(end);
    return kept;
  });
  if (cards > run.count) throw new Trouble(`${run.path} holds ${cards} cards already, which is more than --count.`);
  return { cards };
}

/** The cards of a batch, and the numbers of their deposits. */
type Prepared = Pick<IssueCards, 'made' | 'paymentNumbers'>;

/** Makes the next batch's cards, a few at a time. */
async function prepare(
  { maker, takeNumbers }: CardsService,
  { breathe }: Issuing['runtime'],
  { run: { payeeId, product, count }, done }: { readonly run: IssueRun; readonly done: number },
): Promise<Prepared> {
  const cards: MadeCard[] = [];
  const wanted = Math.min(GIFT_CARD_BATCH, count - done);
  while (cards.length < wanted) {
    cards.push(...makeCards(maker, product, Math.min(GIFT_CARD_BREATH, wanted - cards.length)));
    await breathe();
  }
  return { made: cards, paymentNumbers: await takeNumbers(payeeId, wanted) };
}
