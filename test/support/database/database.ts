import { randomBytes } from 'node:crypto';
import type { QueryResult } from 'pg';
import { inject } from 'vitest';
import { type Connection, connect } from '../../../src/db/server/connection.ts';
import type { Database } from '../../../src/db/server/database.types.ts';
import { openDatabase } from '../../../src/db/server/open-database.ts';
import { type Addresses, onDatabase, SANDBOX_TEMPLATE, TEMPLATE } from '../addresses.ts';
import { until } from '../until.ts';

/** A database of its own for one test file. */
export interface TestDatabase extends Database, Addresses {
  /** Its name on the server. */
  readonly name: string;
  /** Runs SQL as the superuser, who may do what the service must not: break a row, end a session. Returns the last rows. */
  asAdmin(sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Has something done before it is dropped: what a helper has opened is closed. */
  beforeDrop(work: () => Promise<void>): void;
  /** Closes the connections and drops the database. For `afterAll`. */
  drop(): Promise<void>;
}

const TEMPLATES = { empty: 'template0', migrated: TEMPLATE, sandbox: SANDBOX_TEMPLATE } as const;

/**
 * Copies the migrated template (50 to 90 ms), or another one. On PostgreSQL itself, never a stand-in.
 *
 *     const database = await testDatabase();
 *     afterAll(() => database.drop());
 *
 * @param options.server a server of the file's own, where nothing is to be copied but what is empty
 */
export async function testDatabase({
  of = 'migrated',
  server = inject('database'),
}: {
  of?: keyof typeof TEMPLATES;
  server?: Addresses;
} = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(server.adminUrl, `create database ${name} template ${TEMPLATES[of]} owner kontor_owner`);
  const adminUrl = onDatabase(server.adminUrl, name);
  const appUrl = onDatabase(server.appUrl, name);
  const database = openDatabase({ url: appUrl });
  const admin = keptConnection(adminUrl);
  const endings: (() => Promise<void>)[] = [];
  return {
    ...database,
    name,
    adminUrl,
    ownerUrl: onDatabase(server.ownerUrl, name),
    appUrl,
    asAdmin: admin.run,
    beforeDrop: (work) => void endings.push(work),
    async drop() {
      await Promise.all(endings.map((end) => end()));
      await admin.end();
      await database.close();
      await asAdmin(server.adminUrl, `drop database ${name} with (force)`);
    },
  };
}

/**
 * Runs SQL on one connection, one call after the other: to connect takes longer than most of what is run. After an error
 * the next call gets a new one, and no call finds what another one set.
 */
function keptConnection(url: string) {
  let kept: Connection | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const end = async () => {
    const ending = kept;
    kept = undefined;
    await ending?.end().catch(() => undefined);
  };
  const runNow = async (sql: string) => {
    try {
      kept ??= await connectPatiently(url);
      const rows = await rowsOf(kept, sql);
      await kept.query('discard all');
      return rows;
    } catch (error) {
      await end();
      throw error;
    }
  };
  return {
    run(sql: string): Promise<readonly Record<string, unknown>[]> {
      const run = last.then(() => runNow(sql));
      last = run.catch(() => undefined);
      return run;
    },
    end: () => last.then(end),
  };
}

async function rowsOf(connection: Connection, sql: string): Promise<readonly Record<string, unknown>[]> {
  // Several statements have several results, which the driver's types do not say.
  const result: QueryResult | QueryResult[] = await connection.query(sql);
  return (Array.isArray(result) ? result.at(-1) : result)?.rows ?? [];
}

/** Tests beside this one may fill the server's queue of connections for a moment. */
async function connectPatiently(url: string): Promise<Connection> {
  let connection: Connection | undefined;
  await until(async () => {
    try {
      connection = await connect(url);
      return true;
    } catch (error) {
      if ((error as { readonly cause?: NodeJS.ErrnoException }).cause?.code !== 'EAGAIN') throw error;
      return false;
    }
  });
  return connection as Connection;
}

async function asAdmin(adminUrl: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const admin = await connectPatiently(adminUrl);
  try {
    return await rowsOf(admin, sql);
  } finally {
    await admin.end();
  }
}
