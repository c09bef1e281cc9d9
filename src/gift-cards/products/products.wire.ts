import { Type } from 'typebox';
import { GIFT_CARD_MONTHS, NAME_CHARACTERS } from '../../kit/limits.ts';
import { LARGEST_AMOUNT_MINOR } from '../../kit/money.ts';
import { freeText, idLike, links, logged, operations, type Shown } from '../../kit/schemas.wire.ts';

const ID = '^[A-Za-z0-9._-]{1,64}$';
const MOST_ALLOWED = 200;

const Amount = (description: string) => Type.Integer({ minimum: 1, maximum: LARGEST_AMOUNT_MINOR, description });

const terms = {
  currency: logged(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code, as in NOK' })),
  numberPrefix: Type.String({ pattern: '^[0-9]{4,8}$', description: 'First digits of its cards, 4 to 8' }),
  numberLength: Type.Integer({ minimum: 16, maximum: 19, description: "Digits of its cards' numbers" }),
  validityMonths: Type.Integer({
    minimum: 1,
    maximum: GIFT_CARD_MONTHS,
    description: 'Full months that a card is valid, to the end of the last one',
  }),
  smallestAmount: Amount('Of one issue or deposit, in the smallest unit of the currency'),
  largestAmount: Amount('Of one issue or deposit'),
  largestBalance: Amount('What a card may hold'),
};

export const NewProductBody = Type.Object(
  {
    productId: logged(
      idLike(ID, '1 to 64 of A-Z, a-z, 0-9, dot, underscore and dash: names the product, once and for ever'),
    ),
    name: freeText(NAME_CHARACTERS, 'Its name, for people'),
    ...terms,
    allowedProductIds: Type.Optional(
      Type.Array(idLike(ID, 'What is sold'), {
        maxItems: MOST_ALLOWED,
        description: 'What its cards can be spent on; absent or empty: anything',
      }),
    ),
    cvcRequired: Type.Optional(
      Type.Boolean({ description: 'Whether a cvc is needed to spend and to ask for the balance' }),
    ),
    mergeKeepsLimits: Type.Optional(
      Type.Boolean({ description: 'Whether money on its cards is not merged into cards with fewer limits' }),
    ),
    isDefault: logged(
      Type.Optional(Type.Boolean({ description: 'Whether it is meant where a request names no product' })),
    ),
  },
  { $id: 'NewGiftCardProductRequest' },
);
export type NewProductBody = Shown<typeof NewProductBody>;

const ValueLimit = Type.Object(
  {
    flow: Type.Enum(['Loaded', 'Spent']),
    scope: Type.Enum(['Product', 'Card', 'Payer'], { description: 'Of all cards together, of each, or of each payer' }),
    period: Type.Enum(['Day', 'Month'], { description: 'Where the payee is' }),
    amount: Type.Integer({ description: 'In the smallest unit of the currency' }),
  },
  { $id: 'GiftCardLimit' },
);

const Product = Type.Object(
  {
    productId: logged(Type.String()),
    name: Type.String(),
    currency: logged(Type.String()),
    numberPrefix: Type.String(),
    numberLength: Type.Integer(),
    validityMonths: Type.Integer(),
    smallestAmount: Type.Integer(),
    largestAmount: Type.Integer(),
    largestBalance: Type.Integer(),
    allowedProductIds: Type.Array(Type.String()),
    cvcRequired: Type.Boolean(),
    mergeKeepsLimits: Type.Boolean(),
    limits: Type.Array(ValueLimit, { description: 'What may be loaded on its cards, and spent with them' }),
    isDefault: logged(Type.Boolean()),
    state: logged(Type.Enum(['OnSale', 'Retired'])),
    created: logged(Type.String({ format: 'date-time' })),
    retired: Type.Optional(Type.String({ format: 'date-time' })),
    operations,
  },
  { $id: 'GiftCardProduct' },
);

export const ProductAnswer = Type.Object({ _links: links, product: Product, operations });
export type ProductAnswer = Shown<typeof ProductAnswer>;
export const ProductsAnswer = Type.Object({ _links: links, products: Type.Array(Product), operations });
export type ProductsAnswer = Shown<typeof ProductsAnswer>;

export const ProductParams = Type.Object({ productId: Type.String({ description: 'The product' }) });
