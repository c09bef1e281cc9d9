import type { Command } from 'commander';
import { COMMAND_LINE, SCOPES } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { formatTable } from '../../kit/table.ts';
import type { MerchantsService, OAuthClient } from '../merchants.types.ts';
import { type Owner, whoseCredentials } from '../payees/which-payee.ts';
import { selectOAuthClients } from './oauth-clients.store.ts';
import { createOAuthClient, revokeOAuthClient } from './oauth-clients.ts';

interface CreateOptions extends Owner {
  readonly name: string;
  readonly scopes: string;
  readonly scopeAlias: readonly string[];
  readonly expiresIn?: string;
  readonly json?: true;
}

/** Adds `oauth-clients create`, `list` and `revoke`. */
export function oauthClientCommands(program: Command, runtime: CommandRuntime<MerchantsService>): void {
  const clients = program
    .command('oauth-clients')
    .description('clients that get short-lived tokens at POST /oauth/token');
  addCreate(clients, runtime);
  addList(clients, runtime);
  addRevoke(clients, runtime);
}

function addCreate(clients: Command, runtime: CommandRuntime<MerchantsService>): void {
  clients
    .command('create')
    .description('create an OAuth client; its secret is shown once')
    .requiredOption('--scopes <list>', `what its tokens may do, parted by commas: ${SCOPES.join(', ')}`)
    .option(
      '--scope-alias <word>',
      'a word that means all of its scopes where a token is asked for, as in publicapi; may be repeated',
      (word: string, words: readonly string[]) => [...words, word],
      [] as readonly string[],
    )
    .option('--name <name>', 'its name, for people', 'OAuth client')
    .option('--expires-in <time>', 'days or months, as in 90d or 12m (default: twelve months, the longest)')
    .option('--payee <id>', 'whose it is; may be left out while there is one payee')
    .option('--operator', "make it the operator's own")
    .option('--json', 'print {"clientId", "clientSecret", "expiresAt"}')
    .action(async (options: CreateOptions) => {
      const created = await runtime.withService(({ transact, merchants }) =>
        transact(async (transaction) =>
          createOAuthClient(transaction, merchants, {
            payeeId: await whoseCredentials(transaction, options),
            name: options.name,
            scopes: options.scopes.split(',').map((scope) => scope.trim()),
            scopeAliases: options.scopeAlias,
            expiresIn: options.expiresIn,
            actor: COMMAND_LINE,
          }),
        ),
      );
      const { clientId, expiresAt } = created;
      const clientSecret = created.clientSecret.reveal();
      if (options.json) return runtime.print(JSON.stringify({ clientId, clientSecret, expiresAt }));
      runtime.print('Created an OAuth client:');
      runtime.print(`\n  client id      ${clientId}\n  client secret  ${clientSecret}\n`);
      runtime.print('The secret is shown this once and cannot be had again: store it now.');
      runtime.print(`It works until ${expiresAt}.`);
      runtime.print(
        'Get a token with POST /oauth/token and grant_type=client_credentials, authenticated with HTTP Basic.',
      );
    });
}

function addList(clients: Command, runtime: CommandRuntime<MerchantsService>): void {
  clients
    .command('list')
    .description('show the OAuth clients, the newest first, without their secrets')
    .option('--payee <id>', 'whose; may be left out while there is one payee')
    .option('--operator', "the operator's own")
    .option('--json', 'print an array')
    .action(async (options: Owner & { json?: true }) => {
      const found = await runtime.withService(({ transact }) =>
        transact(async (transaction) => {
          const { rows } = await selectOAuthClients(transaction, await whoseCredentials(transaction, options));
          return rows;
        }),
      );
      if (options.json) return runtime.print(JSON.stringify(found.map(listed)));
      if (found.length === 0) return runtime.print('There are no OAuth clients.');
      const rows = found.map((client) => [
        client.clientId,
        client.revokedAt === null ? (client.expiresAt ?? 'no end') : 'revoked',
        client.lastUsedOn ?? 'never',
        client.name,
        client.scopes.join(','),
      ]);
      runtime.print(formatTable(['client id', 'until', 'last used', 'name', 'scopes'], rows));
    });
}

function listed({ payeeId: _, state: _state, ...client }: OAuthClient): object {
  return client;
}

function addRevoke(clients: Command, runtime: CommandRuntime<MerchantsService>): void {
  clients
    .command('revoke')
    .description('revoke an OAuth client and every token that it got')
    .argument('<client-id>', 'the id that create and list show')
    .option('--payee <id>', 'whose it is; may be left out while there is one payee')
    .option('--operator', "it is the operator's own")
    .option('--json', 'print {"clientId"}')
    .action(async (clientId: string, options: Owner & { json?: true }) => {
      await runtime.withService(({ transact }) =>
        transact(async (transaction) => {
          const payeeId = await whoseCredentials(transaction, options);
          return revokeOAuthClient(transaction, { payeeId, clientId, actor: COMMAND_LINE });
        }),
      );
      runtime.print(
        options.json ? JSON.stringify({ clientId }) : `Revoked the OAuth client ${clientId} and its tokens.`,
      );
    });
}
