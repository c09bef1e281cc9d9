import { assert } from '../../kit/assert.ts';
import { equalDigests } from '../../kit/secret.ts';
import { keyNumber, newestFirst, nextKeyId } from '../key-id.rules.ts';
import type { HeldKey, Key, KeyId, KeyPurpose, KnownKey, WriteKeys } from '../keys.types.ts';

/** How a ring and what the database knows fit together. */
export interface RingFit {
  /** Keys that the database was written with and the ring lacks. */
  readonly missing: readonly KnownKey[];
  /** Keys that the ring has under this id, but with other material. */
  readonly altered: readonly KnownKey[];
  /** Keys of the ring that become the first of their purpose in the database. */
  readonly toRegister: readonly HeldKey[];
  /** Purposes of which neither knows a key. */
  readonly toMake: readonly KeyPurpose[];
}

/**
 * Compares a ring with what the database knows. Keys that only the ring has are no fault: they were prepared for a
 * rotation, or are of a purpose that the database is about to use.
 *
 * @param held the keys of the ring; none where there is no ring
 */
export function fitRing(known: readonly KnownKey[], held: readonly HeldKey[]): RingFit {
  const wanted = known.filter((key) => key.state !== 'Destroyed');
  const unknown = KEY_PURPOSES.filter((purpose) => !known.some((key) => key.purpose === purpose));
  const newest = unknown.map((purpose) => held.filter((key) => key.purpose === purpose).sort(newestFirst)[0]);
  return {
    missing: wanted.filter((key) => !held.some((other) => other.id === key.id)),
    altered: wanted.filter((key) => held.some((other) => other.id === key.id && !isSame(key, other))),
    toRegister: newest.filter((key) => key !== undefined),
    toMake: unknown.filter((_purpose, index) => newest[index] === undefined),
  };
}

/** The ring has every key that is wanted, and there is none to add. */
export function needsNothing({ missing, altered, toRegister, toMake }: RingFit): boolean {
  return missing.length + altered.length + toRegister.length + toMake.length === 0;
}

function isSame({ checkValue }: KnownKey, held: HeldKey): boolean {
  return equalDigests(checkValue, held.checkValue) || equalDigests(checkValue, held.earlierCheckValue);
}

/** The key that was added to the ring for the next rotation and that the database does not know yet. */
export function preparedKey(
  purpose: KeyPurpose,
  known: readonly KnownKey[],
  held: readonly HeldKey[],
): HeldKey | undefined {
  const last = known.filter((key) => key.purpose === purpose).sort(newestFirst)[0];
  const lastNumber = last === undefined ? 0 : (keyNumber(purpose, last.id) ?? 0);
  return held
    .filter((key) => key.purpose === purpose && (keyNumber(purpose, key.id) ?? 0) > lastNumber)
    .sort(newestFirst)[0];
}

/** What the operator is told where ring and database do not fit; undefined where they do. */
export function describeMisfit(fit: RingFit, location: string, hasRing: boolean): string | undefined {
  if (fit.missing.length === 0 && fit.altered.length === 0) return undefined;
  const lines = ['The key ring does not fit this database, so what is stored in it could not be read.'];
  lines.push(`  looked for in: ${location}${hasRing ? '' : ' (there is nothing there)'}`);
  for (const { id, purpose } of fit.missing) lines.push(`  wanted, and missing: ${id} (${purpose})`);
  for (const { id, purpose } of fit.altered)
    lines.push(`  wanted, but the ring has another key of that name: ${id} (${purpose})`);
  lines.push(
    'Put the ring back that belongs to this database: copy the file, or run `kontor keys import FILE` with an export.',
    'No new ring is made beside a database that knows keys.',
  );
  return lines.join('\n');
}

/** The keys to write with, out of what the database knows. */
export function writeKeys(known: readonly KnownKey[]): WriteKeys {
  const current: Partial<WriteKeys['current']> = {};
  const live: Partial<WriteKeys['live']> = {};
  const inUse = known.filter(({ state }) => state === 'Current' || state === 'Previous');
  const shared = inUse.find(({ id }) => id === SHARED_KEY);
  for (const purpose of KEY_PURPOSES) {
    const own = inUse.filter((key) => key.purpose === purpose).sort(newestFirst);
    // The current key is the newest, because numbers count up and only the newest is ever made current.
    assert(own[0]?.state === 'Current', `the newest live key for ${purpose} is the current one`);
    const keys = shared === undefined || !WAS_SHARED.includes(purpose) ? own : withShared(own, shared);
    Object.assign(current, { [purpose]: keys[0]?.id });
    Object.assign(live, { [purpose]: keys.map((key) => key.id) });
  }
  return { current, live } as WriteKeys;
}

/** While the shared key is current, instances of older versions may run, which know no other: all write with it. */
function withShared(own: readonly KnownKey[], shared: KnownKey): readonly KnownKey[] {
  return shared.state === 'Current' ? [shared, ...own] : [...own, shared];
}

/** Two rings as one. */
export interface MergedRing {
  readonly merged: readonly Key[];
  /** Keys that only the second ring had. */
  readonly added: readonly KeyId[];
  /** Keys that both have under one name with different material: the rings must not be merged. */
  readonly conflicting: readonly KeyId[];
}

/** Adds to a ring the keys that it lacks and another one has. */
export function mergeRings(present: readonly Key[], other: readonly Key[]): MergedRing {
  const both = (key: Key): Key | undefined => present.find((candidate) => candidate.id === key.id);
  const added = other.filter((key) => both(key) === undefined);
  const conflicting = other.filter((key) => {
    const twin = both(key);
    return twin !== undefined && !equalDigests(twin.material.reveal(), key.material.reveal());
  });
  return {
    merged: [...present, ...added],
    added: added.map((key) => key.id),
    conflicting: conflicting.map((key) => key.id),
  };
}

/**
 * Every purpose there is. A later slice that needs a key of its own adds it here and in `KeyPurpose`; the next start
 * then adds the key to an existing ring.
 */
export const KEY_PURPOSES = Object.keys({
  // Digests the numbers of payment accounts.
  'account-numbers': true,
  // Wraps the data keys of stored card and account numbers.
  'card-data': true,
  // Digests the numbers of cards that were charged, to count declines and to keep blocks.
  'card-history': true,
  // Computes the verification codes of our own cards, which are never stored.
  'card-verification': true,
  // Digests card and account numbers, so that an equal one is found.
  fingerprint: true,
  // Digests what entries of gift cards are counted by.
  guesses: true,
  // Digests what the audit trail names only by a digest.
  identity: true,
  // Digests networks that callers, payers and users come from.
  networks: true,
  // Makes the links of payment pages.
  'page-links': true,
  // Digests the addresses that portal users sign in with.
  'portal-users': true,
  // Wraps the data keys of secrets that must be computed with, such as HMAC keys.
  secrets: true,
  // Digests what makes a line of an import the same token as before.
  'token-lines': true,
} satisfies Record<KeyPurpose, true>) as KeyPurpose[];

/** The one key that did all of these until each got its own. Only installations from before have it. */
export const SHARED_KEY = 'identity-1' as KeyId;
export const WAS_SHARED: readonly KeyPurpose[] = [
  'account-numbers',
  'card-history',
  'guesses',
  'networks',
  'page-links',
  'portal-users',
  'token-lines',
];

/** The first key of a purpose. That of `identity` has the number behind the shared key's. */
export function firstKeyId(purpose: KeyPurpose): KeyId {
  return nextKeyId(purpose, purpose === 'identity' ? [SHARED_KEY] : []);
}
