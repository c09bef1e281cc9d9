import { linksOf, type Operation, operation, path } from '../../http/operations.ts';
import type { CardShown, CardView, LifeStep, Replacement } from './life.types.ts';
import type { CardAnswer, ReplaceAnswer } from './life.wire.ts';

/** What the API's document files the endpoints of gift cards under. */
export const GIFT_CARDS = 'Gift cards';
/** Where the endpoints of gift cards begin. */
export const GIFT_CARD_PATH = '/api/payments/gift-card';

/** A card, masked, with what can be done with it now. */
export function cardAnswer({ card, state, possible }: CardShown, baseUrl: string): CardAnswer {
  const href = `${baseUrl}${path`/api/payments/gift-card/${card.accountId}`}`;
  const offered = [operation('GET', 'get-gift-card', href), ...possible.map((step) => stepOperation(step, href))];
  const ended = card.voidedAt ?? card.mergedAt ?? card.replacedAt ?? card.sweptAt;
  return {
    _links: linksOf(href, offered),
    giftCard: {
      accountId: card.accountId,
      accountKey: card.numberMasked,
      state,
      productId: card.productId,
      currency: card.currency,
      balance: card.available,
      held: card.held,
      expiryDate: card.expiresOn,
      ...(card.extendedTo !== null && { goodUntil: card.extendedTo }),
      issued: card.issuedAt,
      ...importOf(card),
      ...(card.replaces !== null && { replaces: card.replaces }),
      ...blockOf(card),
      ...(ended !== null && { ended }),
      ...(card.mergedInto !== null && { mergedInto: card.mergedInto }),
      ...(card.replacedBy !== null && { replacedBy: card.replacedBy }),
    },
    operations: offered,
  };
}

/** A card that was replaced, and the one in its place. Number and code leave here, and are nowhere else in an answer. */
export function replaceAnswer(
  shown: CardShown & { readonly replacement: Replacement },
  baseUrl: string,
): ReplaceAnswer {
  const { card, secrets } = shown.replacement;
  return {
    ...cardAnswer(shown, baseUrl),
    replacement: {
      accountId: card.accountId,
      accountKey: secrets?.number.reveal() ?? card.numberMasked,
      balance: card.available,
      ...(secrets !== undefined && { cvc: secrets.cvc.reveal() }),
      expiryDate: card.expiresOn,
    },
  };
}

function stepOperation(step: LifeStep, href: string): Operation {
  const verb = step.toLowerCase();
  return operation('POST', `${verb}-gift-card`, `${href}/${verb}`);
}

function importOf({ imported }: CardView) {
  if (imported === null) return {};
  const { balance, file, digest } = imported;
  return { imported: { balance, ...(file !== null && { file }), ...(digest !== null && { sha256: digest }) } };
}

/** A block of a day that is over is none. */
function blockOf({ blockedAt, blockedUntil, now }: CardView) {
  if (blockedAt === null || (blockedUntil !== null && blockedUntil <= now)) return {};
  return { blocked: blockedAt, ...(blockedUntil !== null && { blockedUntil }) };
}
