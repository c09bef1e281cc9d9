import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '../../src/config.ts';
import { schemaChecker } from '../../src/http/validate.ts';
import { COMMAND_LINE, SCOPES } from '../../src/kit/caller.ts';
import { type PayeeId, uuidV4 } from '../../src/kit/ids.ts';
import { createAccessToken } from '../../src/merchants/create-access-token.ts';
import { createPayee } from '../../src/merchants/create-payee.ts';
import { type Running, serve } from '../../src/serve.ts';
import { openService, type Service } from '../../src/service.ts';
import type { ImportLineInput, ImportWorld, LineOutcome } from '../../src/tokens/import.types.ts';
import { ImportLineBody } from '../../src/tokens/import.wire.ts';
import { importTokens } from '../../src/tokens/import-tokens.ts';
import type { TokenGuid } from '../../src/tokens/tokens.types.ts';
import { type TestDatabase, testDatabase } from './database.ts';

/** The whole service on a real socket and a database of its own, with a second way in for what has no route. */
export interface TestService {
  readonly baseUrl: string;
  readonly payeeId: PayeeId;
  readonly accessToken: string;
  readonly config: Config;
  readonly running: Running;
  readonly service: Service;
  readonly database: TestDatabase;
  /** Sends a request as the demo payee, unless the headers say otherwise; `null` leaves a header out. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  /** Makes another payee with a token of these scopes. */
  addPayee(scopes?: readonly string[]): Promise<{ payeeId: PayeeId; accessToken: string }>;
  /** Makes a token of the demo payee that may do just this. */
  addAccessToken(scopes: readonly string[], payeeId?: PayeeId): Promise<string>;
  /** Stores tokens, by import. */
  importLines(lines: readonly object[], payeeId?: PayeeId): Promise<readonly LineOutcome[]>;
  stop(): Promise<void>;
}

export interface SendOptions {
  readonly accessToken?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text as it is. */
  readonly body?: object | string | Uint8Array;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  readonly body: any;
}

/** Starts the service for one test file. Stop it in `afterAll`. */
export async function testService(environment: Readonly<Record<string, string>> = {}): Promise<TestService> {
  const database = await testDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'kontor-test-'));
  const config = readConfig({
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_DATABASE_OWNER_URL: database.ownerUrl,
    KONTOR_DATA_DIR: dataDir,
    KONTOR_PORT: '0',
    KONTOR_LOG_LEVEL: 'silent',
    ...environment,
  });
  const running = await serve(config, () => undefined);
  const service = await openService({ config, as: 'command', keys: 'required', tell: () => undefined });
  const sandbox = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8'));
  const { transact } = service.database;
  const addAccessToken: TestService['addAccessToken'] = async (scopes, payeeId = sandbox.payeeId) => {
    const created = await transact((transaction) =>
      createAccessToken(transaction, service.merchants, { payeeId, name: 'Test', scopes, actor: COMMAND_LINE }),
    );
    return created.accessToken.reveal();
  };
  return {
    ...sandbox,
    config,
    running,
    service,
    database,
    send: (method, path, options) => send(running.baseUrl, sandbox.accessToken, { method, path, ...options }),
    addPayee: async (scopes = SCOPES) => {
      const payeeId = await transact((transaction) =>
        createPayee(transaction, service.merchants, { name: 'Another shop', actor: COMMAND_LINE }),
      );
      return { payeeId, accessToken: await addAccessToken(scopes, payeeId) };
    },
    addAccessToken,
    importLines: (lines, payeeId = sandbox.payeeId) => importLines(service, payeeId, lines),
    stop: async () => {
      await running.stop();
      await service.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function send(
  baseUrl: string,
  ownToken: string,
  { method, path, accessToken = ownToken, headers = {}, body }: SendOptions & { method: string; path: string },
): Promise<Answer> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(path.startsWith('http') ? path : `${baseUrl}${path}`, {
    method,
    headers: {
      ...(accessToken !== null && { authorization: `Bearer ${accessToken}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    redirect: 'manual',
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text ? JSON.parse(text) : undefined,
  };
}

async function importLines(
  service: Service,
  payeeId: PayeeId,
  lines: readonly object[],
): Promise<readonly LineOutcome[]> {
  const check = schemaChecker(service.cardPrefixes)(ImportLineBody);
  const problems = lines.flatMap((line) => check(line));
  if (problems.length > 0) throw new Error(`A test's own line is not well-formed: ${JSON.stringify(problems)}`);
  const world: ImportWorld = { ...service.vault, onlyTestNumbers: true, newToken: () => uuidV4() as TokenGuid };
  const command = { payeeId, lines: lines as readonly ImportLineInput[], actor: COMMAND_LINE };
  return service.database.transact((transaction) => importTokens(transaction, world, command));
}
