import type { Rows, Transaction } from '../db/transaction.types.ts';
import { assert } from '../kit/assert.ts';
import { KEY_MOVE_ROWS } from '../kit/limits.ts';
import type { AssociatedData, KeyChange, KeyId, KeyUse } from './keys.types.ts';

/** The statements of a table whose rows have one sealed value, and what each value is bound to. */
export interface SealedRows<Row extends { readonly sealed: Buffer }> {
  readonly purpose: KeyUse['purpose'];
  readonly count: KeyUse['count'];
  /** Locks some rows that are sealed with the key, without those that others have locked. */
  lock(transaction: Transaction, keyId: KeyId, limit: number): Promise<Rows<Row>>;
  /** Writes the values anew, and answers how many rows were still sealed with the old key. */
  update(transaction: Transaction, rows: readonly NoInfer<Row>[], change: KeyChange): Promise<number>;
  associatedDataOf(row: NoInfer<Row>): AssociatedData;
}

/** How the rows of a table come to be sealed with another key of the ring when that is rotated. They are not decrypted. */
export function resealing<Row extends { readonly sealed: Buffer }>(table: SealedRows<Row>): KeyUse {
  return {
    purpose: table.purpose,
    count: table.count,
    async move(transaction, keyRing, change) {
      const { rows } = await table.lock(transaction, change.from, KEY_MOVE_ROWS);
      const resealed = rows.map((row) => ({
        ...row,
        sealed: keyRing.rewrap(change.to, table.associatedDataOf(row), row.sealed),
      }));
      const moved = await table.update(transaction, resealed, change);
      assert(moved === rows.length, 'a locked value is still sealed with the old key');
      return moved;
    },
  };
}
