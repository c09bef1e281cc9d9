import { type Command, InvalidArgumentError } from 'commander';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { type AmountMinor, type Currency, formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import type { GiftCardsService, Product, ProductId } from '../gift-cards.types.ts';
import { addSet } from './change-product.cli.ts';
import { type NumberRange, rangeOf } from './number-range.rules.ts';
import { selectNumbersUsed, selectProducts } from './products.store.ts';
import { createProduct, retireProduct } from './products.ts';

interface Options {
  readonly payee?: string;
  readonly json?: true;
}

interface CreateOptions extends Options {
  readonly name: string;
  readonly currency: string;
  readonly prefix: string;
  readonly id?: string;
  readonly length: number;
  readonly months: number;
  readonly smallest: number;
  readonly largest: number;
  readonly largestBalance: number;
  readonly allow: readonly string[];
  readonly cvcRequired?: true;
  readonly mergeKeepsLimits?: true;
  readonly default?: true;
}

/** Adds `gift-card-products create`, `list`, `set` and `retire`. */
export function giftCardProductCommands(program: Command, runtime: CommandRuntime<GiftCardsService>): void {
  const products = program.command('gift-card-products').description('what gift cards are sold as');
  addCreate(products, runtime);
  addList(products, runtime);
  addSet(products, runtime);
  addRetire(products, runtime);
}

function addCreate(products: Command, runtime: CommandRuntime<GiftCardsService>): void {
  products
    .command('create')
    .description("create a product; a payee's first one is its default")
    .requiredOption('--name <name>', 'its name, for people')
    .requiredOption('--currency <code>', 'of its cards, as in NOK')
    .requiredOption(
      '--prefix <digits>',
      "first digits of its cards' numbers: 4 to 8, which no other product or issuer has",
    )
    .option('--id <id>', 'how requests name it (default: a new id)')
    .option('--length <digits>', "digits of its cards' numbers, 16 to 19", whole, 16)
    .option('--months <number>', 'full months that a card is valid', whole, 24)
    .option('--smallest <amount>', 'smallest amount of one issue or deposit, in minor units', whole, 1)
    .option('--largest <amount>', 'largest amount of one issue or deposit', whole, 1_000_000)
    .option('--largest-balance <amount>', 'what a card may hold', whole, 2_000_000)
    .option('--allow <ids>', 'products that its cards can be spent on, parted by commas (default: any)', list, [])
    .option('--cvc-required', 'ask for the cvc where a card is spent or its balance is asked for')
    .option('--merge-keeps-limits', 'money on its cards is not merged into cards with fewer limits')
    .option('--default', 'make it the one that is meant where a request names none')
    .option('--payee <id>', 'whose it is; may be left out while there is one payee')
    .option('--json', 'print the product')
    .action(async (options: CreateOptions) => {
      const product = await create(runtime, options);
      if (options.json) return runtime.print(JSON.stringify(shown(product)));
      runtime.print(`Created the gift-card product ${product.productId}.`);
    });
}

function create(runtime: CommandRuntime<GiftCardsService>, options: CreateOptions): Promise<Product> {
  return runtime.withService(({ transact, context, whichPayee }) => {
    // Made before the transaction, which may run twice.
    const productId = (options.id ?? context.newId()) as ProductId;
    return transact(async (transaction) => {
      const terms = {
        payeeId: await whichPayee(transaction, options.payee),
        productId,
        name: options.name.trim(),
        currency: options.currency as Currency,
        numberPrefix: options.prefix,
        numberLength: options.length,
        validityMonths: options.months,
        smallestAmount: options.smallest as AmountMinor,
        largestAmount: options.largest as AmountMinor,
        largestBalance: options.largestBalance as AmountMinor,
        allowedProductIds: options.allow,
        cvcRequired: options.cvcRequired === true,
        mergeKeepsLimits: options.mergeKeepsLimits === true,
        isDefault: options.default === true,
      };
      return createProduct(transaction, context, { terms, actor: COMMAND_LINE });
    });
  });
}

/** A whole number as it was written. Whether it is one that a product may have, the rule says. */
function whole(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function list(text: string): readonly string[] {
  return text.split(',').map((id) => id.trim());
}

function addList(products: Command, runtime: CommandRuntime<GiftCardsService>): void {
  products
    .command('list')
    .description('show the products, the newest first')
    .option('--payee <id>', 'whose; may be left out while there is one payee')
    .option('--json', 'print an array')
    .action(async (options: Options) => {
      const found = await runtime.withService(({ transact, whichPayee }) =>
        transact(async (transaction) => {
          const payeeId = await whichPayee(transaction, options.payee);
          const { rows } = await selectProducts(transaction, payeeId);
          const { rows: used } = await selectNumbersUsed(transaction, payeeId);
          return rows.map((product) => ({ product, range: rangeOf(product, { products: rows, used }) }));
        }),
      );
      if (options.json) {
        const lines = found.map(({ product, range }) => ({ ...shown(product), numbersLeft: range.left }));
        return runtime.print(JSON.stringify(lines));
      }
      if (found.length === 0) return runtime.print('There are no gift-card products.');
      const heading = ['product', 'cards', 'numbers left', 'up to', 'state', 'name'];
      runtime.print(formatTable(heading, found.map(row)));
      for (const { product, range } of found.filter((one) => one.range.isNearlyUsed)) {
        runtime.print(
          `Of the numbers of ${product.productId} one in ${range.oneIn} is a card's: they can be guessed. Create a product with another prefix.`,
        );
      }
    });
}

function row({ product, range }: { readonly product: Product; readonly range: NumberRange }): string[] {
  const { productId, numberPrefix, numberLength, largestBalance, currency, isDefault, retiredAt, name } = product;
  const state = retiredAt !== null ? 'retired' : isDefault ? 'default' : 'on sale';
  const cards = numberPrefix.padEnd(numberLength, '.');
  return [productId, cards, range.left.toLocaleString('en-US'), formatMoney(largestBalance, currency), state, name];
}

function shown({ payeeId: _, ...product }: Product): object {
  return product;
}

function addRetire(products: Command, runtime: CommandRuntime<GiftCardsService>): void {
  products
    .command('retire')
    .description('sell no more cards of a product; those that exist stay good')
    .argument('<id>', 'the product')
    .option('--payee <id>', 'whose it is; may be left out while there is one payee')
    .option('--json', 'print the product')
    .action(async (productId: string, options: Options) => {
      const retired = await runtime.withService(({ transact, whichPayee }) =>
        transact(async (transaction) => {
          const payeeId = await whichPayee(transaction, options.payee);
          return retireProduct(transaction, { payeeId, productId, actor: COMMAND_LINE });
        }),
      );
      runtime.print(options.json ? JSON.stringify(shown(retired)) : `Retired the gift-card product ${productId}.`);
    });
}
