import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { forgetPostgresVariables } from '../../src/config.ts';
import { migrate } from '../../src/db/schema/migrate.ts';
import { connect } from '../../src/db/server/connection.ts';
import { type Addresses, onDatabase, TEMPLATE } from './addresses.ts';
import { startServer } from './database/server.ts';

/**
 * Starts one PostgreSQL for the whole run and makes the migrated database that each test file copies. Vitest calls what
 * it returns at the end.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  forgetPostgresVariables();
  const server = await startServer();
  try {
    await makeTemplate(server);
  } catch (error) {
    await server.remove();
    throw error;
  }
  const { adminUrl, ownerUrl, appUrl } = server;
  project.provide('database', { adminUrl, ownerUrl, appUrl });
  const folder = await mkdtemp(join(tmpdir(), 'kontor-sandbox-'));
  project.provide('sandbox', { folder });
  return async () => {
    await rm(folder, { recursive: true, force: true });
    await server.remove();
  };
}

async function makeTemplate({ adminUrl, ownerUrl, appUrl }: Addresses): Promise<void> {
  const admin = await connect(adminUrl);
  await admin.command(`create database ${TEMPLATE} owner kontor_owner`);
  await admin.end();
  await migrate({ ownerUrl: onDatabase(ownerUrl, TEMPLATE), appUrl: onDatabase(appUrl, TEMPLATE) });
}
