import { COMMAND_LINE } from '../../kit/caller.ts';
import { type Command, type CommandRuntime, command, optional, payeeOption } from '../../kit/command.ts';
import type { EventsService } from '../events.types.ts';
import { rotateCallbackSecret, showCallbackSecret } from './callback-secret.ts';

type Runtime = CommandRuntime<EventsService>;

const WHOSE = payeeOption('whose');

const show = command({
  name: 'show',
  about: 'show the secret; makes one where there is none yet',
  takes: { payee: WHOSE },
  json: 'print {"secret"}',
  run: ({ withService }: Runtime, { payee }) =>
    withService(async ({ transact, events, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      return transact((transaction) => showCallbackSecret(transaction, events, { payeeId, actor: COMMAND_LINE }));
    }),
  asJson: (secret) => ({ secret: secret.reveal() }),
  show: (secret) => secret.reveal(),
});

const rotate = command({
  name: 'rotate',
  about: 'put a new secret in its place; callbacks are signed with both for a while',
  takes: {
    overlap: optional('<time>', 'how long the old one signs as well: hours or days, as in 7d (default: 24h)'),
    payee: WHOSE,
  },
  json: 'print {"secret", "oldSecretEnds"}',
  run: ({ withService }: Runtime, { payee, overlap }) =>
    withService(async ({ transact, events, whichPayee }) => {
      const asked = { payeeId: await whichPayee(payee), overlap, actor: COMMAND_LINE };
      return transact((transaction) => rotateCallbackSecret(transaction, events, asked));
    }),
  asJson: ({ secret, oldExpiresAt }) => ({ secret: secret.reveal(), oldSecretEnds: oldExpiresAt }),
  show: ({ secret, oldExpiresAt }) => [
    secret.reveal(),
    ...(oldExpiresAt === null ? [] : [`The old one signs as well until ${oldExpiresAt}.`]),
  ],
});

/** `callback-secret …`. */
export const callbackSecretCommands: readonly Command<Runtime>[] = [show, rotate];
