import type { KeyId, KeyPurpose } from './keys.types.ts';

const KEY_ID = /^([a-z]+(?:-[a-z]+)*)-([1-9]\d{0,5})$/;

/** A key's id from its purpose and its number, which counts from 1. */
export function keyId(purpose: KeyPurpose, number: number): KeyId {
  return `${purpose}-${number}` as KeyId;
}

/** The number in a key's id; undefined where the text is no id of a key of this purpose. */
export function keyNumber(purpose: KeyPurpose, id: string): number | undefined {
  const [, name, digits] = KEY_ID.exec(id) ?? [];
  return name === purpose ? Number(digits) : undefined;
}

/** The id after all of these: a number is never given twice, not even that of a destroyed key. */
export function nextKeyId(purpose: KeyPurpose, ids: readonly KeyId[]): KeyId {
  return keyId(purpose, Math.max(0, ...ids.map((id) => keyNumber(purpose, id) ?? 0)) + 1);
}

/** Keys of one purpose with the newest first. */
export function newestFirst(
  a: { readonly id: KeyId; readonly purpose: KeyPurpose },
  b: { readonly id: KeyId },
): number {
  return (keyNumber(a.purpose, b.id) ?? 0) - (keyNumber(a.purpose, a.id) ?? 0);
}
