import { Refusal } from '../../../kit/errors.ts';
import type { AccountId } from '../../../ledger/ledger.types.ts';
import type { GiftCardsContext } from '../../gift-cards-context.types.ts';
import { selectPage } from '../life.store.ts';
import { CHANGE_CARD } from '../life-kinds.ts';
import { canTake, isChosen } from './selection.rules.ts';
import type { ManySteps, PageCard, Touched } from './selection.types.ts';

/** Gift cards that take their step at once: few beside the payments that wait in the same queue. */
const CARDS_AT_ONCE = 100;

/**
 * Has all cards of a payee that are meant take a step, some at a time, through the queue like a single one. It may be stopped
 * at any time and run again: a card that has taken it is left.
 *
 * @param progress is told of what was done so far, and how many cards were looked at
 * @throws Refusal as `Submit`; what was done before stays so
 */
export async function takeManySteps(
  context: GiftCardsContext,
  steps: ManySteps,
  progress: (touched: Touched, seen: number) => void,
): Promise<Touched> {
  const touched: Touched = { cards: 0, amounts: {} };
  let seen = 0;
  let after: AccountId | null = null;
  for (;;) {
    const rows: readonly PageCard[] = await selectPage(context.database.background.read, {
      payeeId: steps.payeeId,
      after,
      movedSince: steps.selection.unmovedSince,
    });
    const last = rows.at(-1);
    if (last === undefined) return touched;
    const due = rows.filter((card) => isChosen(card, steps.selection) && canTake(card, steps.asked));
    for (let start = 0; start < due.length; start += CARDS_AT_ONCE) {
      const portion = due.slice(start, start + CARDS_AT_ONCE);
      const settled = await Promise.allSettled(portion.map((card) => takeOne(context, steps, card)));
      for (const [index, one] of settled.entries()) note(touched, portion[index]?.currency ?? '', one);
    }
    seen += rows.length;
    after = last.accountId;
    progress(touched, seen);
  }
}

/** What is on a card that has taken the step; undefined where it cannot any more, as after another process has done it. */
async function takeOne(
  { submit, newId }: GiftCardsContext,
  { payeeId, actor, reason, selection, file, asked: meant, isPreview }: ManySteps,
  { accountId, available }: PageCard,
): Promise<number | undefined> {
  if (isPreview) return available;
  // A hold that ends while the card is loaded gives it more than was agreed to.
  const isBounded = meant.step === 'Sweep' && selection.unmovedSince !== undefined;
  const asked = isBounded ? { step: 'Sweep' as const, most: available } : meant;
  const commandId = newId();
  const transactionRef = `${asked.step.toLowerCase()}-${commandId}`;
  try {
    const named = { payeeId, accountId, transactionRef };
    const outcome = await submit(CHANGE_CARD, { ...named, commandId, actor, reason, asked, file });
    if (outcome.kind !== 'Done') return undefined;
    return asked.step === 'Sweep' ? outcome.amount : available;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'forbidden') return undefined;
    throw error;
  }
}

function note(touched: Touched, currency: string, one: PromiseSettledResult<number | undefined>): void {
  if (one.status === 'rejected') throw one.reason;
  if (one.value === undefined) return;
  touched.cards++;
  touched.amounts[currency] = (touched.amounts[currency] ?? 0) + one.value;
}
