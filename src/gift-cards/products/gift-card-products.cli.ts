import { COMMAND_LINE } from '../../kit/caller.ts';
import {
  type Command,
  type CommandRuntime,
  command,
  flag,
  needed,
  optional,
  payeeOption,
  readWhole,
  usually,
} from '../../kit/command.ts';
import { type AmountMinor, type Currency, formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import type { Product, ProductId } from '../gift-cards.types.ts';
import type { GiftCardsService } from '../gift-cards-context.types.ts';
import { set } from './change-product.cli.ts';
import { type NumberRange, rangeOf } from './number-range.rules.ts';
import { selectNumbersUsed, selectProducts } from './products.store.ts';
import { createProduct, retireProduct } from './products.ts';

type Runtime = CommandRuntime<GiftCardsService>;

const WHOSE_IT_IS = payeeOption('whose it is');

const create = command({
  name: 'create',
  about: "create a product; a payee's first one is its default",
  takes: {
    name: needed('<name>', 'its name, for people'),
    currency: needed('<code>', 'of its cards, as in NOK'),
    prefix: needed('<digits>', "first digits of its cards' numbers: 4 to 8, which no other product or issuer has"),
    id: optional('<id>', 'how requests name it (default: a new id)'),
    length: usually('<digits>', "digits of its cards' numbers, 16 to 19", 16, readWhole),
    months: usually('<number>', 'full months that a card is valid', 24, readWhole),
    smallest: usually('<amount>', 'smallest amount of one issue or deposit, in minor units', 1, readWhole),
    largest: usually('<amount>', 'largest amount of one issue or deposit', 1_000_000, readWhole),
    largestBalance: usually('<amount>', 'what a card may hold', 2_000_000, readWhole),
    allow: usually<readonly string[]>(
      '<ids>',
      'products that its cards can be spent on, parted by commas (default: any)',
      [],
      (text) => text.split(',').map((id) => id.trim()),
    ),
    cvcRequired: flag('ask for the cvc where a card is spent or its balance is asked for'),
    mergeKeepsLimits: flag('money on its cards is not merged into cards with fewer limits'),
    default: flag('make it the one that is meant where a request names none'),
    payee: WHOSE_IT_IS,
  },
  json: 'print the product',
  run: ({ withService }: Runtime, given) =>
    withService(({ transact, context, whichPayee }) => {
      // Made before the transaction, which may run twice.
      const productId = (given.id ?? context.newId()) as ProductId;
      return transact(async (transaction) => {
        const terms = {
          payeeId: await whichPayee(transaction, given.payee),
          productId,
          name: given.name.trim(),
          currency: given.currency as Currency,
          numberPrefix: given.prefix,
          numberLength: given.length,
          validityMonths: given.months,
          smallestAmount: given.smallest as AmountMinor,
          largestAmount: given.largest as AmountMinor,
          largestBalance: given.largestBalance as AmountMinor,
          allowedProductIds: given.allow,
          cvcRequired: given.cvcRequired,
          mergeKeepsLimits: given.mergeKeepsLimits,
          isDefault: given.default,
        };
        return createProduct(transaction, context, { terms, actor: COMMAND_LINE });
      });
    }),
  asJson: (product) => shown(product),
  show: ({ productId }) => `Created the gift-card product ${productId}.`,
});

const list = command({
  name: 'list',
  about: 'show the products, the newest first',
  takes: { payee: payeeOption('whose') },
  json: 'print an array',
  run: ({ withService }: Runtime, { payee }) =>
    withService(({ transact, whichPayee }) =>
      transact(async (transaction) => {
        const payeeId = await whichPayee(transaction, payee);
        const { rows } = await selectProducts(transaction, payeeId);
        const { rows: used } = await selectNumbersUsed(transaction, payeeId);
        return rows.map((product) => ({ product, range: rangeOf(product, { products: rows, used }) }));
      }),
    ),
  asJson: (found) => found.map(({ product, range }) => ({ ...shown(product), numbersLeft: range.left })),
  show: (found) => {
    if (found.length === 0) return 'There are no gift-card products.';
    const nearlyUsed = found.filter(({ range }) => range.isNearlyUsed);
    return [
      formatTable(['product', 'cards', 'numbers left', 'up to', 'state', 'name'], found.map(row)),
      ...nearlyUsed.map(
        ({ product, range }) =>
          `Of the numbers of ${product.productId} one in ${range.oneIn} is a card's: they can be guessed. Create a product with another prefix.`,
      ),
    ];
  },
});

function row({ product, range }: { readonly product: Product; readonly range: NumberRange }): string[] {
  const { productId, numberPrefix, numberLength, largestBalance, currency, isDefault, retiredAt, name } = product;
  const state = retiredAt !== null ? 'retired' : isDefault ? 'default' : 'on sale';
  const cards = numberPrefix.padEnd(numberLength, '.');
  return [productId, cards, range.left.toLocaleString('en-US'), formatMoney(largestBalance, currency), state, name];
}

function shown({ payeeId: _, ...product }: Product): object {
  return product;
}

const retire = command({
  name: 'retire',
  about: 'sell no more cards of a product; those that exist stay good',
  args: ['id'],
  takes: { id: needed('<id>', 'the product'), payee: WHOSE_IT_IS },
  json: 'print the product',
  run: ({ withService }: Runtime, { id: productId, payee }) =>
    withService(({ transact, whichPayee }) =>
      transact(async (transaction) => {
        const payeeId = await whichPayee(transaction, payee);
        return retireProduct(transaction, { payeeId, productId, actor: COMMAND_LINE });
      }),
    ),
  asJson: (product) => shown(product),
  show: ({ productId }) => `Retired the gift-card product ${productId}.`,
});

/** `gift-card-products …`. */
export const giftCardProductCommands: readonly Command<Runtime>[] = [create, list, set, retire];
