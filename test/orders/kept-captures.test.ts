import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { IssuerAnswer } from '../../src/issuers/questions.types.ts';
import { amountMinor } from '../../src/kit/money.ts';
import { refuteBooks } from '../support/books.ts';
import { orderShop } from '../support/order-shop.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';

let kontor: TestService;
let shop: ReturnType<typeof orderShop>;

beforeAll(async () => {
  kontor = await serviceWithoutJobs();
  shop = orderShop(kontor);
});

afterAll(() => kontor.stop());

afterEach(async () => {
  expect(await refuteBooks(kontor)).toEqual([]);
});

test('a capture keeps all apart while the acquirer of the card is away, and books it once that has acknowledged the capture', async () => {
  const { order } = await shop.create(500);
  const { orderId } = order;
  const card = await shop.giftCard(120);
  expect((await shop.add(orderId, card.number)).outcome).toBe('ok');
  await shop.payByCard(orderId);
  const kept: IssuerAnswer = {
    outcome: 'Kept',
    releasedAmount: amountMinor(0),
    sequence: { number: 1, isLast: false },
  };
  shop.answerNext(kept);
  const request = { type: 'Capture', amount: 300, payeeReference: 'K' } as const;
  const waiting = await shop.followUp(orderId, request);
  expect(waiting.transaction?.state).toBe('Initialized');
  expect(waiting.view.order).toMatchObject({ captured: 0, reservedHold: 300, unsettled: 1 });
  // A repeat is answered at once, and what would overtake it waits.
  expect(await shop.followUp(orderId, request)).toMatchObject({
    isReplay: true,
    transaction: { state: 'Initialized' },
  });
  for (const type of ['Reversal', 'Capture'] as const) {
    const later = shop.followUp(orderId, { type, amount: 10 });
    await expect(later).rejects.toMatchObject({ code: 'conflict', retryAfterSeconds: 60 });
  }
  const transaction = waiting.view.card.transactions.at(-1);
  const references = { retrievalReference: '' };
  const approved: IssuerAnswer = { outcome: 'Approved', responseCode: '000', references };
  for (const _twice of [1, 2]) {
    await shop.payments.settler.settleForwarded({ ...transaction } as never, approved);
    expect((await shop.view(orderId)).order).toMatchObject({ captured: 300, reservedHold: 0, unsettled: 0 });
  }
  const again = await shop.followUp(orderId, request);
  expect(again).toMatchObject({ isReplay: true, transaction: { state: 'Completed' } });
  expect((await shop.account(card.accountId))?.available).toBe(0);
});
