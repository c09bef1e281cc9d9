import type { Find, Transaction } from '../../db/transaction.types.ts';
import type { KeyRing } from '../../keys/keys.types.ts';
import { networkOf, ONE_SITE, ONE_SUBSCRIBER } from '../../kit/addresses/network.ts';
import { assert } from '../../kit/assert.ts';
import { groupBy } from '../../kit/group-by.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { FORGET_ROWS } from '../../kit/limits.ts';
import { Secret } from '../../kit/secret.ts';
import { deleteOldCounters, lockNames, selectCounters } from './guesses.store.ts';
import { closed, isClosed, isSpent, newCounter, pausedUntil } from './guessing.rules.ts';
import type {
  Closed,
  Counter,
  CounterKey,
  CounterKind,
  FoundCounter,
  GiftCardAsked,
  Places,
} from './guessing.types.ts';

/** Parts that a payee's entries are counted in, so that a shop with much to do does not wait for one row. */
const PAYEE_PARTS = 8;

/** An entry that is not judged yet. */
export type Asking = Pick<GiftCardAsked, 'order' | 'guesser'>;

/** What is counted for an entry, by where it is kept. */
export interface Counters {
  readonly now: string;
  readonly order: Counter;
  /** Of the subscriber's network, and of IPv6 the /48 around it; none where addresses are not told apart. */
  readonly networks: readonly Counter[];
  /** The part of the payee's that this order is counted in, and all of them; none where only the order's limits hold. */
  readonly payee: Counter | undefined;
  readonly payeeParts: readonly Counter[];
  readonly attack: Counter | undefined;
  /** Of the number, and of the payer with it; undefined where they were not asked for. */
  readonly card: Counter | undefined;
  readonly payer: Counter | undefined;
}

/**
 * The counters of an entry. Their subjects are digests under a key, because addresses and numbers are few enough to try.
 *
 * @param number undefined where no card is asked for
 */
export function placesOf(keyRing: KeyRing, { order, guesser }: Asking, number: string | undefined): Places {
  const { payeeId, orderId, terms } = order;
  const digest = (text: string) => keyRing.digest(keyRing.current('guesses'), payeeId, new Secret(`guess ${text}`));
  const key = (kind: CounterKind, text: string): CounterKey => ({ payeeId, kind, subject: digest(`${kind} ${text}`) });
  const ofOrder = key('order', orderId);
  const part = (ofOrder.subject[0] ?? 0) % PAYEE_PARTS;
  if (guesser.isFree) return { keys: [ofOrder], part };
  const parts = Array.from({ length: PAYEE_PARTS }, (_, index) => key('payee', String(index)));
  const { address } = guesser;
  return {
    keys: [
      ofOrder,
      ...networksOf(address).map((network) => key('address', network)),
      ...parts,
      key('attack', ''),
      ...(number === undefined ? [] : [key('card', number)]),
      ...(number === undefined || terms.payerReference === undefined
        ? []
        : [key('payer', `${terms.payerReference} ${number}`)]),
    ],
    part,
  };
}

/** The networks that an address is counted in, the smallest first. Of IPv4 there is one. */
function networksOf(address: string | undefined): string[] {
  if (address === undefined) return [];
  return [...new Set([networkOf(address, ONE_SUBSCRIBER), networkOf(address, ONE_SITE)])];
}

/** Counters that are of a card, and that are not looked at before an entry may be. */
const OF_A_CARD: readonly CounterKind[] = ['card', 'payer'];

/** What is counted of an order and of where its entries come from, without waiting for any lock. */
export async function readCounters(find: Find<CounterKey, FoundCounter>, { keys, part }: Places): Promise<Counters> {
  const own = keys.filter(({ kind }) => !OF_A_CARD.includes(kind));
  const found = await Promise.all(own.map(find));
  return countersOf({ keys: own, part }, (_, index) => found[index]);
}

/**
 * What entries of one transaction count: each sees what those before it have counted. It is alone with all that they count,
 * numbers too, to the end of the transaction.
 */
export class CounterBook {
  readonly #found = new Map<string, FoundCounter>();
  readonly #changed = new Map<string, { readonly payeeId: PayeeId; readonly counter: Counter }>();

  constructor(keys: readonly CounterKey[], found: readonly FoundCounter[]) {
    assert(found.length === keys.length, 'every counter is answered for');
    keys.forEach((key, index) => {
      const row = found[index];
      if (row !== undefined) this.#found.set(nameOf(key), row);
    });
  }

  /** When it was read. */
  get now(): string {
    const [first] = this.#found.values();
    return first?.now ?? '';
  }

  /** The counters of an entry. */
  of(places: Places): Counters {
    return countersOf(places, (key) => this.#found.get(nameOf(key)));
  }

  /** Notes what an entry has counted. */
  note(payeeId: PayeeId, { now }: Pick<Counters, 'now'>, counted: readonly Counter[]): void {
    for (const counter of counted) {
      this.#found.set(nameOf(counter), { ...counter, now });
      this.#changed.set(nameOf(counter), { payeeId, counter });
    }
  }

  /** All that was counted, by payee, in one order for all transactions. */
  changed(): ReadonlyMap<PayeeId, readonly Counter[]> {
    const inOrder = [...this.#changed].sort(([one], [other]) => (one < other ? -1 : 1));
    const byPayee = groupBy(inOrder, ([, { payeeId }]) => payeeId);
    const sorted = [...byPayee].sort(([one], [other]) => (one < other ? -1 : 1));
    return new Map(sorted.map(([payeeId, all]) => [payeeId, all.map(([, { counter }]) => counter)]));
  }
}

/** Subjects are digests of payee and kind too. */
const nameOf = ({ subject }: Pick<CounterKey, 'subject'>): string => subject.toString('hex');

/** Locks and reads all that entries count. */
export async function lockCounters(transaction: Transaction, entries: readonly Places[]): Promise<CounterBook> {
  // In one order for all, those that most entries share last.
  const [most, last] = [new Set<string>(), new Set<string>()];
  const keys = new Map<string, CounterKey>();
  for (const { keys: own, part } of entries) {
    const ofPayee = own.filter(({ kind }) => kind === 'payee')[part];
    if (ofPayee !== undefined) last.add(nameOf(ofPayee));
    for (const key of own) {
      keys.set(nameOf(key), key);
      if (key.kind !== 'payee' && key.kind !== 'attack') most.add(nameOf(key));
    }
  }
  const named = [...keys.values()];
  // The read travels behind the locks, and sees what they have waited for.
  const [, found] = await Promise.all([
    lockNames(transaction, [...[...most].sort(), ...[...last].sort()]),
    selectCounters(transaction.run.bind(transaction), named),
  ]);
  return new CounterBook(named, found);
}

function countersOf(
  { keys, part }: Places,
  find: (key: CounterKey, index: number) => FoundCounter | undefined,
): Counters {
  const found = keys.map(find);
  const [first] = found;
  assert(first !== undefined, 'every counter is answered for');
  const all = keys.map((key, index) => {
    const row = found[index];
    return row === undefined || row.kind === null ? newCounter(key) : row;
  });
  const of = (kind: CounterKind) => all.find((counter) => counter.kind === kind);
  const order = of('order');
  assert(order !== undefined, 'an order is always counted');
  const payeeParts = all.filter(({ kind }) => kind === 'payee');
  return {
    now: first.now,
    order,
    networks: all.filter(({ kind }) => kind === 'address'),
    payee: payeeParts[part],
    payeeParts,
    attack: of('attack'),
    card: of('card'),
    payer: of('payer'),
  };
}

/** Whether no other entry has noticed an attack meanwhile: others wait for this one to the end of its transaction. */
export async function isFirst(transaction: Transaction, { keys }: Places): Promise<boolean> {
  const attack = keys.filter(({ kind }) => kind === 'attack');
  await lockNames(
    transaction,
    attack.map(({ subject }) => subject.toString('hex')),
  );
  const found = await selectCounters(transaction.run.bind(transaction), attack);
  return found.every((row) => row.kind === null || !isClosed(row, row.now));
}

/** Why an entry is not looked at; undefined where it is. */
export function closedBy({ now, order, networks, attack }: Counters): Closed | undefined {
  if (isSpent(order)) return closed(undefined, now);
  const shut = networks.find((network) => isClosed(network, now));
  if (shut !== undefined) return closed(shut.closedUntil ?? undefined, now);
  if (attack === undefined || !isClosed(attack, now)) return undefined;
  const [network] = networks;
  const paused = network && pausedUntil(network, now);
  return paused === undefined ? undefined : closed(paused, now);
}

/** Deletes counters that say nothing any more, and answers whether there may be more. */
export async function forgetGuesses(transaction: Transaction): Promise<boolean> {
  return (await deleteOldCounters(transaction, FORGET_ROWS)) === FORGET_ROWS;
}
