import { actorOf } from '../../http/actor.ts';
import { textOf } from '../../http/body/json-number.ts';
import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute, EdgeRequest } from '../../http/route.types.ts';
import type { Given } from '../../kit/given.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import type { GiftCardsContext } from '../gift-cards-context.types.ts';
import { cardExists, cardOfId, getCard } from './get-card.ts';
import type { AskStep, CardShown } from './life.types.ts';
import { CardAnswer, CardParams, MergeBody, ReplaceAnswer, StepBody } from './life.wire.ts';
import { cardAnswer, GIFT_CARD_PATH, GIFT_CARDS, replaceAnswer } from './life-answers.http.ts';
import { replaceCard } from './replace-card.ts';
import { blockCard, mergeCard, sweepCard, unblockCard, voidCard } from './take-step.ts';

const CARD_PATH = `${GIFT_CARD_PATH}/:paymentAccountId`;

interface PlainStep {
  readonly verb: 'block' | 'unblock' | 'void' | 'sweep';
  readonly summary: string;
  readonly take: (context: GiftCardsContext, ask: AskStep) => Promise<CardShown>;
}

const PLAIN_STEPS: readonly PlainStep[] = [
  { verb: 'block', summary: 'Keep a card from being spent and loaded', take: blockCard },
  { verb: 'unblock', summary: 'End the block of a card', take: unblockCard },
  { verb: 'void', summary: 'End a card that has not been used, and give its deposit back', take: voidCard },
  { verb: 'sweep', summary: 'Book what is left on an expired card to the payee', take: sweepCard },
];

/** The endpoints of a card's life. */
export function cardLifeRoutes(context: GiftCardsContext, { baseUrl }: RouteGiven): ApiRoute[] {
  const common = {
    scope: 'gift-cards',
    signed: true,
    tag: GIFT_CARDS,
    exists: ({ params, payeeId }: Pick<EdgeRequest, 'payeeId'> & { readonly params: Params }) =>
      cardExists(context, payeeId, params.paymentAccountId),
  } as const;
  // A user who moves money to another card could have that card.
  const gives = async ({ payeeId, params, body }: Giving): Promise<Given> => {
    const { accountId, available, currency } = await cardOfId(context, payeeId, params.paymentAccountId);
    const into = body.into === undefined ? undefined : textOf(body.into)?.toLowerCase();
    return { amount: available, currency, object: { kind: 'gift-card', id: accountId }, into, reason: body.reason };
  };
  return [
    apiRoute({
      ...common,
      method: 'GET',
      path: CARD_PATH,
      operationId: 'getGiftCard',
      summary: 'Read a gift card, and what can be done with it',
      shape: { params: CardParams, query: NoQuery, body: undefined, answer: CardAnswer },
      handle: async (request) => {
        const asked = { ...request.params, actor: actorOf(request) };
        return cardAnswer(await getCard(context, request.payeeId, asked), baseUrl());
      },
    }),
    ...PLAIN_STEPS.map(({ verb, summary, take }) =>
      apiRoute({
        ...common,
        method: 'POST',
        path: `${CARD_PATH}/${verb}`,
        operationId: `${verb}GiftCard`,
        summary,
        shape: { params: CardParams, query: NoQuery, body: StepBody, answer: CardAnswer },
        problems: ['referencereused'],
        handle: async (request) => cardAnswer(await take(context, askedStep(request)), baseUrl()),
      }),
    ),
    apiRoute({
      ...common,
      method: 'POST',
      path: `${CARD_PATH}/merge`,
      operationId: 'mergeGiftCard',
      gives,
      summary: 'Move all that is on a card to another one, and end it',
      shape: { params: CardParams, query: NoQuery, body: MergeBody, answer: CardAnswer },
      problems: ['referencereused'],
      handle: async (request) => {
        const into = textOf(request.body.into) ?? '';
        return cardAnswer(await mergeCard(context, { ...askedStep(request), into }), baseUrl());
      },
    }),
    apiRoute({
      ...common,
      method: 'POST',
      path: `${CARD_PATH}/replace`,
      operationId: 'replaceGiftCard',
      gives,
      summary: 'Put a new card in the place of a lost one',
      shape: { params: CardParams, query: NoQuery, body: StepBody, answer: ReplaceAnswer },
      problems: ['referencereused'],
      handle: async (request) => replaceAnswer(await replaceCard(context, askedStep(request)), baseUrl()),
    }),
  ];
}

interface Params {
  readonly paymentAccountId: string;
}

interface Giving extends Pick<EdgeRequest, 'payeeId'> {
  readonly params: Params;
  readonly body: Pick<StepBody, 'reason'> & { readonly into?: Parameters<typeof textOf>[0] };
}

function askedStep(
  request: Pick<EdgeRequest, 'payeeId' | 'caller' | 'sessionId' | 'trace' | 'remoteAddress' | 'weighed'> & {
    readonly params: Params;
    readonly body: StepBody;
  },
): AskStep {
  const { payeeId, params, body, weighed } = request;
  const { transactionRef, reason } = body;
  const { paymentAccountId } = params;
  return { payeeId, actor: actorOf(request), paymentAccountId, transactionRef, reason, most: weighed?.amount };
}
