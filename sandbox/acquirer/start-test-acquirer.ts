import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Dialect } from '../../src/iso8583/dialects/dialect.types.ts';
import { oldestMonthOf } from '../../src/kit/instants.ts';
import { type HostContext, HostLine } from './host-line.ts';
import { hostMac } from './host-mac.ts';
import { openJournal, readChanges } from './journal.ts';
import { readScript } from './script.ts';
import { SettlementFiles } from './settlement-file.ts';
import { TestAcquirer } from './test-acquirer.ts';
import { currencyCodeOf } from './test-values.ts';

/** How a test acquirer runs. PEM texts, not paths. */
export interface TestAcquirerOptions {
  readonly dialect: Dialect;
  /** In hexadecimal digits, where the dialect has message authentication codes. */
  readonly macKey?: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** Without it lines are in the clear, and of this machine alone. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly clientCa?: string };
  /** Other approval codes and references for another number. */
  readonly seed?: number;
  readonly journalFile?: string;
  readonly settlementDirectory?: string;
  readonly scriptFile?: string;
  /** Whether it believes in payments of its earlier lives. */
  readonly believes?: boolean;
  /** Milliseconds that its clients wait for an answer. */
  readonly answerMs?: number;
  /** When the next business day begins, as in `23:00`, and in which time zone. */
  readonly cutOver?: string;
  readonly timeZone?: string;
  readonly now?: () => Date;
}

/** A test acquirer that runs. */
export interface RunningTestAcquirer {
  readonly port: number;
  readonly acquirer: TestAcquirer;
  close(): Promise<void>;
}

/** What its clients wait for an answer where nothing else is said: as the sandbox's. */
const ANSWER_MS = 4_000;

/**
 * Starts a test acquirer on this machine. It needs no database. Its books are those that the journal tells; without one it
 * begins with empty ones.
 *
 * @throws Trouble where script or journal cannot be used
 */
export async function startTestAcquirer(options: TestAcquirerOptions): Promise<RunningTestAcquirer> {
  const { dialect, seed = 1, answerMs = ANSWER_MS, now = () => new Date() } = options;
  const { cutOver = '23:00', timeZone = 'Europe/Oslo' } = options;
  const booked = await readChanges(options.journalFile);
  const journal = openJournal(options.journalFile, now);
  const files = new SettlementFiles(options.settlementDirectory);
  const script = readScript(options.scriptFile);
  // The latest day that was begun before its time.
  let begun = '';
  const today = () => {
    const day = businessDayOf(now(), cutOver, timeZone);
    return day < begun ? begun : day;
  };
  const nextDay = () => {
    begun = dayAfter(businessDayOf(now(), cutOver, timeZone));
    return begun;
  };
  const acquirer = new TestAcquirer({
    dialect,
    seed,
    journal,
    script,
    believes: options.believes ?? false,
    today,
    oldestMonth: () => oldestMonthOf(now().toISOString()).slice(2).replace('-', ''),
    settle: (day, bookings) => files.write(day, currencyCodeOf(day.currency), bookings),
  });
  acquirer.restore(booked);
  const timers = new Set<NodeJS.Timeout>();
  const mac = hostMac(dialect.mac, options.macKey);
  const context: HostContext = {
    dialect,
    mac,
    acquirer,
    script,
    journal,
    now,
    answerMs,
    nextDay,
    noSignOnUntil: 0,
    timers,
  };
  const sockets = new Set<Socket>();
  const server = createServer(options, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    new HostLine(context, socket);
  });
  await listen(server, options.port);
  return {
    port: (server.address() as AddressInfo).port,
    acquirer,
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      journal.close();
    },
  };
}

function createServer({ tls }: TestAcquirerOptions, take: (socket: Socket) => void): Server {
  if (tls === undefined) return createTcpServer(take);
  const { cert, key, clientCa } = tls;
  const asked = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true };
  const server = createTlsServer({ cert, key, minVersion: 'TLSv1.2', ...asked }, take);
  server.on('tlsClientError', () => undefined);
  return server;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** YYMMDD: from the cut-over on it is the next day's. */
export function businessDayOf(at: Date, cutOver: string, timeZone: string): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
    formats.set(timeZone, format);
  }
  const local = format.format(at);
  const [date = '', time = ''] = local.split(' ');
  const day = new Date(`${date}T00:00:00Z`);
  if (time >= cutOver) day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(2, 10).replaceAll('-', '');
}

/** Of a day as YYMMDD, the next one. */
function dayAfter(day: string): string {
  const date = new Date(`20${day.slice(0, 2)}-${day.slice(2, 4)}-${day.slice(4)}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(2, 10).replaceAll('-', '');
}

/** To make one takes longer than all else that is done for a message. */
const formats = new Map<string, Intl.DateTimeFormat>();
