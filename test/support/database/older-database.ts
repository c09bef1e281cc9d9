import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { migrate } from '../../../src/db/schema/migrate.ts';
import { ROOT } from '../../tidy/files.ts';
import { type TestDatabase, testDatabase } from './database.ts';

/** A database for one test, as the versions before a migration left it. */
export async function databaseBefore(number: number): Promise<TestDatabase> {
  const database = await emptyDatabaseBefore(number);
  onTestFinished(() => database.drop());
  return database;
}

/** The same for a file, which drops it. */
export async function emptyDatabaseBefore(number: number): Promise<TestDatabase> {
  const directory = mkdtempSync(join(tmpdir(), 'kontor-older-'));
  const migrations = join(ROOT, 'migrations');
  for (const file of readdirSync(migrations)) {
    if (Number.parseInt(file, 10) < number) cpSync(join(migrations, file), join(directory, file));
  }
  const database = await testDatabase({ of: 'empty' });
  try {
    await migrate({ ...database, directory });
  } catch (error) {
    await database.drop();
    throw error;
  } finally {
    rmSync(directory, { recursive: true });
  }
  return database;
}
