import { COMMAND_LINE } from '../../kit/caller.ts';
import { type Command, command, needed, optional, payeeOption } from '../../kit/command.ts';
import { formatTable } from '../../kit/table.ts';
import type { HmacKey, MerchantsRuntime } from '../merchants.types.ts';
import { whichPayee } from '../payees/which-payee.ts';
import { selectHmacKeys } from './hmac-keys.store.ts';
import { createHmacKey, type FreshHmacKey, revokeHmacKey, rotateHmacKey } from './hmac-keys.ts';

const WHOSE_IT_IS = payeeOption('whose it is');

/** What both commands that make a key print. */
const FRESH = {
  json: 'print {"user", "secret", "expiresAt"}',
  asJson: ({ user, secret, expiresAt }: FreshHmacKey) => ({ user, secret: secret.reveal(), expiresAt }),
};

function describe({ user, secret, expiresAt }: FreshHmacKey): string[] {
  return [
    'Created an HMAC key:',
    `\n  user    ${user}\n  secret  ${secret.reveal()}\n`,
    'The secret is shown this once and cannot be had again: store it now.',
    `It works until ${expiresAt}. Sign each payment request with it, in the Hmac header.`,
  ];
}

const create = command({
  ...FRESH,
  name: 'create',
  about: 'create an HMAC key beside those that exist; its secret is shown once',
  takes: {
    expiresIn: optional('<time>', 'days or months, as in 90d or 12m (default: twelve months, the longest)'),
    payee: WHOSE_IT_IS,
  },
  run: ({ withService }: MerchantsRuntime, { expiresIn, payee }) =>
    withService(({ transact, merchants }) =>
      transact(async (transaction) => {
        const payeeId = await whichPayee(transaction, payee);
        return createHmacKey(transaction, merchants, { payeeId, expiresIn, actor: COMMAND_LINE });
      }),
    ),
  show: describe,
});

const rotate = command({
  ...FRESH,
  name: 'rotate',
  about: 'create an HMAC key in place of an old one, which goes on working for a while',
  args: ['user'],
  takes: {
    user: needed('<user>', 'the old key'),
    overlap: optional('<time>', 'how long the old key goes on: hours or days, as in 7d (default: 24h)'),
    expiresIn: optional('<time>', 'how long the new key works: days or months, as in 90d (default: twelve months)'),
    payee: WHOSE_IT_IS,
  },
  run: ({ withService }: MerchantsRuntime, { user: keyId, overlap, expiresIn, payee }) =>
    withService(({ transact, merchants }) =>
      transact(async (transaction) => {
        const payeeId = await whichPayee(transaction, payee);
        const asked = { payeeId, keyId, overlap, expiresIn, actor: COMMAND_LINE };
        return rotateHmacKey(transaction, merchants, asked);
      }),
    ),
  show: (rotated, { user }) => [...describe(rotated), `The key ${user} goes on working until ${rotated.oldExpiresAt}.`],
});

const list = command({
  name: 'list',
  about: 'show the HMAC keys, the newest first, without their secrets',
  takes: { payee: payeeOption('whose') },
  json: 'print an array',
  run: ({ withService }: MerchantsRuntime, { payee }) =>
    withService(({ transact }) =>
      transact(async (transaction) => {
        const { rows } = await selectHmacKeys(transaction, await whichPayee(transaction, payee));
        return rows;
      }),
    ),
  asJson: (keys) => keys.map(listed),
  show: (keys) =>
    keys.length === 0
      ? 'There are no HMAC keys.'
      : formatTable(
          ['user', 'created', 'until', 'last used'],
          keys.map((key) => [
            key.keyId,
            key.createdAt,
            key.revokedAt === null ? (key.expiresAt ?? 'no end') : 'revoked',
            key.lastUsedOn ?? 'never',
          ]),
        ),
});

function listed({ keyId: user, createdAt, expiresAt, revokedAt, lastUsedOn }: HmacKey): object {
  return { user, createdAt, expiresAt, revokedAt, lastUsedOn };
}

const revoke = command({
  name: 'revoke',
  about: 'revoke an HMAC key at once, without an overlap',
  args: ['user'],
  takes: { user: needed('<user>', 'the key'), payee: WHOSE_IT_IS },
  json: 'print {"user"}',
  run: async ({ withService }: MerchantsRuntime, { user, payee }) => {
    await withService(({ transact }) =>
      transact(async (transaction) => {
        const payeeId = await whichPayee(transaction, payee);
        return revokeHmacKey(transaction, { payeeId, keyId: user, actor: COMMAND_LINE });
      }),
    );
    return { user };
  },
  show: ({ user }) => `Revoked the HMAC key ${user}.`,
});

/** `hmac-keys …`. */
export const hmacKeyCommands: readonly Command<MerchantsRuntime>[] = [create, rotate, list, revoke];
