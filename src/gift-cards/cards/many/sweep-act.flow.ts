import { SERVICE } from '../../../kit/caller.ts';
import type { AskedAct, WeighedAct } from '../../../kit/given.ts';
import type { PayeeId } from '../../../kit/ids.ts';
import type { GiftCardsContext } from '../../gift-cards-context.types.ts';
import type { ManySteps, Touched } from './selection.types.ts';
import { takeManySteps } from './take-many-steps.ts';

/** A sweep of a product's expired cards, as a person asks for it. */
export interface SweepAsked {
  readonly productId: string;
  /** Cards whose last day is before this one, `YYYY-MM-DD`. */
  readonly expiredBefore: string;
  readonly reason?: string | undefined;
  /** When it was asked for, ISO 8601 in UTC: what came onto cards since waits for the next sweep. */
  readonly askedAt?: string | undefined;
}

/** What such a sweep would take. */
export function previewSweep(context: GiftCardsContext, payeeId: PayeeId, asked: SweepAsked): Promise<Touched> {
  return takeManySteps(context, { ...stepsOf(payeeId, asked), actor: SERVICE, isPreview: true }, UNTOLD);
}

/** Sweeps the expired cards of a product. It always needs a second person, unless the payee has no limit for one. */
export function sweepAct(context: GiftCardsContext): WeighedAct {
  const bodyOf = ({ body }: AskedAct) => body as SweepAsked;
  return {
    operationId: 'sweepGiftCards',
    gives: async (asked) => {
      const { productId, reason } = bodyOf(asked);
      const { cards, amounts } = await previewSweep(context, asked.payeeId, bodyOf(asked));
      const [sum] = Object.entries(amounts);
      if (sum === undefined) return undefined;
      const [currency, amount] = sum;
      return { amount, currency, object: { kind: 'product', id: productId }, cards, reason, needsSecondPerson: true };
    },
    run: async (asked, actor) => {
      await takeManySteps(context, { ...stepsOf(asked.payeeId, bodyOf(asked)), actor, isPreview: false }, UNTOLD);
    },
  };
}

function stepsOf(
  payeeId: PayeeId,
  { productId, expiredBefore, reason, askedAt }: SweepAsked,
): Omit<ManySteps, 'actor' | 'isPreview'> {
  return {
    payeeId,
    reason: reason ?? null,
    selection: { productId, expiredBefore, unmovedSince: askedAt },
    asked: { step: 'Sweep' },
  };
}

const UNTOLD = (): void => {};
