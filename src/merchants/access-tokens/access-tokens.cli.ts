import { COMMAND_LINE, SCOPES } from '../../kit/caller.ts';
import { type Command, command, needed, optional, usually } from '../../kit/command.ts';
import { formatTable } from '../../kit/table.ts';
import type { AccessToken, MerchantsRuntime } from '../merchants.types.ts';
import { OPERATORS_OWN, scopesOf, WHOSE, WHOSE_IT_IS, WHOSE_IT_WILL_BE } from '../owner.cli.ts';
import { whoseCredentials } from '../payees/which-payee.ts';
import { selectAccessTokens } from './access-tokens.store.ts';
import { createAccessToken, type FreshAccessToken, revokeAccessToken, rotateAccessToken } from './access-tokens.ts';

const ID = needed('<id>', 'the id that create and list show, not the token itself');

/** What both commands that make a token print. */
const FRESH = {
  json: 'print {"id", "accessToken"}',
  asJson: ({ accessTokenId: id, accessToken }: FreshAccessToken) => ({ id, accessToken: accessToken.reveal() }),
};

function describe({ accessTokenId, expiresAt, accessToken }: FreshAccessToken): string[] {
  return [
    `Created the access token ${accessTokenId}, valid until ${expiresAt}:`,
    `\n  ${accessToken.reveal()}\n`,
    'It is shown this once and cannot be had again: store it now.',
    'Send it with each request, as the header Authorization: Bearer <token>.',
  ];
}

const create = command({
  ...FRESH,
  name: 'create',
  about: 'create an access token; it is shown once',
  takes: {
    scopes: needed('<list>', `what it may do, parted by commas: ${SCOPES.join(', ')}`, scopesOf),
    name: usually('<name>', 'its name, for people', 'access token'),
    ...WHOSE_IT_WILL_BE,
    expiresIn: optional('<time>', 'how long it lives: days or months, as in 90d; at most 12m (default: 12m)'),
  },
  run: ({ withService }: MerchantsRuntime, { scopes, name, expiresIn, ...owner }) =>
    withService(({ transact, merchants }) =>
      transact(async (transaction) => {
        const payeeId = await whoseCredentials(transaction, owner);
        const asked = { payeeId, name, scopes, expiresIn, actor: COMMAND_LINE };
        return createAccessToken(transaction, merchants, asked);
      }),
    ),
  show: describe,
});

const rotate = command({
  ...FRESH,
  name: 'rotate',
  about: 'create an access token in place of an old one, which goes on working for a while',
  args: ['id'],
  takes: {
    id: ID,
    overlap: optional('<time>', 'how long the old token goes on: hours or days, as in 7d (default: 24h)'),
    ...WHOSE_IT_IS,
    expiresIn: optional('<time>', 'how long the new one lives: days or months, as in 90d; at most 12m (default: 12m)'),
  },
  run: ({ withService }: MerchantsRuntime, { id: accessTokenId, overlap, expiresIn, ...owner }) =>
    withService(({ transact, merchants }) =>
      transact(async (transaction) => {
        const payeeId = await whoseCredentials(transaction, owner);
        const asked = { payeeId, accessTokenId, overlap, expiresIn, actor: COMMAND_LINE };
        return rotateAccessToken(transaction, merchants, asked);
      }),
    ),
  show: (rotated, { id }) => [...describe(rotated), `The token ${id} goes on working until ${rotated.oldExpiresAt}.`],
});

const list = command({
  name: 'list',
  about: 'show the access tokens that people made, the newest first, without their secrets',
  takes: { payee: WHOSE, operator: OPERATORS_OWN },
  json: 'print an array',
  run: ({ withService }: MerchantsRuntime, owner) =>
    withService(({ transact }) =>
      transact(async (transaction) => {
        const { rows } = await selectAccessTokens(transaction, await whoseCredentials(transaction, owner));
        return rows;
      }),
    ),
  asJson: (tokens) => tokens.map(listed),
  show: (tokens) =>
    tokens.length === 0
      ? 'There are no access tokens.'
      : formatTable(
          ['id', 'until', 'last used', 'name', 'scopes'],
          tokens.map((token) => [
            token.accessTokenId,
            token.revokedAt === null ? token.expiresAt : 'revoked',
            token.lastUsedOn ?? 'never',
            token.name,
            token.scopes.join(','),
          ]),
        ),
});

function listed({ accessTokenId: id, name, scopes, createdAt, createdBy, expiresAt, ...state }: AccessToken): object {
  const { revokedAt, lastUsedOn } = state;
  return { id, name, scopes, createdAt, createdBy, expiresAt, revokedAt, lastUsedOn };
}

const revoke = command({
  name: 'revoke',
  about: 'revoke an access token; it stops working within a second',
  args: ['id'],
  takes: { id: ID, ...WHOSE_IT_IS },
  json: 'print {"id"}',
  run: async ({ withService }: MerchantsRuntime, { id, ...owner }) => {
    await withService(({ transact }) =>
      transact(async (transaction) => {
        const payeeId = await whoseCredentials(transaction, owner);
        return revokeAccessToken(transaction, { payeeId, accessTokenId: id, actor: COMMAND_LINE });
      }),
    );
    return { id };
  },
  show: ({ id }) => `Revoked the access token ${id}.`,
});

/** `access-tokens …`. */
export const accessTokenCommands: readonly Command<MerchantsRuntime>[] = [create, rotate, list, revoke];
