import type { Command } from 'commander';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { formatTable } from '../../kit/table.ts';
import type { HmacKey, MerchantsService } from '../merchants.types.ts';
import { whichPayee } from '../payees/which-payee.ts';
import { selectHmacKeys } from './hmac-keys.store.ts';
import { createHmacKey, type FreshHmacKey, revokeHmacKey, rotateHmacKey } from './hmac-keys.ts';

interface Options {
  readonly payee?: string;
  readonly json?: true;
}

interface Life {
  readonly expiresIn?: string;
}

/** Adds `hmac-keys create`, `rotate`, `list` and `revoke`. */
export function hmacKeyCommands(program: Command, runtime: CommandRuntime<MerchantsService>): void {
  const keys = program.command('hmac-keys').description('keys that sign payment requests, for the Hmac header');
  addCreate(keys, runtime);
  addRotate(keys, runtime);
  addList(keys, runtime);
  addRevoke(keys, runtime);
}

function addCreate(keys: Command, runtime: CommandRuntime<MerchantsService>): void {
  keys
    .command('create')
    .description('create an HMAC key beside those that exist; its secret is shown once')
    .option('--expires-in <time>', 'days or months, as in 90d or 12m (default: twelve months, the longest)')
    .option('--payee <id>', 'whose it is; may be left out while there is one payee')
    .option('--json', 'print {"user", "secret", "expiresAt"}')
    .action(async (options: Options & Life) => {
      const created = await runtime.withService(({ transact, merchants }) =>
        transact(async (transaction) => {
          const payeeId = await whichPayee(transaction, options.payee);
          const { expiresIn } = options;
          return createHmacKey(transaction, merchants, { payeeId, expiresIn, actor: COMMAND_LINE });
        }),
      );
      show(created, options, runtime);
    });
}

function addRotate(keys: Command, runtime: CommandRuntime<MerchantsService>): void {
  keys
    .command('rotate')
    .description('create an HMAC key in place of an old one, which goes on working for a while')
    .argument('<user>', 'the old key')
    .option('--overlap <time>', 'how long the old key goes on: hours or days, as in 7d (default: 24h)')
    .option('--expires-in <time>', 'how long the new key works: days or months, as in 90d (default: twelve months)')
    .option('--payee <id>', 'whose it is; may be left out while there is one payee')
    .option('--json', 'print {"user", "secret", "expiresAt"}')
    .action(async (keyId: string, options: Options & Life & { overlap?: string }) => {
      const rotated = await runtime.withService(({ transact, merchants }) =>
        transact(async (transaction) => {
          const payeeId = await whichPayee(transaction, options.payee);
          const { overlap, expiresIn } = options;
          const command = { payeeId, keyId, overlap, expiresIn, actor: COMMAND_LINE };
          return rotateHmacKey(transaction, merchants, command);
        }),
      );
      show(rotated, options, runtime);
      if (!options.json) runtime.print(`The key ${keyId} goes on working until ${rotated.oldExpiresAt}.`);
    });
}

function show(
  { user, secret, expiresAt }: FreshHmacKey,
  options: Options,
  runtime: CommandRuntime<MerchantsService>,
): void {
  if (options.json) {
    runtime.print(JSON.stringify({ user, secret: secret.reveal(), expiresAt }));
    return;
  }
  runtime.print('Created an HMAC key:');
  runtime.print(`\n  user    ${user}\n  secret  ${secret.reveal()}\n`);
  runtime.print('The secret is shown this once and cannot be had again: store it now.');
  runtime.print(`It works until ${expiresAt}. Sign each payment request with it, in the Hmac header.`);
}

function addList(keys: Command, runtime: CommandRuntime<MerchantsService>): void {
  keys
    .command('list')
    .description('show the HMAC keys, the newest first, without their secrets')
    .option('--payee <id>', 'whose; may be left out while there is one payee')
    .option('--json', 'print an array')
    .action(async (options: Options) => {
      const found = await runtime.withService(({ transact }) =>
        transact(async (transaction) => {
          const { rows } = await selectHmacKeys(transaction, await whichPayee(transaction, options.payee));
          return rows;
        }),
      );
      if (options.json) return runtime.print(JSON.stringify(found.map(listed)));
      if (found.length === 0) return runtime.print('There are no HMAC keys.');
      const rows = found.map((key) => [
        key.keyId,
        key.createdAt,
        key.revokedAt === null ? (key.expiresAt ?? 'no end') : 'revoked',
        key.lastUsedOn ?? 'never',
      ]);
      runtime.print(formatTable(['user', 'created', 'until', 'last used'], rows));
    });
}

function listed({ keyId: user, createdAt, expiresAt, revokedAt, lastUsedOn }: HmacKey): object {
  return { user, createdAt, expiresAt, revokedAt, lastUsedOn };
}

function addRevoke(keys: Command, runtime: CommandRuntime<MerchantsService>): void {
  keys
    .command('revoke')
    .description('revoke an HMAC key at once, without an overlap')
    .argument('<user>', 'the key')
    .option('--payee <id>', 'whose it is; may be left out while there is one payee')
    .option('--json', 'print {"user"}')
    .action(async (keyId: string, options: Options) => {
      await runtime.withService(({ transact }) =>
        transact(async (transaction) => {
          const payeeId = await whichPayee(transaction, options.payee);
          return revokeHmacKey(transaction, { payeeId, keyId, actor: COMMAND_LINE });
        }),
      );
      runtime.print(options.json ? JSON.stringify({ user: keyId }) : `Revoked the HMAC key ${keyId}.`);
    });
}
