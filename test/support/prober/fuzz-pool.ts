import type { SandboxAccount } from '../../../sandbox/seeds/ensure-accounts.ts';
import { addressReader, type Operation } from './operations.ts';

/** Parameters of a path that belong together: of one object that is there. */
export type Params = Readonly<Record<string, string>>;

/** An operation that an answer has offered. */
export interface Offer {
  readonly operation: number;
  readonly params: Params;
}

/** An account that can be paid with. */
type KnownAccount = Pick<SandboxAccount, 'paymentAccountId' | 'accountKey'> &
  Partial<Pick<SandboxAccount, 'cvc' | 'expiryDate' | 'currency'>>;

/** What the fuzzer knows to be there: all that answers have told of. Bounded, so that the newest objects are met again. */
export interface Pool {
  /** Takes note of whatever an answer tells. */
  learn(body: unknown): void;
  addAccount(account: KnownAccount): void;
  /**
   * Parameters for an operation's path: of an object that is there, if one is known.
   *
   * @param object which one, counted from the newest; undefined: the one that `pick` chooses
   */
  paramsFor(operation: Operation, pick: number, object?: number): Params;
  /** An operation that was offered lately. */
  offer(pick: number): Offer | undefined;
  /** A value that a member of this name had. */
  value(name: string, pick: number): string | undefined;
  account(pick: number, paymentAccountId?: string): KnownAccount | undefined;
  /** Path of a payment page. */
  page(pick: number): string | undefined;
}

const KEPT = 48;
const KEPT_OFFERS = 256;
/** Values that an answer is searched for, at most. */
const LOOKED_AT = 600;

/** Members whose values are worth sending again: ids, and what opens something. */
const WORTH_KEEPING = /(Id|Reference|Ref|Token)$|^(user|token|access_token|next|accountKey|link|name|number|email)$/;

/**
 * @param own parameters that lead to what is the caller's own
 * @param reserved values that must not be aimed at: with these the fuzzer itself signs in
 */
export function openPool(
  operations: readonly Operation[],
  {
    baseUrl,
    own,
    reserved,
  }: {
    readonly baseUrl: string;
    readonly own: Readonly<Record<string, readonly string[]>>;
    readonly reserved: ReadonlySet<string>;
  },
): Pool {
  const readAddress = addressReader(operations);
  const byFamily = new Map<string, Params[]>();
  const values = new Map<string, string[]>();
  const offers: Offer[] = [];
  const accounts: KnownAccount[] = [];
  const pages: string[] = [];

  const learnAddress = (text: string): Offer[] => {
    const path = text.startsWith(baseUrl) ? text.slice(baseUrl.length) : text;
    if (!path.startsWith('/')) return [];
    if (/^\/pay\/[^/]+\/[^/]+$/.test(path)) keep(pages, path);
    return readAddress(path).flatMap(({ index, params }) => {
      const decoded = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decode(value)]));
      if (Object.values(decoded).some((value) => reserved.has(value))) return [];
      const family = operations[index]?.family ?? '';
      if (Object.keys(params).length > 0) keep(listOf(byFamily, family), decoded);
      return [{ operation: index, params: decoded }];
    });
  };

  const learnObject = (members: Readonly<Record<string, unknown>>): void => {
    const { href, method, paymentAccountId, accountKey } = members;
    if (typeof href === 'string') {
      for (const offer of learnAddress(href)) {
        if (operations[offer.operation]?.method === method) keep(offers, offer, KEPT_OFFERS);
      }
    }
    if (typeof paymentAccountId === 'string' && typeof accountKey === 'string') keep(accounts, members as never);
    for (const [name, value] of Object.entries(members)) {
      if (typeof value === 'string' && value.startsWith('/')) learnAddress(value);
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      const text = String(value);
      if (WORTH_KEEPING.test(name) && text.length < 300 && !reserved.has(text)) keep(listOf(values, name), text);
    }
  };

  return {
    learn: (body) => {
      for (const value of objectsIn(body)) learnObject(value);
    },
    addAccount: (account) => keep(accounts, account),
    paramsFor: ({ family, params }, pick, object) => {
      const known = (byFamily.get(family) ?? []).filter((one) => params.every((name) => name in one));
      const chooseObject = <Value>(list: readonly Value[] = []) =>
        object === undefined ? choose(list, pick) : list.at(-1 - (object % Math.max(list.length, 1)));
      const chosen = chooseObject(known) ?? {};
      const foreign = (name: string) => chosen[name] ?? chooseObject(values.get(name)) ?? choose(own[name], pick);
      const isOwn = pick % 8 !== 0;
      const paramFor = (name: string) => (isOwn ? choose(own[name], pick) : undefined) ?? foreign(name) ?? 'none';
      return Object.fromEntries(params.map((name) => [name, paramFor(name)]));
    },
    offer: (pick) => choose(offers, pick),
    value: (name, pick) => choose(values.get(name), pick),
    account: (pick, paymentAccountId) =>
      accounts.find((account) => account.paymentAccountId === paymentAccountId) ?? choose(accounts, pick),
    page: (pick) => choose(pages, pick),
  };
}

function* objectsIn(body: unknown): Generator<Readonly<Record<string, unknown>>> {
  const waiting: unknown[] = [body];
  for (let looked = 0; waiting.length > 0 && looked < LOOKED_AT; looked++) {
    const value = waiting.shift();
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) yield value as Readonly<Record<string, unknown>>;
    waiting.push(...Object.values(value).slice(0, LOOKED_AT));
  }
}

function keep<Value>(list: Value[], value: Value, most = KEPT): void {
  if (list.some((one) => one === value)) return;
  list.push(value);
  if (list.length > most) list.shift();
}

function listOf<Value>(lists: Map<string, Value[]>, name: string): Value[] {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  return list;
}

function choose<Value>(list: readonly Value[] | undefined, pick: number): Value | undefined {
  return list === undefined || list.length === 0 ? undefined : list[pick % list.length];
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
