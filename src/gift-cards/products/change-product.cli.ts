import { COMMAND_LINE } from '../../kit/caller.ts';
import { type CommandRuntime, command, needed, payeeOption, several, type Taken } from '../../kit/command.ts';
import { formatMoney } from '../../kit/money.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { Product } from '../gift-cards.types.ts';
import type { GiftCardsService } from '../gift-cards-context.types.ts';
import { type ChangeProduct, changeProduct } from './products.ts';

type AskedLimit = ChangeProduct['limits'][number];

/** Undefined where neither it nor its contrary is there. */
const MERGE_KEEPS_LIMITS: Taken<boolean | undefined> = {
  about: 'money on its cards is not merged into cards with fewer limits',
};

/** `gift-card-products set`. */
export const set = command({
  name: 'set',
  about: 'limit what is loaded on cards of a product and spent with them, by day and month; or what a merge does',
  args: ['id'],
  takes: {
    id: needed('<id>', 'the product'),
    limit: several(
      '<flow:scope:period=amount>',
      'loaded or spent; of product, card or payer; by day or month; an amount in minor units, or none. Several are possible',
      limitOf,
    ),
    mergeKeepsLimits: MERGE_KEEPS_LIMITS,
    noMergeKeepsLimits: { about: 'it may be' } as Taken<undefined>,
    payee: payeeOption('whose it is'),
  },
  json: 'print the product',
  run: (
    { withService }: CommandRuntime<GiftCardsService>,
    { id: productId, limit: limits, mergeKeepsLimits, payee },
  ) => {
    if (limits.length === 0 && mergeKeepsLimits === undefined) {
      throw new Trouble('Say what is to be changed: --limit or --merge-keeps-limits. See --help.');
    }
    return withService(({ transact, context, whichPayee }) =>
      transact(async (transaction) => {
        const payeeId = await whichPayee(transaction, payee);
        const asked = { payeeId, productId, actor: COMMAND_LINE, limits, mergeKeepsLimits };
        return changeProduct(transaction, context, asked);
      }),
    );
  },
  asJson: ({ payeeId: _, ...product }) => product,
  show: (product) => describe(product),
});

const FLOWS: Readonly<Record<string, AskedLimit['flow']>> = { loaded: 'Loaded', spent: 'Spent' };
const SCOPES: Readonly<Record<string, AskedLimit['scope']>> = { product: 'Product', card: 'Card', payer: 'Payer' };
const PERIODS: Readonly<Record<string, AskedLimit['period']>> = { day: 'Day', month: 'Month' };

function limitOf(text: string): AskedLimit {
  const [, flow = '', scope = '', period = '', amount = ''] =
    /^([a-z]+):([a-z]+):([a-z]+)=([0-9]{1,12}|none)$/.exec(text) ?? [];
  const named = { flow: FLOWS[flow], scope: SCOPES[scope], period: PERIODS[period] };
  if (named.flow === undefined || named.scope === undefined || named.period === undefined)
    throw new Trouble('It is written as in loaded:card:day=500000, or loaded:card:day=none.');
  const limit = { flow: named.flow, scope: named.scope, period: named.period };
  return { ...limit, amount: amount === 'none' ? null : Number(amount) };
}

function describe({ productId, limits, mergeKeepsLimits, currency }: Product): string {
  const lines = limits.map(
    ({ flow, scope, period, amount }) =>
      `${formatMoney(amount, currency)} ${flow.toLowerCase()}, by ${scope.toLowerCase()} and ${period.toLowerCase()}`,
  );
  return [
    `The limits of ${productId}: ${lines.length === 0 ? 'none' : ''}`.trim(),
    ...lines.map((line) => `  ${line}`),
    `Money on its cards ${mergeKeepsLimits ? 'is not merged' : 'may be merged'} into cards with fewer limits.`,
  ].join('\n');
}
