import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '../../src/config.ts';
import { schemaChecker } from '../../src/http/body/validate.ts';
import { hmacHeader } from '../../src/http/signing/hmac.ts';
import type { LinkEvents } from '../../src/iso8583/link/link.types.ts';
import { COMMAND_LINE, SCOPES } from '../../src/kit/caller.ts';
import { type PayeeId, uuidV4 } from '../../src/kit/ids.ts';
import type { LineOutcome } from '../../src/kit/imports/import.types.ts';
import { createAccessToken } from '../../src/merchants/access-tokens/access-tokens.ts';
import { createHmacKey } from '../../src/merchants/hmac-keys/hmac-keys.ts';
import { createPayee } from '../../src/merchants/payees/create-payee.ts';
import type { ImportLineInput } from '../../src/tokens/import/import.wire.ts';
import { ImportLineBody } from '../../src/tokens/import/import.wire.ts';
import { importTokens } from '../../src/tokens/import/import-tokens.ts';
import { type Running, serve } from '../../src/wiring/serve.ts';
import { openService, type Service } from '../../src/wiring/service.ts';
import { type TestDatabase, testDatabase } from './database/database.ts';
import { holdToDocument } from './prober/documented-answers.ts';
import { serverOf } from './prober/routes-server.ts';
import { readSandbox } from './sandbox-file.ts';
import { copySandboxFiles } from './sandbox-template.ts';
import type { SandboxPortal } from './shop/portal.ts';

/** The whole service on a real socket and a database of its own, with a second way in for what has no route. */
export interface TestService {
  readonly baseUrl: string;
  readonly payeeId: PayeeId;
  readonly accessToken: string;
  /** The demo payee's HMAC key. */
  readonly hmac: SigningCredentials;
  /** The users of the portal, as sandbox.json has them. */
  readonly portal: SandboxPortal;
  readonly config: Config;
  readonly running: Pick<Running, 'baseUrl' | 'port' | 'metricsPort' | 'stop'>;
  readonly service: Service;
  readonly database: TestDatabase;
  /** Sends a request as the demo payee, signed where it must be; `null` leaves a header out. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  /** Makes another payee with a token of these scopes. */
  addPayee(scopes?: readonly string[]): Promise<{ payeeId: PayeeId; accessToken: string; hmac: SigningCredentials }>;
  /** Makes a token of the demo payee that may do just this. */
  addAccessToken(scopes: readonly string[], payeeId?: PayeeId): Promise<string>;
  /** Stores tokens, by import. */
  importLines(lines: readonly object[], payeeId?: PayeeId): Promise<readonly LineOutcome[]>;
  stop(): Promise<void>;
}

/** An HMAC key, to sign with. */
export interface SigningCredentials {
  readonly user: string;
  readonly secret: string;
}

export interface SendOptions {
  readonly accessToken?: string | null;
  /** What a request below `/api/payments` is signed with; null leaves the signature out. */
  readonly hmac?: SigningCredentials | null;
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

/** Events of lines that no test looks at. */
export const UNHEARD: LinkEvents = {
  state: () => undefined,
  answered: () => undefined,
  silent: () => undefined,
  late: () => undefined,
  habit: () => undefined,
  fault: () => undefined,
  notWritable: () => undefined,
};

/** Starts the service for one test file. Stop it in `afterAll`. */
export async function testService(environment: Readonly<Record<string, string>> = {}): Promise<TestService> {
  const prepared = await prepare(environment);
  const running = await serve(prepared.config, () => undefined);
  return testServiceOf(prepared, await open(prepared), running);
}

/**
 * The same, but no job of it runs: for a test that does what jobs do, or asks an acquirer of its own. Jobs know the
 * sandbox's acquirer, and would come between two steps of the test.
 */
export async function serviceWithoutJobs(): Promise<TestService> {
  const prepared = await prepare({});
  const opened = await open(prepared);
  const at = { config: prepared.config, service: opened.service, baseUrl: '' };
  const { app } = await serverOf(at);
  at.baseUrl = await app.listen({ host: '127.0.0.1', port: 0 });
  const { baseUrl } = at;
  const running = { baseUrl, port: Number(new URL(baseUrl).port), metricsPort: undefined, stop: () => app.close() };
  return { ...(await testServiceOf(prepared, opened, running)), baseUrl };
}

/** What a service needs before it is opened. */
interface Prepared {
  readonly dataDir: string;
  readonly database: TestDatabase;
  readonly config: Config;
}

async function prepare(environment: Readonly<Record<string, string>>): Promise<Prepared> {
  // A test may bring a server of its own, which has no sandbox yet.
  const isSeeded = environment['KONTOR_DATABASE_URL'] === undefined;
  const dataDir = isSeeded ? await copySandboxFiles() : await mkdtemp(join(tmpdir(), 'kontor-test-'));
  const database = await testDatabase(isSeeded ? { of: 'sandbox' } : {});
  const config = readConfig({
    KONTOR_MODE: 'sandbox',
    KONTOR_DATABASE_URL: database.appUrl,
    KONTOR_DATABASE_OWNER_URL: database.ownerUrl,
    KONTOR_DATA_DIR: dataDir,
    KONTOR_PORT: '0',
    KONTOR_LOG_LEVEL: 'silent',
    ...environment,
  });
  return { dataDir, database, config };
}

/** What a test calls past the running service, with lines of its own to acquirers. */
interface Opened {
  readonly service: Service;
  readonly lines: { close(): Promise<void> };
}

async function open({ config }: Prepared): Promise<Opened> {
  const service = await openService({ config, as: 'command', keys: 'required', tell: () => undefined });
  return { service, lines: await service.slices.issuers.openLines(() => UNHEARD) };
}

async function testServiceOf(
  { dataDir, database, config }: Prepared,
  { service, lines }: Opened,
  running: TestService['running'],
): Promise<TestService> {
  const sandbox = readSandbox(dataDir);
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
    send: (method, path, options) => sendTo(running.baseUrl, sandbox, { method, path, ...options }),
    addPayee: async (scopes = SCOPES) => {
      const payeeId = await transact((transaction) =>
        createPayee(transaction, service.merchants, { name: 'Another shop', actor: COMMAND_LINE }),
      );
      const { user, secret } = await transact((transaction) =>
        createHmacKey(transaction, service.merchants, { payeeId, actor: COMMAND_LINE }),
      );
      const hmac = { user, secret: secret.reveal() };
      return { payeeId, accessToken: await addAccessToken(scopes, payeeId), hmac };
    },
    addAccessToken,
    importLines: (lines, payeeId = sandbox.payeeId) => importLines(service, payeeId, lines),
    stop: async () => {
      await running.stop();
      await lines.close();
      await service.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Sends a request to an address, in the name of a payee. */
export async function sendTo(
  baseUrl: string,
  own: Pick<TestService, 'accessToken' | 'hmac'>,
  options: SendOptions & { readonly method: string; readonly path: string },
): Promise<Answer> {
  const { method, path, accessToken = own.accessToken, hmac = own.hmac, headers = {} } = options;
  const body = bytesOf(options.body);
  const url = new URL(path, baseUrl);
  const signed = { method, path: url.pathname, transmissionTime: headers['transmission-time'], body };
  const response = await fetch(url, {
    method,
    headers: {
      ...(accessToken !== null && { authorization: `Bearer ${accessToken}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(hmac !== null && url.pathname.startsWith('/api/payments') && { hmac: signatureOf(hmac, signed) }),
      ...headers,
    },
    ...(body !== undefined && { body }),
    redirect: 'manual',
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text ? JSON.parse(text) : undefined,
  };
  holdToDocument({ method, path: url.pathname }, answer);
  return answer;
}

function bytesOf(body: SendOptions['body']): Buffer<ArrayBuffer> | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'string') return Buffer.from(body);
  return Buffer.from(body instanceof Uint8Array ? body : JSON.stringify(body));
}

/** The `Hmac` header of a request, with a nonce of its own. */
export function signatureOf(
  { user, secret }: SigningCredentials,
  request: {
    readonly method: string;
    readonly path: string;
    readonly transmissionTime?: string | undefined;
    readonly body?: Buffer | undefined;
  },
): string {
  const { method, path, transmissionTime = '', body = Buffer.alloc(0) } = request;
  return hmacHeader(secret, { method, path, user, nonce: uuidV4(), transmissionTime, body });
}

async function importLines(
  service: Service,
  payeeId: PayeeId,
  lines: readonly object[],
): Promise<readonly LineOutcome[]> {
  const check = schemaChecker(service.cardPrefixes)(ImportLineBody);
  const problems = lines.flatMap((line) => check(line));
  if (problems.length > 0) throw new Error(`A test's own line is not well-formed: ${JSON.stringify(problems)}`);
  const { context } = service.slices.tokens;
  const command = { payeeId, lines: lines as readonly ImportLineInput[], actor: COMMAND_LINE };
  return service.database.transact((transaction) => importTokens(transaction, context, command));
}
