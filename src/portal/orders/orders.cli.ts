import type { Command } from 'commander';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { ListedOrder, OrderStory, OrdersService } from './orders.types.ts';
import { orderStory, searchOrders } from './search-orders.ts';

interface Options {
  readonly payee?: string;
  readonly json?: true;
}

/** The option that says whose. */
const PAYEE = ['--payee <id>', 'whose; may be left out while there is one payee'] as const;

/** Adds `payment-orders list` and `show`. */
export function paymentOrderCommands(program: Command, runtime: CommandRuntime<OrdersService>): void {
  const orders = program.command('payment-orders').description('amounts that payers pay with several means');
  orders
    .command('list')
    .description('show the latest payment orders, the newest first')
    .option(...PAYEE)
    .option('--json', 'print an array; amounts are in minor units')
    .action(async ({ payee, json }: Options) => {
      const found = await runtime.withService(async ({ read, whichPayee }) => {
        const { rows } = await searchOrders(read, await whichPayee(payee), { limit: '100' });
        return rows;
      });
      if (json) return runtime.print(JSON.stringify(found));
      if (found.length === 0) return runtime.print('There is no payment order yet.');
      runtime.print(formatTable(['number', 'created', 'status', 'amount', 'paid by', 'reference'], found.map(lineOf)));
    });
  orders
    .command('show')
    .description('show a payment order: what each means of payment took and gave back, and its transactions')
    .argument('<number>', 'its number, or the number of a transaction of it')
    .option(...PAYEE)
    .option('--json', 'print an object; amounts are in minor units')
    .action(async (number: string, { payee, json }: Options) => {
      if (!/^\d{11}$/.test(number)) throw new Trouble('A payment order is named by its number, 11 digits.');
      const story = await runtime.withService(async ({ read, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        const [found] = (await searchOrders(read, payeeId, { search: number })).rows;
        if (found === undefined) throw new Trouble('There is no payment order of this number.');
        return orderStory(read, payeeId, found.orderId);
      });
      runtime.print(json ? JSON.stringify(story) : describe(story));
    });
}

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
