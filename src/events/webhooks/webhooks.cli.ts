import { COMMAND_LINE } from '../../kit/caller.ts';
import { type Command, type CommandRuntime, command, needed, optional, payeeOption } from '../../kit/command.ts';
import { formatTable } from '../../kit/table.ts';
import type { EventsService } from '../events.types.ts';
import { changeWebhook, rotateWebhookSecret, testWebhook } from './change-webhook.ts';
import { createWebhook } from './create-webhook.ts';
import { listWebhooks } from './find-webhook.ts';

type Runtime = CommandRuntime<EventsService>;

const WHOSE = payeeOption('whose');
const WEBHOOK = { payee: WHOSE, webhook: needed('<webhook>', 'its id') };

const create = command({
  name: 'create',
  about: 'make a webhook: an address that events are posted to; its secret is shown once',
  takes: {
    payee: WHOSE,
    url: needed('<url>', 'where events are posted to'),
    events: optional('<list>', 'types of events, parted by commas, as in payment.captured,token.* (default: all)'),
    description: optional('<text>', 'what it is for'),
  },
  json: 'print {"webhookId", "secret"}',
  run: ({ withService }: Runtime, { payee, url, description, events: types }) =>
    withService(async ({ transact, events, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      const eventTypes = types?.split(',').map((type) => type.trim());
      const asked = { payeeId, url, description, eventTypes, actor: COMMAND_LINE };
      return transact((transaction) => createWebhook(transaction, events, asked));
    }),
  asJson: ({ webhook: { webhookId }, secret }) => ({ webhookId, secret: secret.reveal() }),
  show: ({ webhook: { webhookId }, secret }) => [
    `Made a webhook:\n\n  id      ${webhookId}\n  secret  ${secret.reveal()}\n`,
    'The secret is shown this once. Check the signatures of deliveries with it.',
  ],
});

const list = command({
  name: 'list',
  about: 'show the webhooks, without their secrets',
  takes: { payee: WHOSE },
  json: 'print an array',
  run: ({ withService }: Runtime, { payee }) =>
    withService(async ({ read, whichPayee }) => listWebhooks(read, await whichPayee(payee))),
  asJson: (webhooks) => webhooks.map(({ payeeId: _, ...webhook }) => webhook),
  show: (webhooks) =>
    webhooks.length === 0
      ? 'There are no webhooks.'
      : formatTable(
          ['id', 'state', 'events', 'url'],
          webhooks.map(({ webhookId, state, url, eventTypes }) => [
            webhookId,
            state,
            eventTypes.join(',') || 'all',
            url,
          ]),
        ),
});

function changing(name: string, state: 'Enabled' | 'Deleted', about: string) {
  return command({
    name,
    about,
    args: ['webhook'],
    takes: WEBHOOK,
    json: 'print {"webhookId", "state"}',
    run: ({ withService }: Runtime, { webhook: webhookId, payee }) =>
      withService(async ({ transact, events, whichPayee }) => {
        const asked = { payeeId: await whichPayee(payee), webhookId, state, actor: COMMAND_LINE };
        return transact((transaction) => changeWebhook(transaction, events, asked));
      }),
    asJson: (changed, { webhook: webhookId }) => ({ webhookId, state: changed.state }),
    show: (changed) => `The webhook is ${changed.state.toLowerCase()}.`,
  });
}

const rotate = command({
  name: 'rotate-secret',
  about: "put a new secret in the place of a webhook's; deliveries are signed with both for a while",
  args: ['webhook'],
  takes: {
    ...WEBHOOK,
    overlap: optional('<time>', 'how long the old one signs as well: hours or days, as in 7d (default: 24h)'),
  },
  json: 'print {"secret", "oldSecretEnds"}',
  run: ({ withService }: Runtime, { webhook: webhookId, payee, overlap }) =>
    withService(async ({ transact, events, whichPayee }) => {
      const asked = { payeeId: await whichPayee(payee), webhookId, overlap, actor: COMMAND_LINE };
      return transact((transaction) => rotateWebhookSecret(transaction, events, asked));
    }),
  asJson: ({ secret, oldExpiresAt }) => ({ secret: secret.reveal(), oldSecretEnds: oldExpiresAt }),
  show: ({ secret, oldExpiresAt }) => [
    `The new secret, shown this once:\n\n  ${secret.reveal()}\n`,
    ...(oldExpiresAt === null ? [] : [`The old one signs as well until ${oldExpiresAt}.`]),
  ],
});

const test = command({
  name: 'test',
  about: 'send a webhook an event of its own; a running service delivers it',
  args: ['webhook'],
  takes: WEBHOOK,
  json: 'print {"webhookId"}',
  run: async ({ withService }: Runtime, { webhook: webhookId, payee }) => {
    await withService(async ({ transact, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      return transact((transaction) => testWebhook(transaction, { payeeId, webhookId, actor: COMMAND_LINE }));
    });
    return { webhookId };
  },
  show: ({ webhookId }) => `A test event is on its way. What became of it: kontor webhooks deliveries ${webhookId}`,
});

/** Those of `webhooks …` that are about webhooks themselves. */
export const webhookCommands: readonly Command<Runtime>[] = [
  create,
  list,
  changing('enable', 'Enabled', 'enable a webhook that is suspended or disabled'),
  changing('delete', 'Deleted', 'delete a webhook; what waits is not delivered'),
  rotate,
  test,
];
