import type { Read, Rows, Transaction } from '../db/transaction.types.ts';

/** A list as a user wants to see it again: a page, and what it was cut down to. */
export interface View {
  readonly viewId: string;
  readonly name: string;
  readonly page: 'payments' | 'calls' | 'movements' | 'gift-cards';
  /** Of the page's address, without the question mark. */
  readonly query: string;
  readonly createdAt: string;
}

/** Whose views: those of one user on one payee's pages. */
export interface ViewOwner {
  readonly payeeId: string;
  readonly userId: string;
}

const COLUMNS = 'view_id as "viewId", name, page, query, created_at as "createdAt"';

/** The views of a user, oldest first. */
export async function selectViews(read: Read, { payeeId, userId }: ViewOwner): Promise<readonly View[]> {
  const { rows } = await read<View>(
    {
      name: 'portal-select-views',
      text: `
        select ${COLUMNS} from portal_view where payee_id = $1::uuid and user_id = $2::uuid order by view_id`,
    },
    [payeeId, userId],
  );
  return rows;
}

/** Adds a view, unless the user has as many as there may be: then no row comes back. */
export function insertView(
  transaction: Transaction,
  { payeeId, userId }: ViewOwner,
  { viewId, name, page, query, most }: Omit<View, 'createdAt'> & { readonly most: number },
): Promise<Rows<View>> {
  return transaction.run<View>(
    {
      name: 'portal-insert-view',
      text: `
        insert into portal_view (payee_id, user_id, view_id, name, page, query)
        select $1::uuid, $2::uuid, $3::uuid, $4::text, $5::text, $6::text
        where (select count(*) from portal_view where payee_id = $1::uuid and user_id = $2::uuid) < $7::integer
        returning ${COLUMNS}`,
    },
    [payeeId, userId, viewId, name, page, query, most],
  );
}

/** Deletes a view; how many. */
export async function deleteView(
  transaction: Transaction,
  { payeeId, userId }: ViewOwner,
  viewId: string,
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'portal-delete-view',
      text: 'delete from portal_view where payee_id = $1::uuid and user_id = $2::uuid and view_id = $3::uuid',
    },
    [payeeId, userId, viewId],
  );
  return count;
}
