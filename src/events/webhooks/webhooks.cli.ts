import type { Command } from 'commander';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { formatTable } from '../../kit/table.ts';
import type { EventsService, Webhook } from '../events.types.ts';
import { changeWebhook, rotateWebhookSecret, testWebhook } from './change-webhook.ts';
import { createWebhook } from './create-webhook.ts';
import { listWebhooks } from './find-webhook.ts';

interface Options {
  readonly payee?: string;
  readonly json?: true;
}

type Runtime = CommandRuntime<EventsService>;

/** Adds `webhooks create`, `list`, `enable`, `delete`, `rotate-secret` and `test`. */
export function webhookCommands(webhooks: Command, runtime: Runtime): void {
  addCreate(webhooks, runtime);
  addList(webhooks, runtime);
  addChange(webhooks, runtime, { name: 'enable', description: 'enable a webhook that is suspended or disabled' });
  addChange(webhooks, runtime, { name: 'delete', description: 'delete a webhook; what waits is not delivered' });
  addRotate(webhooks, runtime);
  addTest(webhooks, runtime);
}

function addCreate(webhooks: Command, runtime: Runtime): void {
  withPayee(webhooks.command('create'))
    .description('make a webhook: an address that events are posted to; its secret is shown once')
    .requiredOption('--url <url>', 'where events are posted to')
    .option('--events <list>', 'types of events, parted by commas, as in payment.captured,token.* (default: all)')
    .option('--description <text>', 'what it is for')
    .option('--json', 'print {"webhookId", "secret"}')
    .action(async (options: Options & { url: string; events?: string; description?: string }) => {
      const { url, description, events: types } = options;
      const fresh = await runtime.withService(async ({ transact, events, whichPayee }) => {
        const payeeId = await whichPayee(options.payee);
        const eventTypes = types?.split(',').map((type) => type.trim());
        const command = { payeeId, url, description, eventTypes, actor: COMMAND_LINE };
        return transact((transaction) => createWebhook(transaction, events, command));
      });
      const { webhookId } = fresh.webhook;
      const secret = fresh.secret.reveal();
      if (options.json) return runtime.print(JSON.stringify({ webhookId, secret }));
      runtime.print(`Made a webhook:\n\n  id      ${webhookId}\n  secret  ${secret}\n`);
      runtime.print('The secret is shown this once. Check the signatures of deliveries with it.');
    });
}

function addList(webhooks: Command, runtime: Runtime): void {
  withPayee(webhooks.command('list'))
    .description('show the webhooks, without their secrets')
    .option('--json', 'print an array')
    .action(async (options: Options) => {
      const found = await runtime.withService(async ({ read, whichPayee }) =>
        listWebhooks(read, await whichPayee(options.payee)),
      );
      if (options.json) return runtime.print(JSON.stringify(found.map(listed)));
      if (found.length === 0) return runtime.print('There are no webhooks.');
      const rows = found.map(({ webhookId, state, url, eventTypes }) => [
        webhookId,
        state,
        eventTypes.join(',') || 'all',
        url,
      ]);
      runtime.print(formatTable(['id', 'state', 'events', 'url'], rows));
    });
}

function listed({ payeeId: _, ...webhook }: Webhook): object {
  return webhook;
}

const STATES = { enable: 'Enabled', delete: 'Deleted' } as const;

function addChange(
  webhooks: Command,
  runtime: Runtime,
  { name, description }: { readonly name: keyof typeof STATES; readonly description: string },
): void {
  withPayee(webhooks.command(name))
    .description(description)
    .argument('<webhook>', 'its id')
    .option('--json', 'print {"webhookId", "state"}')
    .action(async (webhookId: string, options: Options) => {
      const changed = await runtime.withService(async ({ transact, events, whichPayee }) => {
        const payeeId = await whichPayee(options.payee);
        const command = { payeeId, webhookId, state: STATES[name], actor: COMMAND_LINE };
        return transact((transaction) => changeWebhook(transaction, events, command));
      });
      const { state } = changed;
      runtime.print(options.json ? JSON.stringify({ webhookId, state }) : `The webhook is ${state.toLowerCase()}.`);
    });
}

function addRotate(webhooks: Command, runtime: Runtime): void {
  withPayee(webhooks.command('rotate-secret'))
    .description("put a new secret in the place of a webhook's; deliveries are signed with both for a while")
    .argument('<webhook>', 'its id')
    .option('--overlap <time>', 'how long the old one signs as well: hours or days, as in 7d (default: 24h)')
    .option('--json', 'print {"secret", "oldSecretEnds"}')
    .action(async (webhookId: string, options: Options & { overlap?: string }) => {
      const { secret, oldExpiresAt } = await runtime.withService(async ({ transact, events, whichPayee }) => {
        const payeeId = await whichPayee(options.payee);
        const command = { payeeId, webhookId, overlap: options.overlap, actor: COMMAND_LINE };
        return transact((transaction) => rotateWebhookSecret(transaction, events, command));
      });
      if (options.json) return runtime.print(JSON.stringify({ secret: secret.reveal(), oldSecretEnds: oldExpiresAt }));
      runtime.print(`The new secret, shown this once:\n\n  ${secret.reveal()}\n`);
      if (oldExpiresAt !== null) runtime.print(`The old one signs as well until ${oldExpiresAt}.`);
    });
}

function addTest(webhooks: Command, runtime: Runtime): void {
  withPayee(webhooks.command('test'))
    .description('send a webhook an event of its own; a running service delivers it')
    .argument('<webhook>', 'its id')
    .option('--json', 'print {"webhookId"}')
    .action(async (webhookId: string, options: Options) => {
      await runtime.withService(async ({ transact, whichPayee }) => {
        const payeeId = await whichPayee(options.payee);
        return transact((transaction) => testWebhook(transaction, { payeeId, webhookId, actor: COMMAND_LINE }));
      });
      if (options.json) return runtime.print(JSON.stringify({ webhookId }));
      runtime.print(`A test event is on its way. What became of it: kontor webhooks deliveries ${webhookId}`);
    });
}

function withPayee(command: Command): Command {
  return command.option('--payee <id>', 'whose; may be left out while there is one payee');
}
