import { done, type Filling } from './filling.ts';

/** Gift cards at each step of their lives. */
export async function fillGiftCards({ giftCards, seller, accounts }: Filling): Promise<void> {
  await seller.issue(1_000, { message: 'Happy birthday' });
  done(await giftCards.step('void', await giftCards.issue(1_100)));
  done(await giftCards.step('block', await giftCards.issue(1_200)));
  const blocked = await giftCards.issue(1_250);
  done(await giftCards.step('block', blocked));
  done(await giftCards.step('unblock', blocked));
  const into = await giftCards.issue(1_300);
  done(await giftCards.step('merge', await giftCards.issue(1_400), { into: into.paymentAccountId }));
  done(await giftCards.step('replace', await giftCards.issue(1_500)));
  const [expired, swept, spent] = [
    await giftCards.issue(1_600),
    await giftCards.issue(1_700),
    await giftCards.issue(1_800),
  ];
  done(await accounts.pay('purchase', spent, { amount: 1_800 }));
  await giftCards.expire(expired, swept);
  done(await giftCards.step('sweep', swept));
}
