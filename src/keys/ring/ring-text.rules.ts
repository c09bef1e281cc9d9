import { Secret } from '../../kit/secret.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { keyNumber } from '../key-id.rules.ts';
import type { Key, KeyId, KeyPurpose } from '../keys.types.ts';

const FORMAT = 1;
const KEY_BYTES = 32;

interface PrintedKey {
  readonly id: string;
  readonly purpose: string;
  readonly createdAt: string;
  /** Base64. */
  readonly material: string;
}

/** The ring as text: JSON with the keys in the clear, so the text is as secret as they are. */
export function printRing(keys: readonly Key[]): Secret {
  const printed = keys.map(({ id, purpose, createdAt, material }): PrintedKey => {
    return { id, purpose, createdAt, material: material.reveal().toString('base64') };
  });
  return new Secret(`${JSON.stringify({ format: FORMAT, keys: printed }, null, 2)}\n`);
}

/**
 * The keys of a ring's text.
 *
 * @param location where the text comes from, for the message
 * @throws Trouble that names the place and the key where the text is no ring; never what it holds
 */
export function parseRing(text: Secret, location: string): readonly Key[] {
  const ring = parseJson(text);
  const keys = isObject(ring) ? ring['keys'] : undefined;
  if (!isObject(ring) || !Array.isArray(keys)) throw new Trouble(`${location} is not a key ring.`);
  if (ring['format'] !== FORMAT) throw new Trouble(`${location} is a key ring of another version of Kontor.`);
  const parsed = keys.map((key: unknown, index) => {
    const good = parseKey(key);
    if (good === undefined) throw new Trouble(`${location}: entry ${index + 1} is not a key.`);
    return good;
  });
  if (new Set(parsed.map((key) => key.id)).size < parsed.length) throw new Trouble(`${location} holds a key twice.`);
  return parsed;
}

function parseKey(key: unknown): Key | undefined {
  if (!isObject(key)) return undefined;
  const { id, purpose: name, createdAt, material } = key as Partial<Record<keyof PrintedKey, unknown>>;
  if (typeof id !== 'string' || typeof name !== 'string') return undefined;
  if (typeof createdAt !== 'string' || typeof material !== 'string') return undefined;
  // A purpose that only a newer version knows passes: an older one beside it must neither stop nor lose the key.
  const purpose = name as KeyPurpose;
  if (keyNumber(purpose, id) === undefined) return undefined;
  const bytes = Buffer.from(material, 'base64');
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== material) return undefined;
  return { id: id as KeyId, purpose, createdAt, material: new Secret(bytes) };
}

function parseJson(text: Secret): unknown {
  try {
    return JSON.parse(text.reveal());
  } catch {
    // The parser's message quotes the text.
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
