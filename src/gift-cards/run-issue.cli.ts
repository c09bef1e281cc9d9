import { COMMAND_LINE } from '../kit/caller.ts';
import { GIFT_CARD_BATCH, GIFT_CARD_BREATH } from '../kit/limits.ts';
import { progressBar } from '../kit/progress.ts';
import { Secret } from '../kit/secret.ts';
import { Trouble } from '../kit/trouble.ts';
import type { CardFile, CardsRuntime, CardsService, IssueRun } from './bulk.types.ts';
import { cardHeading, cardLines, readCards } from './card-lines.ts';
import type { MadeCard } from './gift-cards.types.ts';
import { issueCards, makeCards } from './issue-cards.ts';
import { keepIssued } from './keep-issued.ts';

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
 */
export async function runIssue({ service, runtime, file, run }: Issuing): Promise<IssueSummary> {
  const kept = await takeUp(service, file, run);
  let heading = kept.cards === 0 ? cardHeading(run.format) : '';
  let next = await prepare(service, runtime, { run, done: kept.cards });
  for (let done = kept.cards; next.length > 0; ) {
    const made = next;
    const lines = async () => {
      await service.transact(async (transaction) => {
        const { product, amount } = run;
        const cards = await issueCards(transaction, service.maker, { product, amount, made, actor: COMMAND_LINE });
        await file.append(new Secret(heading + cardLines(run.format, cards).reveal()));
      });
      file.confirm();
    };
    done += made.length;
    // While the database works, the next cards are made.
    [next] = await Promise.all([prepare(service, runtime, { run, done }), lines()]);
    heading = '';
    runtime.progress(`${progressBar(done / run.count)}, ${done} cards`);
  }
  runtime.progress(undefined);
  return { issued: run.count - kept.cards, cards: run.count };
}

/** Reads what earlier runs have left, and cuts off what never came to be. */
async function takeUp(service: CardsService, file: CardFile, run: IssueRun): Promise<{ readonly cards: number }> {
  const written = readCards(run.format, file.content);
  if (written === undefined) throw new Trouble(`${run.path} is there and holds something else. Name another file.`);
  const cards = await service.transact(async (transaction) => {
    const kept = await keepIssued(transaction, service.maker.keyRing, { run, cards: written.cards });
    // Under the lock: whoever else writes to the file waits.
    await file.cut(written.ends[kept] ?? 0);
    return kept;
  });
  if (cards > run.count) throw new Trouble(`${run.path} holds ${cards} cards already, which is more than --count.`);
  return { cards };
}

/** Makes the next batch's cards, a few at a time. */
async function prepare(
  { maker }: CardsService,
  { breathe }: Issuing['runtime'],
  { run: { product, count }, done }: { readonly run: IssueRun; readonly done: number },
): Promise<readonly MadeCard[]> {
  const cards: MadeCard[] = [];
  const wanted = Math.min(GIFT_CARD_BATCH, count - done);
  while (cards.length < wanted) {
    cards.push(...makeCards(maker, product, Math.min(GIFT_CARD_BREATH, wanted - cards.length)));
    await breathe();
  }
  return cards;
}
