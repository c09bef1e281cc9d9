import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/db/server/connection.ts';
import { databaseBefore } from '../support/database/older-database.ts';
import { builtCommand } from '../support/shop/tokens-command.ts';
import { until } from '../support/until.ts';

/** The migration with which clients of OAuth have aliases of scopes. */
const SCOPE_ALIASES = 72;

test('kontor migrate says on the standard error who holds the lock that it waits for, and goes on', async () => {
  const database = await databaseBefore(SCOPE_ALIASES);
  const holder = await connect(database.appUrl);
  onTestFinished(() => holder.end());
  await holder.command('begin; lock table oauth_client in access share mode');
  const env = {
    KONTOR_MODE: 'sandbox',
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_DATABASE_OWNER_URL: database.ownerUrl,
  };
  const child = spawn(process.execPath, [builtCommand(), 'migrate'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const [stdout, told] = [text(child.stdout), [] as string[]];
  child.stderr.setEncoding('utf8').on('data', (line: string) => told.push(line));
  await until(async () => told.length > 0 || child.exitCode !== null);
  await holder.command('commit');
  expect(await ended).toEqual([0, null]);
  expect(told.join('')).toMatch(/^000072-scope-aliases waits for a lock that session \d+ of role kontor_app .*holds/);
  expect(await stdout).toMatch(/^Applied: 000072-scope-aliases, 000073-/);
});
