import type { Transaction } from '../db/transaction.types.ts';
import { portalRoute } from '../http/portal-route.ts';
import type { AnyPortalRoute } from '../http/portal-route.types.ts';
import { NoParams } from '../kit/schemas.wire.ts';
import type { Kontor } from '../kontor.types.ts';
import { selectCardRanges } from './card-ranges.store.ts';
import { CardRangeList, CardRangesQuery } from './card-ranges.wire.ts';
import type { StoredCardRange } from './vault.types.ts';

/** Card ranges in one page of the portal's list. */
const PAGE_CARD_RANGES = 100;

/** The card ranges of the installation, for operators. They are loaded by `kontor card-ranges load`. */
export function cardRangeRoute({ database }: Kontor): AnyPortalRoute {
  const { transact } = database.background;
  return portalRoute({
    method: 'GET',
    path: '/portal/api/card-ranges',
    operationId: 'listCardRanges',
    tag: 'Installation',
    summary: 'List card ranges in the order of their prefixes',
    shape: { params: NoParams, query: CardRangesQuery, body: undefined, answer: CardRangeList },
    handle: async ({ query }) => {
      const { cardRanges, next } = await transact((transaction) =>
        pageCardRanges(transaction, query.cursor ?? query.prefix ?? ''),
      );
      return { cardRanges, next };
    },
  });
}

/** Some card ranges in the order of their prefixes. */
interface CardRangePage {
  readonly cardRanges: readonly StoredCardRange[];
  /** What the next page begins after; null where there is none. */
  readonly next: string | null;
}

/**
 * A page of the card ranges.
 *
 * @param start digits to begin at, or the `next` of the page before: a prefix and its source with a dash between them
 */
async function pageCardRanges(transaction: Transaction, start: string): Promise<CardRangePage> {
  const [prefix = '', source = ''] = start.split('-');
  const after = { prefix, source: source as StoredCardRange['source'] };
  const found = await selectCardRanges(transaction, { after, limit: PAGE_CARD_RANGES + 1 });
  const cardRanges = found.slice(0, PAGE_CARD_RANGES);
  const last = cardRanges.at(-1);
  const next = found.length > PAGE_CARD_RANGES && last !== undefined ? `${last.prefix}-${last.source}` : null;
  return { cardRanges, next };
}
