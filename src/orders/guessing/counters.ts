import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { KeyRing } from '../../keys/keys.types.ts';
import { assert } from '../../kit/assert.ts';
import { FORGET_ROWS } from '../../kit/limits.ts';
import { networkOf } from '../../kit/network.ts';
import { Secret, sha256 } from '../../kit/secret.ts';
import { type CounterKey, deleteOldCounters, lockNames, selectCounters } from './guesses.store.ts';
import { closed, isClosed, isSpent, newCounter } from './guessing.rules.ts';
import type { Closed, Counter, CounterKind, GiftCardAsked } from './guessing.types.ts';

/** Parts that a payee's entries are counted in, so that a shop with much to do does not wait for one row. */
const PAYEE_PARTS = 8;
/** First bits of a digest that a proof of work has to make 0, of two bytes. */
const PROOF_BYTES = 2;
/** Characters of a proof: a number that a script counts up. */
const PROOF_CHARACTERS = 20;

/** An entry that is not judged yet. */
export type Asking = Pick<GiftCardAsked, 'order' | 'guesser'>;

/** What is counted for an entry, by where it is kept. */
export interface Counters {
  readonly now: string;
  readonly order: Counter;
  /** Undefined where addresses are not told apart. */
  readonly address: Counter | undefined;
  /** The part of the payee's that this order is counted in, and all of them; none where only the order's limits hold. */
  readonly payee: Counter | undefined;
  readonly payeeParts: readonly Counter[];
  readonly attack: Counter | undefined;
  /** Of the number, and of the payer with it; undefined where they were not asked for. */
  readonly card: Counter | undefined;
  readonly payer: Counter | undefined;
}

interface Places {
  readonly keys: readonly CounterKey[];
  readonly part: number;
}

/** What the subjects of counters are digests of: kept under a key, because addresses and numbers are few enough to try. */
function placesOf(keyRing: KeyRing, { order, guesser }: Asking, number: string | undefined): Places {
  const { payeeId, orderId, terms } = order;
  const digest = (text: string) => keyRing.digest(keyRing.current('identity'), payeeId, new Secret(`guess ${text}`));
  const key = (kind: CounterKind, text: string): CounterKey => ({ payeeId, kind, subject: digest(`${kind} ${text}`) });
  const ofOrder = key('order', orderId);
  const part = (ofOrder.subject[0] ?? 0) % PAYEE_PARTS;
  if (guesser.isFree) return { keys: [ofOrder], part };
  const parts = Array.from({ length: PAYEE_PARTS }, (_, index) => key('payee', String(index)));
  const { address } = guesser;
  return {
    keys: [
      ofOrder,
      ...(address === undefined ? [] : [key('address', networkOf(address))]),
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

/** What is counted of an order and of where its entries come from, without waiting for any lock. */
export async function readCounters(run: Read, keyRing: KeyRing, asking: Asking): Promise<Counters> {
  const places = placesOf(keyRing, asking, undefined);
  return countersOf(places, await selectCounters(run, places.keys));
}

/** The same with what is counted of a number, alone with all of it to the end of the transaction. */
export async function lockCounters(
  transaction: Transaction,
  keyRing: KeyRing,
  asked: GiftCardAsked,
): Promise<Counters> {
  const places = placesOf(keyRing, asked, asked.entry.number);
  const ofPayee = places.keys.filter(({ kind }) => kind === 'payee')[places.part];
  // In one order for all, the one that most entries share last.
  const locked = places.keys.filter(({ kind }) => kind !== 'payee' && kind !== 'attack');
  const names = locked.map(({ subject }) => subject.toString('hex')).sort();
  if (ofPayee !== undefined) names.push(ofPayee.subject.toString('hex'));
  await lockNames(transaction, names);
  return countersOf(places, await selectCounters(transaction.run.bind(transaction), places.keys));
}

function countersOf({ keys, part }: Places, found: Awaited<ReturnType<typeof selectCounters>>): Counters {
  const [first] = found;
  assert(first !== undefined && found.length === keys.length, 'every counter is answered for');
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
    address: of('address'),
    payee: payeeParts[part],
    payeeParts,
    attack: of('attack'),
    card: of('card'),
    payer: of('payer'),
  };
}

/** Whether no other entry has noticed an attack meanwhile: others wait for this one to the end of its transaction. */
export async function isFirst(transaction: Transaction, keyRing: KeyRing, asking: Asking): Promise<boolean> {
  const attack = placesOf(keyRing, asking, undefined).keys.filter(({ kind }) => kind === 'attack');
  await lockNames(
    transaction,
    attack.map(({ subject }) => subject.toString('hex')),
  );
  const found = await selectCounters(transaction.run.bind(transaction), attack);
  return found.every((row) => row.kind === null || !isClosed(row, row.now));
}

/** Why an entry is not looked at; undefined where it is. */
export function closedBy(keyRing: KeyRing, { order, guesser }: Asking, counters: Counters): Closed | undefined {
  const { now, address, attack } = counters;
  if (isSpent(counters.order)) return closed(undefined, now);
  if (address !== undefined && isClosed(address, now)) return closed(address.closedUntil ?? undefined, now);
  if (attack === undefined || !isClosed(attack, now)) return undefined;
  const nonce = nonceOf(keyRing, order, counters.order.entries);
  return hasProof(nonce, guesser.proof) ? undefined : { ...closed(undefined, now), nonce };
}

/** What a script works on before the next entry of an order: another one for each, so that no proof is good for two. */
function nonceOf(keyRing: KeyRing, { payeeId, orderId }: Asking['order'], entries: number): string {
  const text = new Secret(`guess proof ${orderId} ${entries}`);
  return keyRing.digest(keyRing.current('identity'), payeeId, text).toString('base64url');
}

/** Whether a proof of work is one: SHA-256 over nonce, dot and proof begins with 16 bits that are 0. */
export function hasProof(nonce: string, proof: string | undefined): boolean {
  if (proof === undefined || proof.length > PROOF_CHARACTERS) return false;
  return sha256(`${nonce}.${proof}`)
    .subarray(0, PROOF_BYTES)
    .every((byte) => byte === 0);
}

/** Deletes counters that say nothing any more, and answers whether there may be more. */
export async function forgetGuesses(transaction: Transaction): Promise<boolean> {
  return (await deleteOldCounters(transaction, FORGET_ROWS)) === FORGET_ROWS;
}
