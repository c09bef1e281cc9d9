import type { Read } from '../../db/transaction.types.ts';
import type { Actor } from '../../kit/caller.ts';
import { Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { AccountId } from '../../ledger/ledger.types.ts';
import { type PageCard, selectPage } from './life.store.ts';
import type { LifeContext } from './life.types.ts';
import { CHANGE_CARD } from './life-kinds.ts';

/** Expired gift cards that are swept at once: few beside the payments that wait in the same queue. */
const SWEEP_CARDS = 100;

/** What a sweep needs. */
export interface SweepContext extends Pick<LifeContext, 'submit' | 'newId'> {
  readonly read: Read;
}

/** What was swept so far: cards, and minor units by currency. */
export interface Swept {
  cards: number;
  readonly amounts: Record<string, number>;
}

/**
 * Sweeps all cards of a payee that have expired with money on them, some at a time, through the queue like a single one.
 * It may be stopped at any time and run again: each card is swept once.
 *
 * @param progress is told of what was swept so far, and how many cards were looked at
 * @throws Refusal as `Submit`; what was swept before stays so
 */
export async function sweepExpired(
  context: SweepContext,
  { payeeId, actor }: { readonly payeeId: PayeeId; readonly actor: Actor },
  progress: (swept: Swept, seen: number) => void,
): Promise<Swept> {
  const swept: Swept = { cards: 0, amounts: {} };
  let seen = 0;
  let after: AccountId | null = null;
  for (;;) {
    const { rows }: { readonly rows: readonly PageCard[] } = await selectPage(context.read, { payeeId, after });
    const last = rows.at(-1);
    if (last === undefined) return swept;
    const due = rows.filter(({ isDue }) => isDue);
    for (let start = 0; start < due.length; start += SWEEP_CARDS) {
      const portion = due.slice(start, start + SWEEP_CARDS);
      const settled = await Promise.allSettled(portion.map((card) => sweepOne(context, { payeeId, actor, ...card })));
      for (const [index, one] of settled.entries()) note(swept, portion[index]?.currency ?? '', one);
    }
    seen += rows.length;
    after = last.accountId;
    progress(swept, seen);
  }
}

/** What a card had left; undefined where another process has swept it meanwhile. */
async function sweepOne(
  { submit, newId }: SweepContext,
  { payeeId, actor, accountId }: { readonly payeeId: PayeeId; readonly actor: Actor } & PageCard,
): Promise<number | undefined> {
  const commandId = newId();
  const command = { payeeId, commandId, actor, accountId, transactionRef: `sweep-${commandId}`, reason: null };
  try {
    const outcome = await submit(CHANGE_CARD, { ...command, asked: { step: 'Sweep' } });
    return outcome.kind === 'Done' ? outcome.amount : undefined;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'forbidden') return undefined;
    throw error;
  }
}

function note(swept: Swept, currency: string, one: PromiseSettledResult<number | undefined>): void {
  if (one.status === 'rejected') throw one.reason;
  if (one.value === undefined) return;
  swept.cards++;
  swept.amounts[currency] = (swept.amounts[currency] ?? 0) + one.value;
}
