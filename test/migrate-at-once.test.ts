import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { pendingMigrations } from '../src/db/schema/migrate.ts';
import { readMigrations } from '../src/db/schema/migration-files.ts';
import { testDatabase } from './support/database/database.ts';

const run = promisify(execFile);
const PROJECT = process.cwd();
const PROCESSES = 20;

const database = await testDatabase({ of: 'empty' });
afterAll(() => database.drop());

const SCRIPT = `
  const { migrate } = await import(process.env.MODULE);
  const { OWNER_URL: ownerUrl, APP_URL: appUrl } = process.env;
  console.log(JSON.stringify(await migrate({ ownerUrl, appUrl })));
`;

async function migrateInProcess(): Promise<string[]> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    env: {
      MODULE: pathToFileURL(join(PROJECT, 'dist/modules/src/db/schema/migrate.js')).href,
      OWNER_URL: database.ownerUrl,
      APP_URL: database.appUrl,
    },
  });
  return JSON.parse(stdout) as string[];
}

test('twenty processes migrate at once: each migration is applied exactly once, and none fails', async () => {
  const applied = await Promise.all(Array.from({ length: PROCESSES }, migrateInProcess));
  expect(applied.flat().sort()).toEqual(readMigrations().map(({ name }) => name));
  expect(await pendingMigrations(database)).toEqual([]);
});
