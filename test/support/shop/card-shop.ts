import { NEW_CARD } from '../../../src/gift-cards/gift-card-kinds.ts';
import type { ProductOnSale, ProductTerms } from '../../../src/gift-cards/gift-cards.types.ts';
import { makeCard } from '../../../src/gift-cards/make-card.ts';
import { FIND_PRODUCTS } from '../../../src/gift-cards/products/products.store.ts';
import type { PayeeId } from '../../../src/kit/ids.ts';
import type { Answer, TestService } from '../service.ts';
import { newReference, type OpenedAccount } from './accounts-shop.ts';
import { addProduct, NO_CONTACT, newCard, productTerms } from './gift-cards.ts';

/** A step's name in addresses. */
export type StepVerb = 'block' | 'unblock' | 'void' | 'merge' | 'replace' | 'sweep';

/** What an operator and a shop do with gift cards in a test, over HTTP. */
export interface CardShop {
  /** Issues a card of the sandbox's product, or of another one, with so much on it. */
  issue(amount: number, product?: ProductOnSale, newId?: () => string): Promise<OpenedAccount>;
  /** A product of the demo payee. */
  product(terms: Partial<ProductTerms>): Promise<ProductOnSale>;
  /** Asks for a step. */
  step(verb: StepVerb, card: { readonly paymentAccountId: string }, members?: object): Promise<Answer>;
  /** Reads a card. */
  show(card: { readonly paymentAccountId: string }): Promise<Answer>;
  /** Lets the time of cards be over. */
  expire(...cards: readonly { readonly paymentAccountId: string }[]): Promise<void>;
}

/** Opens a shop on a running service. */
export function cardShop(kontor: TestService): CardShop {
  const { service, database } = kontor;
  const payeeId = kontor.payeeId as PayeeId;
  const path = ({ paymentAccountId }: { readonly paymentAccountId: string }) =>
    `/api/payments/gift-card/${paymentAccountId}`;
  return {
    async issue(amount, product, newId = service.newId) {
      const sold = product ?? (await service.database.find(FIND_PRODUCTS)({ payeeId, productId: null }));
      if (sold === undefined) throw new Error('the sandbox has a product');
      const made = makeCard({ ...service, newId }, sold as ProductOnSale, NO_CONTACT);
      const result = await service.ledger.submit(NEW_CARD, newCard(made.draft, amount));
      if (result.kind !== 'Issued') throw new Error(`the card was not issued: ${result.kind}`);
      const { accountId, currency } = made.draft.opening;
      return { paymentAccountId: accountId, accountKey: made.number.reveal(), currency: currency ?? 'NOK' };
    },
    product: (terms) => addProduct(database, productTerms(payeeId, { isDefault: false, ...terms })),
    step: (verb, card, members = {}) =>
      kontor.send('POST', `${path(card)}/${verb}`, { body: { transactionRef: newReference(), ...members } }),
    show: (card) => kontor.send('GET', path(card)),
    expire: async (...cards) => {
      await database.asAdmin(`
        update account set expires_at = kontor_now() - interval '1 second', expires_on = (kontor_now() - interval '1 day')::date, version = version + 1
        where account_id in (${cards.map(({ paymentAccountId }) => `'${paymentAccountId}'`).join(', ')})`);
    },
  };
}

/** The steps that an answer offers. */
export function offered({ body }: Answer): string[] {
  return body.operations
    .map(({ rel }: { readonly rel: string }) => rel.replace('-gift-card', ''))
    .filter((rel: string) => rel !== 'get');
}
