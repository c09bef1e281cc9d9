import type {
  CardDraft,
  MadeCard,
  NewCardCommand,
  ProductId,
  ProductOnSale,
  ProductTerms,
} from '../../../src/gift-cards/gift-cards.types.ts';
import { makeCard } from '../../../src/gift-cards/make-card.ts';
import { FIND_PRODUCTS, insertProduct } from '../../../src/gift-cards/products/products.store.ts';
import { SERVICE } from '../../../src/kit/caller.ts';
import type { PayeeId } from '../../../src/kit/ids.ts';
import type { AmountMinor, Currency } from '../../../src/kit/money.ts';
import type { Kontor } from '../../../src/kontor.types.ts';
import type { PaymentId } from '../../../src/ledger/ledger.types.ts';
import type { TestDatabase } from '../database/database.ts';
import { newId } from '../database/ledger.ts';
import type { TestService } from '../service.ts';

export const NO_CONTACT = { email: undefined, msisdn: undefined };

/** A product as the sandbox has one. */
export function productTerms(payeeId: PayeeId, more: Partial<ProductTerms> = {}): ProductTerms {
  return {
    payeeId,
    productId: '1000' as ProductId,
    name: 'Gift card',
    currency: 'NOK' as Currency,
    numberPrefix: '95781',
    numberLength: 16,
    validityMonths: 24,
    smallestAmount: 1 as AmountMinor,
    largestAmount: 1_000_000 as AmountMinor,
    largestBalance: 2_000_000 as AmountMinor,
    allowedProductIds: [],
    cvcRequired: false,
    mergeKeepsLimits: false,
    isDefault: true,
    ...more,
  };
}

/** Adds a product, and finds it as a request would. */
export async function addProduct(database: TestDatabase, terms: ProductTerms): Promise<ProductOnSale> {
  await database.transact((transaction) => insertProduct(transaction, terms));
  const { payeeId, productId } = terms;
  return (await database.find(FIND_PRODUCTS)({ payeeId, productId })) as ProductOnSale;
}

/** Makes a card in this process, as a verb does before it submits it. */
export function draftCard(kontor: Kontor, product: ProductOnSale, digits = kontor.randomDigits): MadeCard {
  return makeCard({ ...kontor, newId, randomDigits: digits }, product, NO_CONTACT);
}

/** A request for a new card with ids and a nonce of its own. */
export function newCard(card: CardDraft, amount: number, more: Partial<NewCardCommand> = {}): NewCardCommand {
  return {
    payeeId: card.opening.payeeId,
    commandId: newId(),
    actor: SERVICE,
    card,
    paymentId: newId() as PaymentId,
    amount: amount as AmountMinor,
    orderRef: undefined,
    nonce: `key:${newId()}`,
    idempotencyKey: undefined,
    echo: {
      accountIdentifier: {},
      words: {},
      circumstances: {},
      allowedProductIds: [],
      issuer: 'ledger',
      card: { matches: true, numberMasked: '', expiryMonth: null },
      askedProduct: null,
      balance: amount as AmountMinor,
    },
    ...more,
  };
}

/** The same service as another payee sees it. */
export function inNameOf(
  { accessToken, hmac, payeeId }: Awaited<ReturnType<TestService['addPayee']>>,
  at: TestService,
): TestService {
  return {
    ...at,
    payeeId: payeeId as TestService['payeeId'],
    send: (method, path, options) =>
      at.send(method, path, { ...options, hmac, accessToken: options?.accessToken === null ? null : accessToken }),
  };
}
