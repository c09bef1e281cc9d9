import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/db/connection.ts';
import { testDatabase } from '../support/database.ts';
import { builtCommand } from '../support/tokens-command.ts';
import { until } from '../support/until.ts';

/** Puts a database back to where the clients of OAuth had no aliases of scopes. */
const BEFORE_ALIASES = `
  drop table installation, browser_file;
  alter table oauth_client drop column scope_aliases;
  delete from schema_migration where number >= 72`;

test('kontor migrate says on the standard error who holds the lock that it waits for, and goes on', async () => {
  const database = await testDatabase();
  onTestFinished(() => database.drop());
  await database.asAdmin(BEFORE_ALIASES);
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
