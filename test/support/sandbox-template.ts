import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { connect } from '../../src/db/server/connection.ts';
import { serve } from '../../src/wiring/serve.ts';
import { onDatabase, SANDBOX_TEMPLATE, TEMPLATE } from './addresses.ts';

/** The lock of the process that makes the template; any number that is not used elsewhere. */
const LOCK = 20_391;
/** What the first start leaves beside the database. */
const FILES = ['keys.json', 'sandbox.json'];

let made: Promise<void> | undefined;

/**
 * A data directory with the keys and credentials of a sandbox whose database is a copy of `SANDBOX_TEMPLATE`. To seed it
 * takes two hundred statements and two passwords' hashes, and is the same for every test: it is done once for a run.
 */
export async function copySandboxFiles(): Promise<string> {
  made ??= makeTemplate();
  await made.catch((error) => {
    made = undefined;
    throw error;
  });
  const dataDir = await mkdtemp(join(tmpdir(), 'kontor-test-'));
  const { folder } = inject('sandbox');
  await Promise.all(FILES.map((name) => cp(join(folder, name), join(dataDir, name))));
  return dataDir;
}

/** By the first process that wants it; another one waits. */
async function makeTemplate(): Promise<void> {
  const { adminUrl } = inject('database');
  const admin = await connect(adminUrl);
  try {
    await admin.query('select pg_advisory_lock($1)', [LOCK]);
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [SANDBOX_TEMPLATE]);
    if (rowCount === 0) await seed((sql) => admin.command(sql));
  } finally {
    await admin.end();
  }
}

async function seed(asAdmin: (sql: string) => Promise<unknown>): Promise<void> {
  const { ownerUrl, appUrl } = inject('database');
  const { folder } = inject('sandbox');
  const name = `${SANDBOX_TEMPLATE}_new`;
  // What a process left that did not get to the end: on a busy machine a connection may take too long.
  await asAdmin(`drop database if exists ${name} with (force)`);
  await asAdmin(`create database ${name} template ${TEMPLATE} owner kontor_owner`);
  const config = readConfig({
    KONTOR_MODE: 'sandbox',
    KONTOR_DATABASE_URL: onDatabase(appUrl, name),
    KONTOR_DATABASE_OWNER_URL: onDatabase(ownerUrl, name),
    KONTOR_DATA_DIR: folder,
    KONTOR_PORT: '0',
    KONTOR_LOG_LEVEL: 'silent',
  });
  await (await serve(config, () => undefined)).stop();
  // It has the name when it is whole.
  await asAdmin(`alter database ${name} rename to ${SANDBOX_TEMPLATE}`);
}
