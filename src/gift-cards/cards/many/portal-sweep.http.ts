import { actorOf } from '../../../http/actor.ts';
import { portalRoute } from '../../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../../http/portal-route.types.ts';
import { inputError } from '../../../kit/errors.ts';
import type { WeighedRoutes } from '../../../kit/given.ts';
import type { PayeeId } from '../../../kit/ids.ts';
import { isDay } from '../../../kit/instants.ts';
import { ActAnswer, PayeeParams } from '../../../kit/portal.wire.ts';
import { NoQuery } from '../../../kit/schemas.wire.ts';
import type { GiftCardsContext } from '../../gift-cards-context.types.ts';
import { selectHasBegun } from '../life.store.ts';
import { PreviewAnswer, SweepBody, SweepQuery } from './portal-sweep.wire.ts';
import { previewSweep, sweepAct } from './sweep-act.flow.ts';

const TAG = 'Gift cards';
const HERE = '/portal/api/payees/:payeeId/gift-card-sweep';

/** What is left on expired cards is booked to the payee, by a person of theirs. */
export function portalSweepRoutes(
  context: GiftCardsContext,
  { weighAct, alwaysNeedsAnother }: WeighedRoutes,
): AnyPortalRoute[] {
  const act = sweepAct(context);
  return [
    portalRoute({
      method: 'GET',
      path: HERE,
      operationId: 'previewSweep',
      tag: TAG,
      summary: 'Count the expired cards of a product that have something left',
      shape: { params: PayeeParams, query: SweepQuery, body: undefined, answer: PreviewAnswer },
      handle: async ({ payeeId, query }) => {
        await refuseDayToCome(context, payeeId, query.expiredBefore);
        const { cards, amounts } = await previewSweep(context, payeeId, query);
        const [currency = null, amount = 0] = Object.entries(amounts)[0] ?? [];
        const needsSecondPerson = currency !== null && (await alwaysNeedsAnother({ payeeId, currency }));
        return { cards, amount, currency, needsSecondPerson };
      },
    }),
    portalRoute({
      method: 'POST',
      path: HERE,
      operationId: 'sweepGiftCards',
      tag: TAG,
      summary: 'Book what is left on expired cards of a product to the payee, once another person agrees',
      shape: { params: PayeeParams, query: NoQuery, body: SweepBody, answer: ActAnswer },
      handle: async (request) => {
        const { payeeId, body, user } = request;
        const askedAt = await refuseDayToCome(context, payeeId, body.expiredBefore);
        const person = { actor: actorOf(request), isReauthenticated: user.isReauthenticated };
        return { approval: (await weighAct(act, { payeeId, params: {}, body: { ...body, askedAt } }, person)) ?? null };
      },
    }),
  ];
}

/**
 * Cards that expire until another person agrees would be swept too, and that person was told of fewer.
 *
 * @returns now, ISO 8601 in UTC
 */
async function refuseDayToCome({ database }: GiftCardsContext, payeeId: PayeeId, day: string): Promise<string> {
  const begun = isDay(day) ? await selectHasBegun(database.background.read, payeeId, day) : undefined;
  if (begun?.hasBegun === true) return begun.now;
  throw inputError('expiredBefore', 'must be today or a day before it, YYYY-MM-DD');
}
