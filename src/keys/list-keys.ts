import type { Transaction } from '../db/transaction.types.ts';
import { selectKeys } from './keys.store.ts';
import type { KeyId, KeyPurpose, KeyState, KeyStorage } from './keys.types.ts';

/** A key as the operator sees it. */
export interface ListedKey {
  readonly id: KeyId;
  readonly purpose: KeyPurpose;
  /** `Prepared`: in the ring, not yet in use. */
  readonly state: KeyState | 'Prepared';
  /** Whether the ring holds it. */
  readonly isHeld: boolean;
}

/** All keys that the database or the ring knows, without what is in them. */
export async function listKeys(transaction: Transaction, { keyRing }: KeyStorage): Promise<readonly ListedKey[]> {
  const known = await selectKeys(transaction);
  await keyRing.refresh();
  const held = keyRing.held();
  const isHeld = (id: KeyId) => held.some((key) => key.id === id);
  const prepared = held.filter((key) => !known.some((other) => other.id === key.id));
  return [
    ...known.map(({ id, purpose, state }) => ({ id, purpose, state, isHeld: isHeld(id) })),
    ...prepared.map(({ id, purpose }) => ({ id, purpose, state: 'Prepared' as const, isHeld: true })),
  ];
}
