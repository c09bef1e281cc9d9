import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../../src/config.ts';
import { COMMAND_LINE, SCOPES } from '../../../src/kit/caller.ts';
import type { PayeeId } from '../../../src/kit/ids.ts';
import { createAccessToken } from '../../../src/merchants/access-tokens/access-tokens.ts';
import { createPayee } from '../../../src/merchants/payees/create-payee.ts';
import { type Running, serve } from '../../../src/wiring/serve.ts';
import { openService, type Service } from '../../../src/wiring/service.ts';
import { testDatabase } from '../database/database.ts';
import type { SigningCredentials } from '../service.ts';
import { addHmacKey } from '../shop/signing.ts';

/** A service as it runs in production: no caller is exempt from limits, and it makes no payee by itself. */
export interface ProductionService {
  readonly running: Running;
  /** A second way in, for what has no route. */
  readonly service: Service;
  readonly baseUrl: string;
  readonly payeeId: PayeeId;
  readonly accessToken: string;
  /** Makes another access token of the payee; it has every scope unless told otherwise. */
  addAccessToken(scopes?: readonly string[]): Promise<string>;
  /** Makes an HMAC key of the payee. */
  addHmacKey(): Promise<SigningCredentials>;
  /** Runs SQL as the superuser. */
  asAdmin(sql: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts the service in production mode on loopback, with a payee. Stop it in `afterAll`. */
export async function productionService(
  environment: Readonly<Record<string, string>> = {},
): Promise<ProductionService> {
  const database = await testDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'kontor-test-'));
  const config = readConfig({
    KONTOR_MODE: 'production',
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_DATA_DIR: dataDir,
    KONTOR_KEY_FILE: join(dataDir, 'keys.json'),
    KONTOR_PORT: '0',
    KONTOR_LOG_LEVEL: 'silent',
    ...environment,
  });
  const running = await serve(config, () => undefined);
  const service = await openService({ config, as: 'command', keys: 'required', tell: () => undefined });
  const payeeId = await addPayee(service);
  return {
    running,
    service,
    baseUrl: running.baseUrl,
    payeeId,
    accessToken: await addAccessToken(service, payeeId, SCOPES),
    addAccessToken: (scopes = SCOPES) => addAccessToken(service, payeeId, scopes),
    addHmacKey: () => addHmacKey(service, payeeId),
    asAdmin: database.asAdmin,
    stop: async () => {
      await running.stop();
      await service.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function addPayee({ database, merchants }: Service): Promise<PayeeId> {
  return database.transact((transaction) => createPayee(transaction, merchants, { name: 'Shop', actor: COMMAND_LINE }));
}

async function addAccessToken(
  { database, merchants }: Service,
  payeeId: PayeeId,
  scopes: readonly string[],
): Promise<string> {
  const command = { payeeId, name: 'Test', scopes, actor: COMMAND_LINE };
  const created = await database.transact((transaction) => createAccessToken(transaction, merchants, command));
  return created.accessToken.reveal();
}
