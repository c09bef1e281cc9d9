import { overRows } from '../../db/rows/over-rows.ts';
import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { KeyChange, KeyId } from '../../keys/keys.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { KEY_COUNT_ROWS } from '../../kit/limits.ts';

/** A column with what is known of payers, sealed, and the one beside it that names its key. */
export interface SealedColumn {
  /** Of the statements. */
  readonly name: string;
  readonly table: string;
  readonly id: string;
  readonly sealed: string;
  readonly sealedWith: string;
}

/** A value of it that has not ended. */
export interface SealedRow {
  readonly payeeId: PayeeId;
  readonly rowId: string;
  readonly sealed: Buffer;
}

/** The statements by which values come under another key. */
export function sealedColumnStatements({ name, table, id, sealed, sealedWith }: SealedColumn) {
  const update = overRows<SealedRow, [from: KeyId, to: KeyId]>({
    name: `${name}-update-sealed`,
    beside: 2,
    columns: { row_id: ['uuid', 'rowId'], sealed: ['bytea', 'sealed'] },
    text: ({ payee, rows }) => `
      update ${table} t set ${sealed} = v.sealed, ${sealedWith} = $2
      from ${rows}
      where t.payee_id = ${payee} and t.${id} = v.row_id and t.${sealedWith} = $1`,
  });
  return {
    /** How many rows a key has sealed, up to a limit. */
    async count(transaction: Transaction, keyId: KeyId): Promise<number> {
      const { rows } = await transaction.run<{ count: number }>(
        {
          name: `${name}-count-sealed-with`,
          text: `select count(*) as count from (select from ${table} where ${sealedWith} = $1 limit $2) counted`,
        },
        [keyId, KEY_COUNT_ROWS],
      );
      return rows[0]?.count ?? 0;
    },
    /** Locks some rows that use a key, of those that no transaction has locked. */
    lock(transaction: Transaction, keyId: KeyId, limit: number): Promise<Rows<SealedRow>> {
      return transaction.run<SealedRow>(
        {
          name: `${name}-lock-sealed-with`,
          text: `
            select payee_id as "payeeId", ${id} as "rowId", ${sealed} as sealed
            from ${table}
            where ${sealedWith} = $1
            limit $2
            for no key update skip locked`,
        },
        [keyId, limit],
      );
    },
    /** Stores values that were wrapped anew. */
    async update(transaction: Transaction, rows: readonly SealedRow[], { from, to }: KeyChange): Promise<number> {
      const { count } = await transaction.run(update, update.values(rows, from, to));
      return count;
    },
  };
}
