import { actorOf } from '../../http/actor.ts';
import { textOf } from '../../http/body/json-number.ts';
import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { linksOf, type Operation, operation, path } from '../../http/operations.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { AmountMinor, Currency } from '../../kit/money.ts';
import { GIFT_CARD_PATH, GIFT_CARDS } from '../cards/life-answers.http.ts';
import type { Product, ProductId, ProductTerms } from '../gift-cards.types.ts';
import { Nothing } from '../gift-cards.wire.ts';
import type { GiftCardsContext } from '../gift-cards-context.types.ts';
import { selectProducts } from './products.store.ts';
import { createProduct, retireProduct } from './products.ts';
import { NewProductBody, ProductAnswer, ProductParams, ProductsAnswer } from './products.wire.ts';

const PRODUCTS_PATH = `${GIFT_CARD_PATH}/products`;

/** The endpoints of what gift cards are sold as. */
export function giftCardProductRoutes(context: GiftCardsContext, { baseUrl }: RouteGiven): ApiRoute[] {
  const { transact } = context.database;
  const common = { scope: 'gift-cards', signed: true, tag: GIFT_CARDS } as const;
  return [
    apiRoute({
      ...common,
      method: 'GET',
      path: PRODUCTS_PATH,
      operationId: 'listGiftCardProducts',
      summary: "List the payee's products, the newest first",
      shape: { params: Nothing, query: Nothing, body: undefined, answer: ProductsAnswer },
      handle: async ({ payeeId }) => {
        const { rows: products } = await transact((transaction) => selectProducts(transaction, payeeId));
        const possible = [operation('POST', 'create-product', `${baseUrl()}${PRODUCTS_PATH}`)];
        return {
          _links: linksOf(`${baseUrl()}${PRODUCTS_PATH}`, possible),
          products: products.map((product) => shown(product, baseUrl())),
          operations: possible,
        };
      },
    }),
    apiRoute({
      ...common,
      method: 'POST',
      path: PRODUCTS_PATH,
      operationId: 'createGiftCardProduct',
      summary: 'Create a product; the same again is the same product',
      shape: { params: Nothing, query: Nothing, body: NewProductBody, answer: ProductAnswer },
      problems: ['referencereused'],
      handle: async (request) => {
        const command = { terms: termsOf(request.payeeId, request.body), actor: actorOf(request) };
        return answered(await transact((transaction) => createProduct(transaction, context, command)), baseUrl());
      },
    }),
    apiRoute({
      ...common,
      method: 'POST',
      path: `${PRODUCTS_PATH}/:productId/retire`,
      operationId: 'retireGiftCardProduct',
      summary: 'Sell no more cards of a product; those that exist stay good',
      shape: { params: ProductParams, query: Nothing, body: undefined, answer: ProductAnswer },
      exists: async ({ params, payeeId }) => {
        const { rows: products } = await transact((transaction) => selectProducts(transaction, payeeId));
        return products.some(({ productId }) => productId === params.productId);
      },
      handle: async (request) => {
        const command = { payeeId: request.payeeId, productId: request.params.productId, actor: actorOf(request) };
        return answered(await transact((transaction) => retireProduct(transaction, command)), baseUrl());
      },
    }),
  ];
}

function termsOf(payeeId: PayeeId, body: NewProductBody): ProductTerms {
  const { productId, currency, smallestAmount, largestAmount, largestBalance, allowedProductIds = [] } = body;
  return {
    payeeId,
    productId: (textOf(productId) ?? '') as ProductId,
    name: body.name.trim(),
    currency: currency as Currency,
    numberPrefix: body.numberPrefix,
    numberLength: body.numberLength,
    validityMonths: body.validityMonths,
    smallestAmount: smallestAmount as AmountMinor,
    largestAmount: largestAmount as AmountMinor,
    largestBalance: largestBalance as AmountMinor,
    allowedProductIds: allowedProductIds.map((id) => textOf(id) ?? ''),
    cvcRequired: body.cvcRequired ?? false,
    mergeKeepsLimits: body.mergeKeepsLimits ?? false,
    isDefault: body.isDefault ?? false,
  };
}

function answered(product: Product, baseUrl: string): ProductAnswer {
  const possible = productOperations(product, baseUrl);
  return {
    _links: linksOf(`${baseUrl}${PRODUCTS_PATH}`, possible),
    product: shown(product, baseUrl),
    operations: possible,
  };
}

function shown(product: Product, baseUrl: string): ProductAnswer['product'] {
  const { payeeId: _, retiredAt, createdAt, allowedProductIds, limits, ...terms } = product;
  return {
    ...terms,
    allowedProductIds,
    limits,
    state: retiredAt === null ? 'OnSale' : 'Retired',
    created: createdAt,
    ...(retiredAt !== null && { retired: retiredAt }),
    operations: productOperations(product, baseUrl),
  };
}

/** What can be done with a product now: one that is retired stays so. */
function productOperations({ productId, retiredAt }: Product, baseUrl: string): Operation[] {
  const list = operation('GET', 'get-products', `${baseUrl}${PRODUCTS_PATH}`);
  if (retiredAt !== null) return [list];
  const href = `${baseUrl}${path`/api/payments/gift-card/products/${productId}/retire`}`;
  return [list, operation('POST', 'retire-product', href)];
}
