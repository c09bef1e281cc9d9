import { type Command, type CommandRuntime, command, needed, payeeOption } from '../../kit/command.ts';
import { formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { withRemaining } from './orders.rules.ts';
import type { ListedOrder, OrderStory, OrdersService } from './orders.types.ts';
import { orderStory, searchOrders } from './search-orders.ts';

type Runtime = CommandRuntime<OrdersService>;

const WHOSE = payeeOption('whose');

const list = command({
  name: 'list',
  about: 'show the latest payment orders, the newest first',
  takes: { payee: WHOSE },
  json: 'print an array; amounts are in minor units',
  run: ({ withService }: Runtime, { payee }) =>
    withService(async ({ read, whichPayee }) => {
      const { rows } = await searchOrders(read, await whichPayee(payee), { limit: '100' });
      return rows.map(withRemaining);
    }),
  show: (orders) =>
    orders.length === 0
      ? 'There is no payment order yet.'
      : formatTable(['number', 'created', 'status', 'amount', 'paid by', 'reference'], orders.map(lineOf)),
});

const show = command({
  name: 'show',
  about: 'show a payment order: what each means of payment took and gave back, and its transactions',
  args: ['number'],
  takes: {
    number: needed('<number>', 'its number, or the number of a transaction of it', (text) => {
      if (!/^\d{11}$/.test(text)) throw new Trouble('A payment order is named by its number, 11 digits.');
      return text;
    }),
    payee: WHOSE,
  },
  json: 'print an object; amounts are in minor units',
  run: ({ withService }: Runtime, { number: search, payee }) =>
    withService(async ({ read, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      const [found] = (await searchOrders(read, payeeId, { search })).rows;
      if (found === undefined) throw new Trouble('There is no payment order of this number.');
      return orderStory(read, payeeId, found.orderId);
    }),
  show: (story) => describe(story),
});

/** `payment-orders …`. */
export const paymentOrderCommands: readonly Command<Runtime>[] = [list, show];

function lineOf({ number, createdAt, status, amount, currency, instruments, payeeReference }: ListedOrder): string[] {
  const paidBy = instruments.map(({ type, brand }) => brand ?? type).join(' + ');
  return [String(number), createdAt, status, formatMoney(amount, currency), paidBy, payeeReference ?? ''];
}

/** An order with its legs, whose sums are its own, and its transactions with their parts. */
function describe({ order, legs, transactions }: OrderStory): string {
  const { currency } = order;
  const money = (minor: number) => formatMoney(minor, currency);
  const amounts = ({
    amount,
    captured,
    cancelled,
    reversed,
    remaining,
  }: OrderStory['order'] | OrderStory['legs'][number]) =>
    [amount, captured, cancelled, reversed, remaining.capture].map(money);
  const names = new Map(legs.map(({ legId, instrumentType, name }) => [legId, `${instrumentType} ${name}`]));
  const parts = transactions.flatMap(({ number, type, state, parts: some }) =>
    some.map(({ legId, amount }) => [String(number), type, state, names.get(legId) ?? '', money(amount)]),
  );
  return [
    `Payment order ${order.number}: ${order.status}, ${money(order.amount)}, created ${order.createdAt}`,
    formatTable(
      ['paid by', 'authorized', 'captured', 'cancelled', 'given back', 'left'],
      [
        ...legs.map((leg) => [names.get(leg.legId) ?? '', ...amounts(leg)]),
        ...(order.isPaid ? [['total', ...amounts(order)]] : []),
      ],
    ),
    ...(parts.length === 0 ? [] : [formatTable(['number', 'transaction', 'state', 'of', 'part'], parts)]),
  ].join('\n');
}
