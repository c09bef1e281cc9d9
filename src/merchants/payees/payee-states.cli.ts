import type { Command } from 'commander';
import { COMMAND_LINE, type PayeeState } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { MerchantsService } from '../merchants.types.ts';
import { changePayeeState } from './payee-states.ts';
import { revokeAllCredentials } from './revoke-all.ts';
import { whichPayee, whoseCredentials } from './which-payee.ts';

interface StateOptions {
  readonly reason: string;
  readonly followUps?: true;
  readonly json?: true;
}

/** Adds `payees suspend`, `resume` and `close`. */
export function payeeStateCommands(payees: Command, runtime: CommandRuntime<MerchantsService>): void {
  const stateCommand = (name: string, description: string) =>
    payees
      .command(name)
      .argument('<payee>', 'its id')
      .description(description)
      .requiredOption('--reason <text>', 'why; stored with it, and in the audit trail')
      .option('--json', 'print {"payeeId", "state", "isNew"}');

  const change = async (payee: string, state: PayeeState, { reason, json }: StateOptions) => {
    const { payeeId, isNew } = await runtime.withService(({ transact, merchants }) =>
      transact(async (transaction) => {
        const named = await whichPayee(transaction, payee);
        const command = { payeeId: named, state, reason, actor: COMMAND_LINE };
        return { payeeId: named, isNew: await changePayeeState(transaction, merchants, command) };
      }),
    );
    if (json) return runtime.print(JSON.stringify({ payeeId, state, isNew }));
    runtime.print(isNew ? SAID[state] : `Nothing to do: the payee is ${state} already.`);
  };

  stateCommand('suspend', 'stop a payee: its credentials, its pages and its users of the portal, on all instances')
    .option('--follow-ups', 'let it read, capture, cancel and give back what was begun')
    .action((payee: string, options: StateOptions) =>
      change(payee, options.followUps ? 'FollowUpsOnly' : 'Suspended', options),
    );
  stateCommand('resume', 'let a suspended payee go on').action((payee: string, options: StateOptions) =>
    change(payee, 'Active', options),
  );
  stateCommand('close', 'stop a payee for good, and revoke all its credentials').action(
    (payee: string, options: StateOptions) => change(payee, 'Closed', options),
  );
}

const SAID: Readonly<Record<PayeeState, string>> = {
  Active: 'The payee takes payments again. Its users sign in anew; what its webhooks missed is delivered now.',
  FollowUpsOnly:
    'Suspended: within a second the payee can read, capture, cancel and give back, and nothing else. Its portal is closed.',
  Suspended: 'Suspended: within a second nothing is done for the payee. Its webhooks wait.',
  Closed: 'Closed for good: all credentials are revoked. What is owed is still settled.',
};

/** Adds `credentials revoke`. */
export function credentialCommands(program: Command, runtime: CommandRuntime<MerchantsService>): void {
  program
    .command('credentials')
    .description('everything that programs call the API with')
    .command('revoke')
    .description('revoke all access tokens, OAuth clients and HMAC keys of a payee at once')
    .option('--payee <id>', 'whose; may be left out while there is one payee')
    .option('--operator', "the operator's own")
    .option('--all', 'all of them: nothing less can be asked for here')
    .option('--json', 'print {"accessTokens", "oauthClients", "hmacKeys"}')
    .action(async ({ all, json, ...owner }: { all?: true; json?: true; payee?: string; operator?: true }) => {
      if (!all) {
        throw new Trouble(
          'Say --all: every program of the payee stops. One alone: `kontor access-tokens revoke ID`, and likewise `oauth-clients` and `hmac-keys`.',
        );
      }
      const revoked = await runtime.withService(({ transact }) =>
        transact(async (transaction) =>
          revokeAllCredentials(transaction, {
            payeeId: await whoseCredentials(transaction, owner),
            actor: COMMAND_LINE,
          }),
        ),
      );
      if (json) return runtime.print(JSON.stringify(revoked));
      const { accessTokens, oauthClients, hmacKeys } = revoked;
      runtime.print(
        `Revoked: ${accessTokens} access tokens, ${oauthClients} OAuth clients, ${hmacKeys} HMAC keys. They stop within a second.`,
      );
    });
}
