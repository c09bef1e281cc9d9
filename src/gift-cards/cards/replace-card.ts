import { cvcOf } from '../../accounts/identifying/cvc.rules.ts';
import { assert } from '../../kit/assert.ts';
import { addSeconds } from '../../kit/instants.ts';
import { GIFT_CARD_SHOWN_SECONDS } from '../../kit/limits.ts';
import type { Secret } from '../../kit/secret.ts';
import type { CardDraft, Contact, KeptCard, ProductOnSale } from '../gift-cards.types.ts';
import type { GiftCardsContext } from '../gift-cards-context.types.ts';
import { makeCard } from '../make-card.ts';
import { associatedDataOf, type SealedField } from './associated-data.rules.ts';
import { cardOfId } from './get-card.ts';
import type { AskStep, CardShown, CardView, Replacement } from './life.types.ts';
import { takeStep } from './take-step.ts';

/**
 * Gives a lost card's balance, expiry and terms to a new card with another number and code, and ends the lost one. The
 * number and code are shown for a day: to the request, and to its repetitions.
 *
 * @throws Refusal as `takeStep`
 */
export async function replaceCard(
  context: GiftCardsContext,
  ask: AskStep,
): Promise<CardShown & { readonly replacement: Replacement }> {
  const shown = await takeStep(context, ask, async (card) => ({
    step: 'Replace',
    draft: await draftFor(context, card),
    most: ask.most,
  }));
  const { payeeId, replacedBy } = shown.card;
  assert(replacedBy !== null, 'a card that was replaced names the one in its place');
  return { ...shown, replacement: await reveal(context, { payeeId, accountId: replacedBy }) };
}

/** A new card on the terms of the old one, of a retired product too. */
async function draftFor(context: GiftCardsContext, card: CardView): Promise<CardDraft> {
  const { payeeId, accountId, productId, expiresOn, extendedTo, expiresAt } = card;
  const [product, sealed] = await Promise.all([
    context.findProduct({ payeeId, productId }),
    context.findSealedCard({ payeeId, accountId }),
  ]);
  assert(
    product !== undefined && sealed !== undefined && expiresAt !== null,
    'a gift card has a product and an expiry',
  );
  const { cvcRequired, allowedProductIds, largestBalance } = card;
  const terms: ProductOnSale = {
    ...product,
    cvcRequired,
    allowedProductIds,
    largestBalance: largestBalance ?? product.largestBalance,
    cardExpiresOn: extendedTo ?? expiresOn,
    cardExpiresAt: expiresAt,
  };
  return makeCard(context, terms, contactOf(context, sealed)).draft;
}

function contactOf({ keyRing }: GiftCardsContext, card: KeptCard): Contact {
  const opened = (field: SealedField, sealed: Buffer | null): Secret | undefined =>
    sealed === null ? undefined : keyRing.open(associatedDataOf(card, field), sealed);
  return {
    email: opened('email', card.emailSealed),
    msisdn: opened('msisdn', card.msisdnSealed),
    payerReference: card.payerReference ?? undefined,
  };
}

/** The new card, with its number and code while they are shown. */
async function reveal(context: GiftCardsContext, key: Pick<CardView, 'payeeId' | 'accountId'>): Promise<Replacement> {
  const [card, sealed] = await Promise.all([
    cardOfId(context, key.payeeId, key.accountId),
    context.findSealedCard(key),
  ]);
  assert(sealed !== undefined, 'a gift card has its number sealed');
  const { payeeId, cvcKeyId, cvcSequence, expiresOn, issuedAt, now, closedAt } = card;
  assert(cvcKeyId !== null, 'a card that we made has a code');
  const isShown = closedAt === null && now < addSeconds(issuedAt, GIFT_CARD_SHOWN_SECONDS);
  if (!isShown) return { card, secrets: undefined };
  const number = context.keyRing.open(associatedDataOf(sealed, 'number'), sealed.numberSealed);
  const cvc = cvcOf(context.keyRing, { payeeId, keyId: cvcKeyId, number, expiresOn, sequence: cvcSequence });
  return { card, secrets: { number, cvc } };
}
