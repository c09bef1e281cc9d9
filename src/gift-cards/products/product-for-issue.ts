import { inputError } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { GIFT_CARD_FILE_CARDS } from '../../kit/limits.ts';
import { formatMoney } from '../../kit/money.ts';
import type { CardsService } from '../bulk/bulk.types.ts';
import type { ProductId, ProductOnSale } from '../gift-cards.types.ts';

/** What somebody wants to issue, as they typed it. */
export interface WantedCards {
  readonly payeeId: PayeeId;
  /** Undefined: the payee's default product. */
  readonly productId: string | undefined;
  readonly amount: number;
  readonly count: number;
}

/**
 * The product of cards that are to be issued.
 *
 * @throws Refusal `inputerror` where it is not on sale, or does not take the amount
 */
export async function productForIssue(
  { findProduct }: Pick<CardsService, 'findProduct'>,
  { payeeId, productId, amount, count }: WantedCards,
): Promise<ProductOnSale> {
  const product = await findProduct({ payeeId, productId: (productId ?? null) as ProductId | null });
  if (product === undefined)
    throw inputError('--product', 'must be a product on sale; gift-card-products list shows them');
  if (count < 1 || count > GIFT_CARD_FILE_CARDS) throw inputError('--count', `must be 1 to ${GIFT_CARD_FILE_CARDS}`);
  const { smallestAmount, largestAmount, currency } = product;
  if (amount !== 0 && (amount < smallestAmount || amount > largestAmount)) {
    const [from, to] = [smallestAmount, largestAmount].map((minor) => formatMoney(minor, currency));
    throw inputError('--amount', `must be 0, or from ${from} to ${to} in minor units`);
  }
  return product;
}
