import { COMMAND_LINE } from '../../kit/caller.ts';
import { type Command, type CommandRuntime, command, needed, optional, payeeOption } from '../../kit/command.ts';
import { PAGE_DELIVERIES } from '../../kit/limits.ts';
import { formatTable } from '../../kit/table.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { DeliveryState, EventsService } from '../events.types.ts';
import { listDeliveries } from './read-deliveries.ts';
import { redeliver } from './redeliver.ts';

type Runtime = CommandRuntime<EventsService>;

const WEBHOOK = needed('<webhook>', 'its id, or callbacks: of card payments');
const WHOSE = payeeOption('whose');
const STATES: readonly DeliveryState[] = ['Waiting', 'Delivered', 'GivenUp'];

const deliveries = command({
  name: 'deliveries',
  about: `show the latest ${PAGE_DELIVERIES} deliveries to a webhook, or callbacks, and what became of them`,
  args: ['webhook'],
  takes: {
    webhook: WEBHOOK,
    state: optional('<state>', `only those that are ${STATES.join(', ')}`, (text) => {
      const known = STATES.find((state) => state === text);
      if (known === undefined) throw new Trouble(`It takes one of ${STATES.join(', ')}.`);
      return known;
    }),
    payee: WHOSE,
  },
  json: 'print an array',
  run: ({ withService }: Runtime, { webhook: webhookId, state, payee }) =>
    withService(async ({ read, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      const listed = await listDeliveries(read, { payeeId, webhookId }, { state, limit: PAGE_DELIVERIES });
      return listed.deliveries;
    }),
  asJson: (found) =>
    found.map(({ payeeId: _, webhookId: _webhook, position, ...delivery }) => ({ id: position, ...delivery })),
  show: (found) =>
    found.length === 0
      ? 'There are no deliveries.'
      : formatTable(
          ['id', 'event', 'state', 'tries', 'next try or end'],
          found.map(({ position, type, state, tries, nextTryAt, settledAt }) => {
            return [String(position), type, state, String(tries), nextTryAt ?? settledAt ?? ''];
          }),
        ),
});

const again = command({
  name: 'redeliver',
  about: 'deliver an event once more; a running service does it',
  args: ['webhook', 'delivery'],
  takes: {
    webhook: WEBHOOK,
    delivery: needed('<delivery>', "the delivery's id, which is the position of its event"),
    payee: WHOSE,
  },
  json: 'print {"id", "state"}',
  run: ({ withService }: Runtime, { webhook: webhookId, delivery: deliveryId, payee }) =>
    withService(async ({ transact, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      return transact((transaction) => redeliver(transaction, { payeeId, webhookId, deliveryId, actor: COMMAND_LINE }));
    }),
  asJson: ({ position: id, state }) => ({ id, state }),
  show: () => 'The event is on its way once more.',
});

/** Those of `webhooks …` that are about deliveries. */
export const deliveryCommands: readonly Command<Runtime>[] = [deliveries, again];
