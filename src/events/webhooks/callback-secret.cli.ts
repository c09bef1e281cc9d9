import type { Command } from 'commander';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import type { EventsService } from '../events.types.ts';
import { rotateCallbackSecret, showCallbackSecret } from './callback-secret.ts';

interface Options {
  readonly payee?: string;
  readonly overlap?: string;
  readonly json?: true;
}

/** Adds `callback-secret show` and `rotate`. */
export function callbackSecretCommands(program: Command, runtime: CommandRuntime<EventsService>): void {
  const secret = program
    .command('callback-secret')
    .description("the secret that signs the callbacks of a payee's card payments");
  secret
    .command('show')
    .description('show the secret; makes one where there is none yet')
    .option('--payee <id>', 'whose; may be left out while there is one payee')
    .option('--json', 'print {"secret"}')
    .action(async ({ payee, json }: Options) => {
      const shown = await runtime.withService(async ({ transact, events, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        return transact((transaction) => showCallbackSecret(transaction, events, { payeeId, actor: COMMAND_LINE }));
      });
      runtime.print(json ? JSON.stringify({ secret: shown.reveal() }) : shown.reveal());
    });
  secret
    .command('rotate')
    .description('put a new secret in its place; callbacks are signed with both for a while')
    .option('--overlap <time>', 'how long the old one signs as well: hours or days, as in 7d (default: 24h)')
    .option('--payee <id>', 'whose; may be left out while there is one payee')
    .option('--json', 'print {"secret", "oldSecretEnds"}')
    .action(async ({ payee, overlap, json }: Options) => {
      const rotated = await runtime.withService(async ({ transact, events, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        const command = { payeeId, overlap, actor: COMMAND_LINE };
        return transact((transaction) => rotateCallbackSecret(transaction, events, command));
      });
      const { secret: fresh, oldExpiresAt } = rotated;
      if (json) return runtime.print(JSON.stringify({ secret: fresh.reveal(), oldSecretEnds: oldExpiresAt }));
      runtime.print(fresh.reveal());
      if (oldExpiresAt !== null) runtime.print(`The old one signs as well until ${oldExpiresAt}.`);
    });
}
