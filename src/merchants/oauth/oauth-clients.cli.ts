import { COMMAND_LINE, SCOPES } from '../../kit/caller.ts';
import { type Command, command, needed, optional, several, usually } from '../../kit/command.ts';
import { formatTable } from '../../kit/table.ts';
import type { MerchantsRuntime } from '../merchants.types.ts';
import { OPERATORS_OWN, scopesOf, WHOSE, WHOSE_IT_IS, WHOSE_IT_WILL_BE } from '../owner.cli.ts';
import { whoseCredentials } from '../payees/which-payee.ts';
import { selectOAuthClients } from './oauth-clients.store.ts';
import { createOAuthClient, revokeOAuthClient } from './oauth-clients.ts';

const create = command({
  name: 'create',
  about: 'create an OAuth client; its secret is shown once',
  takes: {
    scopes: needed('<list>', `what its tokens may do, parted by commas: ${SCOPES.join(', ')}`, scopesOf),
    scopeAlias: several(
      '<word>',
      'a word that means all of its scopes where a token is asked for, as in publicapi; may be repeated',
    ),
    name: usually('<name>', 'its name, for people', 'OAuth client'),
    expiresIn: optional('<time>', 'days or months, as in 90d or 12m (default: twelve months, the longest)'),
    ...WHOSE_IT_WILL_BE,
  },
  json: 'print {"clientId", "clientSecret", "expiresAt"}',
  run: ({ withService }: MerchantsRuntime, { scopes, scopeAlias: scopeAliases, name, expiresIn, ...owner }) =>
    withService(({ transact, merchants }) =>
      transact(async (transaction) => {
        const payeeId = await whoseCredentials(transaction, owner);
        const asked = { payeeId, name, scopes, scopeAliases, expiresIn, actor: COMMAND_LINE };
        return createOAuthClient(transaction, merchants, asked);
      }),
    ),
  asJson: ({ clientId, clientSecret, expiresAt }) => ({ clientId, clientSecret: clientSecret.reveal(), expiresAt }),
  show: ({ clientId, clientSecret, expiresAt }) => [
    'Created an OAuth client:',
    `\n  client id      ${clientId}\n  client secret  ${clientSecret.reveal()}\n`,
    'The secret is shown this once and cannot be had again: store it now.',
    `It works until ${expiresAt}.`,
    'Get a token with POST /oauth/token and grant_type=client_credentials, authenticated with HTTP Basic.',
  ],
});

const list = command({
  name: 'list',
  about: 'show the OAuth clients, the newest first, without their secrets',
  takes: { payee: WHOSE, operator: OPERATORS_OWN },
  json: 'print an array',
  run: ({ withService }: MerchantsRuntime, owner) =>
    withService(({ transact }) =>
      transact(async (transaction) => {
        const { rows } = await selectOAuthClients(transaction, await whoseCredentials(transaction, owner));
        return rows;
      }),
    ),
  asJson: (clients) => clients.map(({ payeeId: _, state: _state, ...client }) => client),
  show: (clients) =>
    clients.length === 0
      ? 'There are no OAuth clients.'
      : formatTable(
          ['client id', 'until', 'last used', 'name', 'scopes'],
          clients.map((client) => [
            client.clientId,
            client.revokedAt === null ? (client.expiresAt ?? 'no end') : 'revoked',
            client.lastUsedOn ?? 'never',
            client.name,
            client.scopes.join(','),
          ]),
        ),
});

const revoke = command({
  name: 'revoke',
  about: 'revoke an OAuth client and every token that it got',
  args: ['clientId'],
  takes: { clientId: needed('<client-id>', 'the id that create and list show'), ...WHOSE_IT_IS },
  json: 'print {"clientId"}',
  run: async ({ withService }: MerchantsRuntime, { clientId, ...owner }) => {
    await withService(({ transact }) =>
      transact(async (transaction) => {
        const payeeId = await whoseCredentials(transaction, owner);
        return revokeOAuthClient(transaction, { payeeId, clientId, actor: COMMAND_LINE });
      }),
    );
    return { clientId };
  },
  show: ({ clientId }) => `Revoked the OAuth client ${clientId} and its tokens.`,
});

/** `oauth-clients …`. */
export const oauthClientCommands: readonly Command<MerchantsRuntime>[] = [create, list, revoke];
