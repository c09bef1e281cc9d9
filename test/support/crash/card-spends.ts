import { expect } from 'vitest';
import { accountsShop } from '../shop/accounts-shop.ts';
import { cardShop } from '../shop/card-shop.ts';
import { insist, insistent } from './insistent.ts';
import type { TwoInstances } from './two-instances.ts';

/** Of one card, for ten of which it holds enough. */
export const SPENDS = 40;

/**
 * Spends 40 times 10 of a new card that holds 100, at both instances at once: exactly ten of them are accepted.
 *
 * @returns how many were refused because the service was too busy, and sent again
 */
export async function spendTooOften({ kontor, other }: TwoInstances): Promise<number> {
  let busy = 0;
  const [here, there] = [kontor, other].map((one) => insistent(one, () => busy++)) as [typeof kontor, typeof other];
  const shops = [accountsShop(here), accountsShop(there)] as const;
  const cards = cardShop(there);
  const card = await insist(() => cardShop(here).issue(100));
  const answers = await Promise.all(
    Array.from({ length: SPENDS }, (_, index) =>
      shops[index % 2 === 0 ? 0 : 1].pay(index % 3 === 0 ? 'authorize' : 'purchase', card, { amount: 10 }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(SPENDS).fill(200));
  expect(answers.filter(({ body }) => body.state === 'OK')).toHaveLength(10);
  expect((await cards.show(card)).body.giftCard.balance).toBe(0);
  return busy;
}
