import type { Command } from 'commander';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { PAGE_DELIVERIES } from '../../kit/limits.ts';
import { formatTable } from '../../kit/table.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { Delivery, DeliveryState, EventsService } from '../events.types.ts';
import { listDeliveries } from './read-deliveries.ts';
import { redeliver } from './redeliver.ts';

interface Options {
  readonly payee?: string;
  readonly json?: true;
}

const STATES: readonly DeliveryState[] = ['Waiting', 'Delivered', 'GivenUp'];

/** Adds `webhooks deliveries` and `redeliver`. */
export function deliveryCommands(webhooks: Command, runtime: CommandRuntime<EventsService>): void {
  webhooks
    .command('deliveries')
    .description(`show the latest ${PAGE_DELIVERIES} deliveries to a webhook, or callbacks, and what became of them`)
    .argument('<webhook>', 'its id, or callbacks: of card payments')
    .option('--state <state>', `only those that are ${STATES.join(', ')}`)
    .option('--payee <id>', 'whose; may be left out while there is one payee')
    .option('--json', 'print an array')
    .action(async (webhookId: string, options: Options & { state?: string }) => {
      const state = readState(options.state);
      const { deliveries } = await runtime.withService(async ({ read, whichPayee }) => {
        const payeeId = await whichPayee(options.payee);
        return listDeliveries(read, { payeeId, webhookId }, { state, limit: PAGE_DELIVERIES });
      });
      if (options.json) return runtime.print(JSON.stringify(deliveries.map(listed)));
      if (deliveries.length === 0) return runtime.print('There are no deliveries.');
      const rows = deliveries.map(({ position, type, state: now, tries, nextTryAt, settledAt }) => {
        return [String(position), type, now, String(tries), nextTryAt ?? settledAt ?? ''];
      });
      runtime.print(formatTable(['id', 'event', 'state', 'tries', 'next try or end'], rows));
    });
  webhooks
    .command('redeliver')
    .description('deliver an event once more; a running service does it')
    .argument('<webhook>', 'its id, or callbacks: of card payments')
    .argument('<delivery>', "the delivery's id, which is the position of its event")
    .option('--payee <id>', 'whose; may be left out while there is one payee')
    .option('--json', 'print {"id", "state"}')
    .action(async (webhookId: string, deliveryId: string, options: Options) => {
      const { position, state } = await runtime.withService(async ({ transact, whichPayee }) => {
        const payeeId = await whichPayee(options.payee);
        return transact((transaction) =>
          redeliver(transaction, { payeeId, webhookId, deliveryId, actor: COMMAND_LINE }),
        );
      });
      runtime.print(options.json ? JSON.stringify({ id: position, state }) : 'The event is on its way once more.');
    });
}

function readState(text: string | undefined): DeliveryState | undefined {
  const state = STATES.find((name) => name === text);
  if (text !== undefined && state === undefined) throw new Trouble(`--state takes one of ${STATES.join(', ')}.`);
  return state;
}

function listed({ payeeId: _, webhookId: _webhook, position, ...delivery }: Delivery): object {
  return { id: position, ...delivery };
}
