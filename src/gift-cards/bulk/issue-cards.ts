import { cvcOf } from '../../accounts/identifying/cvc.rules.ts';
import { ACCOUNT_PAYMENTS } from '../../accounts/payment-shelves.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import type { WriteKeys } from '../../keys/keys.types.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import { assert } from '../../kit/assert.ts';
import type { Kontor } from '../../kontor.types.ts';
import { digestsOfNumber, takenNumbers } from '../../ledger/accounts/account-number.ts';
import { openAccounts } from '../../ledger/accounts/open-accounts.ts';
import { firstDeposit, type Loading } from '../first-deposit.ts';
import { GIFT_CARD_WRITERS } from '../gift-card-writers.ts';
import type { CardDraft, MadeCard, ProductOnSale } from '../gift-cards.types.ts';
import { makeCard } from '../make-card.ts';
import type { CardToSell, IssueCards } from './bulk.types.ts';
import { issueCard } from './issue.rules.ts';

/** Makes cards that are to be issued together. Nothing is stored; see `makeCard`. */
export function makeCards(context: Kontor, product: ProductOnSale, count: number): readonly MadeCard[] {
  return Array.from({ length: count }, () => makeCard(context, product, NO_CONTACT));
}

const NO_CONTACT = { email: undefined, msisdn: undefined };

/**
 * Issues cards of a product in the caller's transaction, each as if it had been asked for alone: with its deposit, its
 * audit row and its event.
 *
 * @returns them with what is shown once; they exist when the transaction is committed
 * @throws AssertionFailure where another transaction has got one of the numbers at this moment: nothing was done, come
 *   again
 */
export async function issueCards(
  transaction: Transaction,
  context: Kontor,
  { product, amount, isInactive, made, paymentNumbers, beside = [], actor }: IssueCards,
): Promise<readonly CardToSell[]> {
  const cards = await withFreeNumbers(transaction, context, { product, made, beside });
  await openAccounts(
    transaction,
    { ...ACCOUNT_PAYMENTS, writers: GIFT_CARD_WRITERS, newId: context.newId },
    {
      cause: { payeeId: product.payeeId, actor },
      paymentNumbers,
      effect(place, { now, paymentNumber }) {
        const { draft } = at(cards, place);
        const deposit = firstDeposit(context, draft, { amount, paymentNumber });
        return issueCard({ draft, deposit, now, isInactive }).effect;
      },
    },
  );
  return cards.map((card, place) => toSell(context, card, { amount, paymentNumber: at(paymentNumbers, place) }));
}

function at<Item>(items: readonly Item[], place: number): Item {
  const item = items[place];
  assert(item !== undefined, 'there is one for each card');
  return item;
}

/** The cards, some of them made anew: in a large programme some numbers are drawn twice. */
async function withFreeNumbers(
  transaction: Transaction,
  context: Kontor,
  { product, made, beside }: Required<Pick<IssueCards, 'product' | 'made' | 'beside'>>,
): Promise<readonly MadeCard[]> {
  const { keyRing } = context;
  const { current, live } = await loadWriteKeys(transaction, keyRing);
  const { payeeId } = product;
  const issuedBeside = new Set(beside.map(({ number }) => number.reveal()));
  const free = new Map<string, MadeCard>();
  let tried = made.filter(({ draft }) => isOfToday(draft, current));
  while (free.size < made.length) {
    const digests = tried.map(({ number }) => digestsOfNumber(keyRing, live, { payeeId, number }));
    const taken = await takenNumbers(transaction, payeeId, digests.flat());
    tried.forEach((card, place) => {
      const names = at(digests, place).map((digest) => digest.toString('hex'));
      const isFree = !names.some((name) => taken.has(name)) && !issuedBeside.has(card.number.reveal());
      if (isFree) free.set(at(names, 0), card);
    });
    tried = [...makeCards(context, product, made.length - free.size)];
  }
  return [...free.values()];
}

/** Whether a card was made with the keys of now. */
function isOfToday({ opening, sealed }: CardDraft, current: WriteKeys['current']): boolean {
  return (
    sealed.sealedWith === current['card-data'] &&
    opening.numberKeyId === current['account-numbers'] &&
    opening.cvcKeyId === current['card-verification']
  );
}

function toSell({ keyRing }: Kontor, { number, draft }: MadeCard, { amount, paymentNumber }: Loading): CardToSell {
  const { payeeId, accountId, cvcKeyId, cvcSequence, expiresOn, currency } = draft.opening;
  assert(cvcKeyId !== null && expiresOn !== null && currency !== null, 'a card of ours has a code, an end, a currency');
  const cvc = cvcOf(keyRing, { payeeId, keyId: cvcKeyId, number, expiresOn, sequence: cvcSequence });
  return { accountId, number, cvc, expiresOn, balance: amount, currency, paymentNumber };
}
