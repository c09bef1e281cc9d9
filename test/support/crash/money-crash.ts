import { join } from 'node:path';
import { readConfig } from '../../../src/config.ts';
import { groupBy } from '../../../src/kit/group-by.ts';
import { openService } from '../../../src/wiring/service.ts';
import { refuteLedger } from '../issuer/accounts-ledger.ts';
import { readSandbox } from '../sandbox-file.ts';
import { openAnAccount } from '../shop/accounts-shop.ts';
import { kontor } from '../shop/tokens-command.ts';
import { until } from '../until.ts';
import {
  type AsAdmin,
  end,
  kill,
  postgresTree,
  queryEmbedded,
  type RunningService,
  type Settings,
  startKillableService,
  untilReady,
} from './crash.ts';
import { type Books, checkAnswers, compareWithHistory, readBooks } from './money-check.ts';
import { askBalance, type MoneyTarget, moneyClient, type PayingAccount } from './money-client.ts';
import { type Attempt, type MoneyVerb, openHistory, operationsOf } from './money-history.ts';

/** Who is killed, with signal 9. */
export type MoneyVictim = 'service' | 'postgres';

/** An installation with a database of its own, whose processes are killed while clients pay. */
export interface MoneySite {
  /**
   * Pays until so many answers came, kills the victims, brings everything up again, compares what is stored with what
   * the client knows, repeats what is not known, and compares again.
   */
  round(options: MoneyRound): Promise<MoneyFindings>;
  readonly asAdmin: AsAdmin;
  stop(): Promise<void>;
}

export interface MoneyRound {
  readonly victims: readonly MoneyVictim[];
  /** Acknowledgements that the client gets before the kill. */
  readonly answersBeforeKill: number;
  /** Of what the client wishes. */
  readonly seed: number;
}

/** What a round found. */
export interface MoneyFindings {
  /** Each promise that was broken, in words; none is what we want. */
  readonly broken: readonly string[];
  /** Requests that had no answer yet when the signal was sent. */
  readonly open: number;
  /** Operations of this round whose outcome the client did not know, and those of them that were stored all the same. */
  readonly unknown: number;
  readonly stored: number;
  /** Of all rounds so far: operations by what was asked for, those that were acknowledged alone. */
  readonly acknowledged: Readonly<Partial<Record<MoneyVerb, number>>>;
}

/** An account that is soon empty, so that there are declines. */
const POOR_BALANCE = 10_000;
const ANSWERS_TIMEOUT_MS = 60_000;

/**
 * Sets an installation up in an empty directory.
 *
 * @param main the program that serves, where it is not the built one
 */
export async function openMoneySite(dataDir: string, main?: string): Promise<MoneySite> {
  const settings = { KONTOR_DATA_DIR: dataDir, KONTOR_PORT: '0', KONTOR_LOG_LEVEL: 'silent' };
  let service = await startKillableService(settings, main);
  const asAdmin: AsAdmin = (sql) => queryEmbedded(dataDir, sql);
  const accounts = await openAccounts(dataDir, settings);
  const history = openHistory(join(dataDir, 'history.jsonl'));
  const client = moneyClient(history);
  const beginning = { balances: new Map(accounts.map((account) => [account.paymentAccountId, account.balance])) };
  const target = () => targetOf(dataDir, service, accounts);
  const compare = (books: Books) => compareWithHistory(history.read(), books, beginning);
  const killWhilePaying = async ({ victims, answersBeforeKill, seed }: MoneyRound): Promise<number> => {
    const state = { isStopped: false, isOver: false };
    const enough = history.acknowledged() + answersBeforeKill;
    const paying = client.pay(await target(), { seed, isStopped: () => state.isStopped }).finally(() => {
      state.isOver = true;
    });
    try {
      await until(() => history.acknowledged() >= enough || state.isOver, ANSWERS_TIMEOUT_MS);
      const targets = await processesOf(victims, { service, dataDir });
      const open = history.open();
      await kill(targets);
      return open;
    } finally {
      state.isStopped = true;
      await paying;
    }
  };
  return {
    asAdmin,
    stop: async () => {
      history.close();
      await end(service.process, 'SIGTERM');
    },
    round: async (options) => {
      const open = await killWhilePaying(options);
      service = await bringUp(options.victims, { service, settings, main });
      const books = await readBooks(asAdmin);
      const broken = compare(books);
      const unknown = findOpen(history.read());
      const stored = unknown.filter((attempt) => books.stored.some(({ reference }) => reference === attempt.reference));
      await client.repeat(await target(), unknown);
      broken.push(
        ...findUndecided(history.read()),
        ...compare(await readBooks(asAdmin)),
        ...(await findWrongBalances(await target(), asAdmin)),
        ...(await refuteLedger({ asAdmin })),
        ...(await verify(settings)),
        ...checkAnswers(history.read()),
      );
      const acknowledged = countAcknowledged(history.read());
      return { broken, open, unknown: unknown.length, stored: stored.length, acknowledged };
    },
  };
}

interface OpenedAccount extends PayingAccount {
  readonly balance: number;
}

/** The sandbox's accounts, and a poor one. */
async function openAccounts(dataDir: string, settings: Settings): Promise<OpenedAccount[]> {
  const sandbox = readSandbox(dataDir);
  const config = readConfig(settings);
  const service = await openService({ config, as: 'command', keys: 'required', tell: () => undefined });
  try {
    const poor = await openAnAccount(
      { service, payeeId: sandbox.payeeId },
      { balance: POOR_BALANCE, newId: service.accounts.newId },
    );
    return [...sandbox.accounts, { ...poor, balance: POOR_BALANCE }];
  } finally {
    await service.close();
  }
}

async function targetOf(
  dataDir: string,
  { baseUrl }: RunningService,
  accounts: readonly PayingAccount[],
): Promise<MoneyTarget> {
  const { accessToken, hmac } = readSandbox(dataDir);
  return { baseUrl, accessToken, hmac, accounts };
}

async function processesOf(
  victims: readonly MoneyVictim[],
  { service, dataDir }: { readonly service: RunningService; readonly dataDir: string },
): Promise<number[]> {
  const ids = { service: [service.process.pid ?? 0], postgres: await postgresTree(dataDir) };
  const targets = victims.flatMap((victim) => ids[victim]);
  if (targets.length < victims.length || targets.includes(0)) throw new Error('a victim does not run');
  return targets;
}

/** A service that was not killed has to recover by itself. */
async function bringUp(
  victims: readonly MoneyVictim[],
  { service, settings, main }: { service: RunningService; settings: Settings; main: string | undefined },
): Promise<RunningService> {
  if (victims.includes('service')) {
    await end(service.process, 'SIGKILL');
    return startKillableService(settings, main);
  }
  await untilReady(service.baseUrl);
  return service;
}

function countAcknowledged(attempts: readonly Attempt[]): MoneyFindings['acknowledged'] {
  const done = operationsOf(attempts).filter(({ fate }) => fate.is === 'done');
  return Object.fromEntries([...groupBy(done, ({ first }) => first.verb)].map(([verb, own]) => [verb, own.length]));
}

/** The first request of each operation whose outcome is not known. */
function findOpen(attempts: readonly Attempt[]): Attempt[] {
  return operationsOf(attempts).flatMap(({ first, fate }) => (fate.is === 'open' ? [first] : []));
}

function findUndecided(attempts: readonly Attempt[]): string[] {
  return operationsOf(attempts).flatMap(({ first, attempts: own, fate }) => {
    if (fate.is !== 'open') return [];
    const statuses = new Set(own.map(({ outcome }) => outcome?.status ?? 'no answer'));
    return [
      `${first.verb} ${first.reference} is not decided after ${own.length} requests: ${[...statuses].join(', ')}`,
    ];
  });
}

async function findWrongBalances(target: MoneyTarget, asAdmin: AsAdmin): Promise<string[]> {
  const { accounts } = await readBooks(asAdmin);
  const broken: string[] = [];
  for (const account of target.accounts) {
    const told = await askBalance(target, account);
    const stored = accounts.find(({ accountId }) => accountId === account.paymentAccountId)?.available;
    if (told !== stored)
      broken.push(`the balance of ${account.paymentAccountId} is told as ${told}, stored as ${stored}`);
  }
  return broken;
}

async function verify(settings: Settings): Promise<string[]> {
  const { code, stdout, stderr } = await kontor(['ledger', 'verify'], settings);
  return code === 0 ? [] : [`ledger verify ends with ${code}: ${stdout}${stderr}`];
}
