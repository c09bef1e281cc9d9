import type { Command } from 'commander';
import { COMMAND_LINE, SCOPES } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { formatTable } from '../../kit/table.ts';
import type { AccessToken, MerchantsService } from '../merchants.types.ts';
import { type Owner, whoseCredentials } from '../payees/which-payee.ts';
import { selectAccessTokens } from './access-tokens.store.ts';
import { createAccessToken, type FreshAccessToken, revokeAccessToken, rotateAccessToken } from './access-tokens.ts';

interface CreateOptions extends Owner {
  readonly name: string;
  readonly scopes: string;
  readonly expiresIn?: string;
  readonly json?: true;
}

/** Adds `access-tokens create`, `rotate`, `list` and `revoke`. */
export function accessTokenCommands(program: Command, runtime: CommandRuntime<MerchantsService>): void {
  const tokens = program.command('access-tokens').description('bearer tokens for the API, as a merchant keeps them');
  addCreate(tokens, runtime);
  addRotate(tokens, runtime);
  addList(tokens, runtime);
  addRevoke(tokens, runtime);
}

function addCreate(tokens: Command, runtime: CommandRuntime<MerchantsService>): void {
  tokens
    .command('create')
    .description('create an access token; it is shown once')
    .requiredOption('--scopes <list>', `what it may do, parted by commas: ${SCOPES.join(', ')}`)
    .option('--name <name>', 'its name, for people', 'access token')
    .option('--payee <id>', 'whose it is; may be left out while there is one payee')
    .option('--operator', "make it the operator's own")
    .option('--expires-in <time>', 'how long it lives: days or months, as in 90d; at most 12m (default: 12m)')
    .option('--json', 'print {"id", "accessToken"}')
    .action(async (options: CreateOptions) => {
      const created = await runtime.withService(({ transact, merchants }) =>
        transact(async (transaction) =>
          createAccessToken(transaction, merchants, {
            payeeId: await whoseCredentials(transaction, options),
            name: options.name,
            scopes: options.scopes.split(',').map((scope) => scope.trim()),
            expiresIn: options.expiresIn,
            actor: COMMAND_LINE,
          }),
        ),
      );
      show(created, options, runtime);
    });
}

interface RotateOptions extends Owner {
  readonly overlap?: string;
  readonly expiresIn?: string;
  readonly json?: true;
}

function addRotate(tokens: Command, runtime: CommandRuntime<MerchantsService>): void {
  tokens
    .command('rotate')
    .description('create an access token in place of an old one, which goes on working for a while')
    .argument('<id>', 'the id that create and list show, not the token itself')
    .option('--overlap <time>', 'how long the old token goes on: hours or days, as in 7d (default: 24h)')
    .option('--payee <id>', 'whose it is; may be left out while there is one payee')
    .option('--operator', "it is the operator's own")
    .option('--expires-in <time>', 'how long the new one lives: days or months, as in 90d; at most 12m (default: 12m)')
    .option('--json', 'print {"id", "accessToken"}')
    .action(async (accessTokenId: string, options: RotateOptions) => {
      const { overlap, expiresIn } = options;
      const rotated = await runtime.withService(({ transact, merchants }) =>
        transact(async (transaction) => {
          const payeeId = await whoseCredentials(transaction, options);
          const command = { payeeId, accessTokenId, overlap, expiresIn, actor: COMMAND_LINE };
          return rotateAccessToken(transaction, merchants, command);
        }),
      );
      show(rotated, options, runtime);
      if (!options.json) runtime.print(`The token ${accessTokenId} goes on working until ${rotated.oldExpiresAt}.`);
    });
}

function show(
  created: FreshAccessToken,
  { json }: { readonly json?: true },
  runtime: CommandRuntime<MerchantsService>,
): void {
  const accessToken = created.accessToken.reveal();
  if (json) {
    runtime.print(JSON.stringify({ id: created.accessTokenId, accessToken }));
    return;
  }
  runtime.print(`Created the access token ${created.accessTokenId}, valid until ${created.expiresAt}:`);
  runtime.print(`\n  ${accessToken}\n`);
  runtime.print('It is shown this once and cannot be had again: store it now.');
  runtime.print('Send it with each request, as the header Authorization: Bearer <token>.');
}

function addList(tokens: Command, runtime: CommandRuntime<MerchantsService>): void {
  tokens
    .command('list')
    .description('show the access tokens that people made, the newest first, without their secrets')
    .option('--payee <id>', 'whose; may be left out while there is one payee')
    .option('--operator', "the operator's own")
    .option('--json', 'print an array')
    .action(async (options: Owner & { json?: true }) => {
      const found = await runtime.withService(({ transact }) =>
        transact(async (transaction) => {
          const { rows } = await selectAccessTokens(transaction, await whoseCredentials(transaction, options));
          return rows;
        }),
      );
      if (options.json) return runtime.print(JSON.stringify(found.map(listed)));
      if (found.length === 0) return runtime.print('There are no access tokens.');
      const heading = ['id', 'until', 'last used', 'name', 'scopes'];
      const rows = found.map((token) => [
        token.accessTokenId,
        token.revokedAt === null ? token.expiresAt : 'revoked',
        token.lastUsedOn ?? 'never',
        token.name,
        token.scopes.join(','),
      ]);
      runtime.print(formatTable(heading, rows));
    });
}

function listed({ accessTokenId: id, name, scopes, createdAt, createdBy, expiresAt, ...state }: AccessToken): object {
  const { revokedAt, lastUsedOn } = state;
  return { id, name, scopes, createdAt, createdBy, expiresAt, revokedAt, lastUsedOn };
}

function addRevoke(tokens: Command, runtime: CommandRuntime<MerchantsService>): void {
  tokens
    .command('revoke')
    .description('revoke an access token; it stops working within a second')
    .argument('<id>', 'the id that create and list show, not the token itself')
    .option('--payee <id>', 'whose it is; may be left out while there is one payee')
    .option('--operator', "it is the operator's own")
    .option('--json', 'print {"id"}')
    .action(async (id: string, options: Owner & { json?: true }) => {
      await runtime.withService(({ transact }) =>
        transact(async (transaction) => {
          const payeeId = await whoseCredentials(transaction, options);
          return revokeAccessToken(transaction, { payeeId, accessTokenId: id, actor: COMMAND_LINE });
        }),
      );
      runtime.print(options.json ? JSON.stringify({ id }) : `Revoked the access token ${id}.`);
    });
}
