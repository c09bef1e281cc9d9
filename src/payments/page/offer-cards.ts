import { cardDigests } from '../../engine/card-history/card-digest.ts';
import { findBlocked } from '../../engine/card-history/card-history.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { openCard } from '../../vault/open-instrument.ts';
import type { CardPaymentsContext } from '../payments-context.types.ts';
import type { StoredCard } from './page.types.ts';

/**
 * Stored cards without those that would be refused, because an issuer has said never to try them again: stolen ones, for example. In the
 * sandbox their payer may try them.
 */
export async function withoutBlocked(
  context: Pick<CardPaymentsContext, 'isSandbox' | 'keyRing' | 'read'>,
  payeeId: PayeeId,
  cards: readonly StoredCard[],
): Promise<readonly StoredCard[]> {
  if (context.isSandbox || cards.length === 0) return cards;
  const known = await Promise.all(
    cards.map(async (card) => {
      const opened = await openCard({ run: context.read }, context.keyRing, {
        payeeId,
        instrumentId: card.instrumentId,
      });
      if (opened === undefined) return { card, digests: [] };
      const { digest, earlier } = cardDigests(context, payeeId, opened.number);
      return { card, digests: [digest, ...earlier] };
    }),
  );
  const blocked = await findBlocked(context.read, { payeeId, digests: known.flatMap(({ digests }) => digests) });
  const isBlocked = (digest: Buffer) => blocked.some((one) => one.equals(digest));
  return known.flatMap(({ card, digests }) => (digests.some(isBlocked) ? [] : [card]));
}
