import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { AssertionFailure, assert } from '../../kit/assert.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { equalDigests, keyedDigest, Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { AssociatedData, HeldKey, Key, KeyId, KeyPurpose, KeyRing, KnownKey, WriteKeys } from '../keys.types.ts';

/**
 * A sealed value, version 1. Each row has a data key of its own, so destroying the row destroys what opens it, and a
 * rotation wraps 32 bytes again instead of decrypting card data (PCI DSS 4.0.1, 3.5.1 and 3.7.4).
 *
 *     1 byte   version
 *     1 byte   length of the key id, n
 *     n bytes  id of the key that wraps the data key, ASCII
 *     60 bytes data key, AES-256-GCM under that key:     IV 12, tag 16, ciphertext 32
 *     rest     text in UTF-8, AES-256-GCM under the data key: IV 12, tag 16, ciphertext
 *
 * Both layers authenticate the version and where the value belongs; the outer one the key id as well. IVs are random: with 96 bits a
 * key may wrap 2^32 data keys (NIST SP 800-38D, 8.3).
 */
const VERSION = 1;
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const WRAPPED_BYTES = IV_BYTES + TAG_BYTES + KEY_BYTES;

/** What check values are derived for. A key that encrypts does nothing else, so no value is computed with itself. */
const CHECK_LABEL = 'kontor key check 2';
/** What check values were the HMAC of. No digest of ours is of this text: they begin with a payee's id. */
const EARLIER_CHECK_TEXT = 'kontor key check 1';

/** A key as the ring works with it. */
interface LoadedKey extends HeldKey {
  readonly keyObject: KeyObject;
}

/**
 * The ring of this process. It is empty until the first `refresh`.
 *
 * @param load reads and parses the ring; undefined where there is none
 */
export function createKeyRing(load: () => Promise<readonly Key[] | undefined>): KeyRing {
  return new LoadedKeyRing(load);
}

class LoadedKeyRing implements KeyRing {
  readonly #load: () => Promise<readonly Key[] | undefined>;
  readonly #trusted = new Set<KeyId>();
  #inUse: WriteKeys | undefined;
  /** The keys of the last load, and those of all loads. */
  #held: readonly HeldKey[] = [];
  readonly #keys = new Map<KeyId, LoadedKey>();
  /** The load under way, and the one that begins after it. */
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(load: () => Promise<readonly Key[] | undefined>) {
    this.#load = load;
  }

  refresh(): Promise<void> {
    // A load that has begun may have read the ring before the change that this caller has heard of: it gets the next.
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#running = this.#reload();
        return this.#running;
      });
    return this.#next;
  }

  /**
   * Keys that are no longer in the ring stay in memory until they are forgotten: an old copy that was put in its place by mistake must not
   * stop a service that runs. The next start finds it.
   */
  async #reload(): Promise<void> {
    const loaded = ((await this.#load()) ?? []).map(prepareKey);
    if (loaded.length === 0 && this.#held.length > 0) throw new Trouble('The key ring is gone. Put it back.');
    for (const key of loaded) {
      const before = this.#keys.get(key.id);
      if (before !== undefined && !equalDigests(before.checkValue, key.checkValue)) {
        throw new Trouble(`The key ring has another ${key.id} than before. Put the right ring back.`);
      }
    }
    for (const key of loaded) this.#keys.set(key.id, key);
    this.#held = loaded.map(withoutMaterial);
  }

  held(): readonly HeldKey[] {
    return this.#held;
  }

  holds(keyId: KeyId): boolean {
    return this.#keys.has(keyId);
  }

  forget(keyIds: readonly KeyId[]): void {
    for (const id of keyIds) this.#keys.delete(id);
  }

  check(key: Key): HeldKey {
    return withoutMaterial(prepareKey(key));
  }

  trust(known: readonly KnownKey[], inUse: WriteKeys): void {
    for (const { id } of known) this.#trusted.add(id);
    this.#inUse = inUse;
  }

  trusts(keyId: KeyId): boolean {
    return this.#trusted.has(keyId) && this.#keys.has(keyId);
  }

  current(purpose: KeyPurpose): KeyId {
    assert(this.#inUse !== undefined, `the database has named a current key for ${purpose}`);
    return this.#inUse.current[purpose];
  }

  live(purpose: KeyPurpose): readonly KeyId[] {
    assert(this.#inUse !== undefined, `the database has named a current key for ${purpose}`);
    return this.#inUse.live[purpose];
  }

  seal(keyId: KeyId, associatedData: AssociatedData, text: Secret): Buffer {
    const { keyObject } = this.#key(keyId, associatedData);
    const random = randomBytes(KEY_BYTES + 2 * IV_BYTES);
    const dataKey = random.subarray(0, KEY_BYTES);
    const ivs = random.subarray(KEY_BYTES);
    const wrapped = encrypt(keyObject, ivs.subarray(0, IV_BYTES), {
      content: dataKey,
      associatedData: keyData(keyId, associatedData),
    });
    const content = Buffer.from(text.reveal());
    const sealed = encrypt(dataKey, ivs.subarray(IV_BYTES), { content, associatedData: textData(associatedData) });
    dataKey.fill(0);
    return joinParts({ keyId, wrapped, sealed });
  }

  sealedWith(sealed: Buffer): KeyId | undefined {
    return splitParts(sealed)?.keyId;
  }

  open(associatedData: AssociatedData, sealed: Buffer): Secret {
    const parts = splitParts(sealed);
    if (parts === undefined) throw doesNotOpen(associatedData);
    const dataKey = this.#unwrap(associatedData, parts);
    const content = decrypt(dataKey, parts.sealed, textData(associatedData));
    dataKey.fill(0);
    if (content === undefined) throw doesNotOpen(associatedData);
    return new Secret(content.toString());
  }

  rewrap(keyId: KeyId, associatedData: AssociatedData, sealed: Buffer): Buffer {
    const parts = splitParts(sealed);
    if (parts === undefined) throw doesNotOpen(associatedData);
    const { keyObject } = this.#key(keyId, associatedData);
    const dataKey = this.#unwrap(associatedData, parts);
    const wrapped = encrypt(keyObject, randomBytes(IV_BYTES), {
      content: dataKey,
      associatedData: keyData(keyId, associatedData),
    });
    dataKey.fill(0);
    return joinParts({ keyId, wrapped, sealed: parts.sealed });
  }

  digest(keyId: KeyId, payeeId: PayeeId, text: Secret): Buffer {
    const key = this.#keys.get(keyId);
    assert(key !== undefined, `the key ring holds ${keyId}`);
    return keyedDigest(key.keyObject, `${payeeId}\0${text.reveal()}`);
  }

  digests(purpose: KeyPurpose, payeeId: PayeeId, text: Secret): readonly Buffer[] {
    return this.live(purpose).map((keyId) => this.digest(keyId, payeeId, text));
  }

  make(id: KeyId, purpose: KeyPurpose): Key {
    return { id, purpose, createdAt: new Date().toISOString(), material: new Secret(randomBytes(KEY_BYTES)) };
  }

  #key(keyId: KeyId, associatedData: AssociatedData): LoadedKey {
    const key = this.#keys.get(keyId);
    assert(key !== undefined, `the key ring holds ${keyId}`);
    assert(key.purpose === associatedData.purpose, `${keyId} is used for its own purpose only`);
    return key;
  }

  #unwrap(associatedData: AssociatedData, parts: SealedParts): Buffer {
    const { keyObject } = this.#key(parts.keyId, associatedData);
    const dataKey = decrypt(keyObject, parts.wrapped, keyData(parts.keyId, associatedData));
    if (dataKey === undefined) throw doesNotOpen(associatedData);
    return dataKey;
  }
}

/** Sets a key up for use, which spares that work for each card. */
function prepareKey({ id, purpose, material }: Key): LoadedKey {
  const keyObject = createSecretKey(material.reveal());
  const checkValue = Buffer.from(hkdfSync('sha256', keyObject, '', CHECK_LABEL, KEY_BYTES));
  return { id, purpose, keyObject, checkValue, earlierCheckValue: keyedDigest(keyObject, EARLIER_CHECK_TEXT) };
}

function withoutMaterial({ id, purpose, checkValue, earlierCheckValue }: LoadedKey): HeldKey {
  return { id, purpose, checkValue, earlierCheckValue };
}

interface SealedParts {
  readonly keyId: KeyId;
  /** The data key: IV, tag, ciphertext. */
  readonly wrapped: Buffer;
  /** The text: IV, tag, ciphertext. */
  readonly sealed: Buffer;
}

function joinParts({ keyId, wrapped, sealed }: SealedParts): Buffer {
  return Buffer.concat([Buffer.from([VERSION, keyId.length]), Buffer.from(keyId, 'latin1'), wrapped, sealed]);
}

function splitParts(bytes: Buffer): SealedParts | undefined {
  if (bytes.length < 2 || bytes[0] !== VERSION) return undefined;
  const wrappedAt = 2 + (bytes[1] ?? 0);
  const sealedAt = wrappedAt + WRAPPED_BYTES;
  if (bytes.length < sealedAt + IV_BYTES + TAG_BYTES) return undefined;
  const keyId = bytes.toString('latin1', 2, wrappedAt) as KeyId;
  return { keyId, wrapped: bytes.subarray(wrappedAt, sealedAt), sealed: bytes.subarray(sealedAt) };
}

/** What the text's encryption is bound to. No field holds the separator but perhaps the last, so none can shift. */
function textData({ purpose, payeeId, field, rowId }: AssociatedData): string {
  return `${VERSION}|${purpose}|${payeeId}|${field}|${rowId}`;
}

/** What the data key's encryption is bound to. It differs from every text's by its first word. */
function keyData(keyId: KeyId, associatedData: AssociatedData): string {
  return `key|${keyId}|${textData(associatedData)}`;
}

/** @returns IV, tag, ciphertext */
function encrypt(key: KeyObject | Buffer, iv: Buffer, bound: { content: Buffer; associatedData: string }): Buffer {
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(bound.associatedData));
  const ciphertext = cipher.update(bound.content);
  cipher.final();
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
}

/** Undefined where the bytes are not what was encrypted under this key with this associated data. */
function decrypt(key: KeyObject | Buffer, bytes: Buffer, associatedData: string): Buffer | undefined {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  decipher.setAAD(Buffer.from(associatedData));
  const content = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
  try {
    decipher.final();
    return content;
  } catch {
    return undefined;
  }
}

/** Says where, and nothing of what: the row has to be found, its content must not be told. */
function doesNotOpen({ field, rowId }: AssociatedData): AssertionFailure {
  return new AssertionFailure(`a sealed value opens in its place: ${field} of ${rowId}`);
}
