import { type PayeeId, uuidV4 } from '../../../src/kit/ids.ts';
import type { TestService } from '../service.ts';
import { newReference } from '../shop/accounts-shop.ts';
import { cardShop, type StepVerb } from '../shop/card-shop.ts';
import type { Sample } from './routes-samples.ts';

/** Ids of cards by their names, the same before and after they are made. */
const ids = new Map<string, string>();

function idOf(name: string): string {
  const id = ids.get(name) ?? uuidV4();
  ids.set(name, id);
  return id;
}

/** Of the card that was made last: its reference, so that a step may be sent to it again, and a card to merge it into. */
let transactionRef = newReference();
let into = uuidV4();

/** Makes a card that is ready for a step. */
async function make(kontor: TestService, payeeId: PayeeId, name: string, verb?: StepVerb): Promise<void> {
  const cards = cardShop({ ...kontor, payeeId });
  const product = await cards.product({ productId: 'sample' as never });
  into = (await cards.issue(100, product)).paymentAccountId;
  const waiting = [idOf(name)];
  const card = await cards.issue(100, product, () => waiting.shift() ?? uuidV4());
  transactionRef = newReference();
  if (verb === 'sweep') await cards.expire(card);
  if (verb === 'unblock') {
    await kontor.database.asAdmin(
      `update account set blocked_at = kontor_now() where account_id = '${card.paymentAccountId}'`,
    );
  }
}

const card = (verb?: StepVerb): Omit<Sample, 'body'> => ({
  params: (name) => ({ paymentAccountId: idOf(name) }),
  make: (kontor, payeeId, name) => make(kontor, payeeId, name, verb),
  isMissedWhenUnknown: true,
});

const step = (verb: StepVerb): Sample => ({
  ...card(verb),
  get body() {
    return { transactionRef, reason: 'Asked for at the till', ...(verb === 'merge' && { into }) };
  },
});

/** Samples of the life of gift cards. */
export const CARD_LIFE_SAMPLES: Readonly<Record<string, Sample>> = {
  getGiftCard: card(),
  blockGiftCard: step('block'),
  unblockGiftCard: step('unblock'),
  voidGiftCard: step('void'),
  mergeGiftCard: step('merge'),
  replaceGiftCard: step('replace'),
  sweepGiftCard: step('sweep'),
};
