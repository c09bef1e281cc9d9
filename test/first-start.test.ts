import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startEmbedded } from '../sandbox/postgres/embedded.ts';
import type { EmbeddedPostgres } from '../sandbox/postgres/embedded.types.ts';
import { killServer, query, serverProcessId } from './support/database/embedded.ts';
import { serverFolder } from './support/database/server.ts';
import { type Installation, install, type Place } from './support/kontor.ts';
import { IS_LONG_RUN } from './support/long-run.ts';

vi.setConfig({ testTimeout: IS_LONG_RUN ? 20 * 60_000 : 120_000, hookTimeout: 120_000 });

/** First starts beside each kind of neighbour. */
const STARTS = IS_LONG_RUN ? 50 : 2;

/** The user daemon, which every usual system has. */
const ORDINARY = 1;
const isRoot = process.getuid?.() === 0;

/** What listens on the port whose number our server's socket has in its name. */
interface Neighbour {
  readonly port: number;
  /** How many have connected. */
  connections(): number;
  /** All that they have sent. */
  received(): string;
  close(): Promise<void>;
}

/** @param socketPath where what it gets goes on to; without one there is no answer */
async function neighbour({ socketPath, port = 0 }: { socketPath?: string; port?: number } = {}): Promise<Neighbour> {
  const sockets: Socket[] = [];
  const received: Buffer[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => void received.push(bytes));
    if (socketPath === undefined) return;
    const behind = connectTo(socketPath).on('error', () => socket.destroy());
    socket.pipe(behind).pipe(socket);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.length,
    received: () => Buffer.concat(received).toString('latin1'),
    close,
  };
}

/** A new folder, in memory where that is possible. As root the server runs as another user, who must get through. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(serverFolder(), 'kontor-first-'));
  await chmod(folder, 0o711);
  return folder;
}

const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);
const silent = { as: 'serve', log: () => undefined } as const;
const dataDirectory = ({ adminUrl }: EmbeddedPostgres) =>
  query<{ path: string }>(adminUrl, `select current_setting('data_directory') as path`);

let root: string;
/** A data directory as it is just before its server starts for the first time. */
let unstarted: string;
let other: EmbeddedPostgres;
beforeAll(async () => {
  root = await makeFolder();
  unstarted = join(root, 'unstarted');
  await (await startEmbedded({ ...silent, dataDir: unstarted })).stop();
  other = await startEmbedded({ ...silent, dataDir: join(root, 'other') });
});
afterAll(async () => {
  await other?.stop();
  await rm(root, { recursive: true, force: true });
});

async function firstDataDir(name = 'data'): Promise<string> {
  const folder = await makeFolder();
  const dataDir = join(folder, name);
  onTestFinished(async () => {
    await killServer(dataDir);
    await rm(folder, { recursive: true, force: true });
  });
  await copy(unstarted, dataDir);
  return dataDir;
}

/** PostgreSQL's socket in a data directory. */
const socketOf = (dataDir: string) => join(dataDir, 'postgres/data/.s.PGSQL.5432');

describe.each([
  ['a PostgreSQL with passwords', 'scram-sha-256'],
  ['a PostgreSQL that trusts this machine', 'trust'],
  ['a program that says nothing', undefined],
])('beside %s', (_, rule) => {
  let beside: Neighbour;
  beforeAll(async () => {
    const dataDir = join(root, 'other');
    if (rule !== undefined) {
      await writeFile(join(dataDir, 'postgres/data/pg_hba.conf'), `local all all ${rule}\n`);
      await query(other.adminUrl, 'select pg_reload_conf()');
    }
    beside = await neighbour(rule === undefined ? {} : { socketPath: socketOf(dataDir) });
  });
  afterAll(() => beside.close());

  test(`each of ${STARTS} first starts has its own server, and nothing is sent to the other`, async () => {
    const dataDir = await firstDataDir();
    for (let count = 0; count < STARTS; count++) {
      await rm(dataDir, { recursive: true });
      await copy(unstarted, dataDir);
      const ours = await startEmbedded({ ...silent, dataDir, socketNumber: beside.port });
      expect(await dataDirectory(ours)).toEqual([{ path: join(dataDir, 'postgres/data') }]);
      await ours.stop();
      expect(await serverProcessId(dataDir)).toBeUndefined();
    }
    expect(beside.connections()).toBe(0);
  });

  // Who is refused asks for two seconds before it believes it.
  test.runIf(IS_LONG_RUN || rule === 'trust')(
    'of two first starts at once one serves, and the other one leaves its server alone',
    async () => {
      for (let count = 0; count < (IS_LONG_RUN ? 10 : 1); count++) {
        const dataDir = await firstDataDir();
        const start = () => startEmbedded({ ...silent, dataDir, socketNumber: beside.port });
        const starts = await Promise.allSettled([start(), start()]);
        const [ours] = starts.filter((one) => one.status === 'fulfilled');
        const [refused] = starts.filter((one) => one.status === 'rejected');
        expect(String(refused?.reason)).toContain('Another Kontor');
        expect(ours && (await dataDirectory(ours.value))).toEqual([{ path: join(dataDir, 'postgres/data') }]);
        await ours?.value.stop();
        expect(await serverProcessId(dataDir)).toBeUndefined();
      }
      expect(beside.connections()).toBe(0);
    },
  );
});

test('a copied data directory whose lock file names the server of the original has a server of its own', async () => {
  const [original, copied] = [await firstDataDir(), await firstDataDir()];
  const first = await startEmbedded({ ...silent, dataDir: original });
  const lockFile = 'postgres/data/postmaster.pid';
  await copy(join(original, lockFile), join(copied, lockFile));
  const second = await startEmbedded({ ...silent, dataDir: copied });
  expect(await dataDirectory(second)).toEqual([{ path: join(copied, 'postgres/data') }]);
  await second.stop();
  expect(await dataDirectory(first)).toEqual([{ path: join(original, 'postgres/data') }]);
  await first.stop();
});

describe('a path that is too long for a socket', () => {
  const long = 'a'.repeat(100);

  test('whose port another program has taken since gets another port, and that program gets nothing', async () => {
    const dataDir = await firstDataDir(long);
    const port = await portOf(dataDir);
    const lockFile = join(dataDir, 'postgres/data/postmaster.pid');
    const beside = await neighbour({ port });
    onTestFinished(() => beside.close());
    // As a power failure leaves it. The largest number that Linux gives to a process, plus one.
    await writeFile(lockFile, `${2 ** 22 + 1}\n${dataDir}\n1\n${port}\n\n127.0.0.1\n1 1\nready   \n`);
    const ours = await startEmbedded({ ...silent, dataDir });
    expect(await dataDirectory(ours)).toEqual([{ path: join(dataDir, 'postgres/data') }]);
    expect(new URL(ours.adminUrl).port).not.toBe(String(port));
    await ours.stop();
    expect(beside.connections()).toBe(0);
  });

  test('whose server ends while another program takes its port gets the port back when it is free', async () => {
    const dataDir = await firstDataDir(long);
    const log: string[] = [];
    const ours = await startEmbedded({ dataDir, as: 'serve', log: (line) => log.push(line) });
    const port = Number(new URL(ours.adminUrl).port);
    await killServer(dataDir);
    const beside = await neighbour({ port });
    const tried = () => readFile(join(dataDir, 'postgres/postgres.log'), 'utf8');
    await expect.poll(tried).toContain('Address already in use');
    expect(beside.received()).toBe('');
    await beside.close();
    await expect.poll(() => dataDirectory(ours).catch(() => []), { timeout: 25_000 }).toHaveLength(1);
    await ours.stop();
    expect(await serverProcessId(dataDir)).toBeUndefined();
  });

  /** Which port its server had when it ran. */
  async function portOf(dataDir: string): Promise<number> {
    const before = await startEmbedded({ ...silent, dataDir });
    const { port } = new URL(before.adminUrl);
    await before.stop();
    return Number(port);
  }
});

/** What the whole service is started in. */
interface Surroundings {
  readonly settings?: Readonly<Record<string, string>>;
  /** What stands before the program. */
  readonly through?: readonly string[];
  readonly place?: Place;
  readonly owner?: number;
}

const CLOSED_PORT = 'http://127.0.0.1:9';
const SURROUNDINGS: Readonly<Record<string, Surroundings>> = {
  'variables of PostgreSQL': {
    settings: {
      PGHOST: '127.0.0.1',
      PGPORT: '9',
      PGUSER: 'otherUser',
      PGDATABASE: 'something',
      PGPASSWORD: 'wrong',
      PGOPTIONS: '-c default_transaction_read_only=on -c search_path=nowhere',
      PGSSLMODE: 'verify-full',
      PGAPPNAME: 'another program',
      PGCLIENT_ENCODING: 'LATIN1',
      PGCLIENTENCODING: 'LATIN1',
      PGDATA: '/nowhere',
      PGTZ: 'Pacific/Apia',
    },
  },
  'a Turkish locale': { settings: { LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' } },
  'a locale of one byte a letter': { settings: { LC_ALL: 'nb_NO.ISO-8859-1' } },
  'a locale that there is not': { settings: { LC_ALL: 'xx_XX.nothing', LANG: 'xx' } },
  'the other side of the date line': { settings: { TZ: 'Pacific/Apia' } },
  'a time zone that there is not': { settings: { TZ: 'Nowhere/At_All' } },
  'no home': { through: ['env', '-u', 'HOME'] },
  'no folder for what is temporary': { settings: { TMPDIR: '/nowhere/at/all' } },
  'blanks and letters like ø in the path': { place: { name: "Åse's søte «kasse» 100 %" } },
  'proxies that do not answer': {
    settings: {
      HTTP_PROXY: CLOSED_PORT,
      HTTPS_PROXY: CLOSED_PORT,
      http_proxy: CLOSED_PORT,
      https_proxy: CLOSED_PORT,
      ALL_PROXY: CLOSED_PORT,
      NODE_USE_ENV_PROXY: '1',
    },
  },
  'another user, whose files are private': {
    through: ['sh', '-c', 'umask 077; exec "$0" "$@"'],
    ...(isRoot && { owner: ORDINARY }),
  },
  '64 open files': { through: ['sh', '-c', 'ulimit -S -n 64; exec "$0" "$@"'] },
};

/** All of them at once. Of two locales or time zones the last one counts. */
const TOGETHER: Surroundings = {
  ...Object.assign({}, ...Object.values(SURROUNDINGS)),
  settings: Object.assign({}, ...Object.values(SURROUNDINGS).map(({ settings }) => settings)),
  through: Object.values(SURROUNDINGS).flatMap(({ through = [] }) => through),
};

describe.each(IS_LONG_RUN ? Object.entries(SURROUNDINGS) : [['all of them at once', TOGETHER] as const])(
  'in surroundings with %s',
  (_, surroundings) => {
    test('the first start makes a sandbox that answers, and its end leaves nothing', async () => {
      const { installation, serve } = await installIn(surroundings);
      const service = serve();
      const ready = await Promise.race([
        installation.ready(),
        service.ended.then(({ stderr, stdout }) => Promise.reject(new Error(`It has ended. ${stderr} ${stdout}`))),
      ]);
      const tokens = `${ready.baseUrl}/online/payer/payees/${ready.payeeId}/payers/anna/tokens`;
      const answer = await fetch(tokens, { headers: { Authorization: `Bearer ${ready.accessToken}` } });
      expect(answer.status).toBe(200);
      service.signalGroup('SIGTERM');
      expect(await service.ended).toMatchObject({ status: 0, stderr: '' });
      await expect.poll(installation.processes, { timeout: 25_000 }).toEqual([]);
    });
  },
);

test.runIf(IS_LONG_RUN)('a first start whose port is taken names it, and leaves nothing running', async () => {
  const beside = await neighbour();
  onTestFinished(() => beside.close());
  const { installation, serve } = await installIn({ settings: { KONTOR_PORT: String(beside.port) } });
  const { status, stderr } = await serve().ended;
  expect(stderr).toContain(`Port ${beside.port} on 127.0.0.1 is taken.`);
  expect(status).toBe(1);
  await expect.poll(installation.processes, { timeout: 25_000 }).toEqual([]);
  expect(beside.connections()).toBe(0);
});

async function installIn({ settings = {}, through = [], place, owner }: Surroundings) {
  const installation: Installation = install({}, { below: serverFolder(), ...place });
  onTestFinished(() => installation.remove());
  if (owner !== undefined) await chown(installation.folder, owner, owner);
  const user = owner === undefined ? [] : ['setpriv', `--reuid=${owner}`, `--regid=${owner}`, '--clear-groups'];
  const program: [string, ...string[]] = ['env', ...user, ...through, process.execPath, 'dist/main.js', 'serve'];
  return { installation, serve: () => installation.start(program, settings) };
}
