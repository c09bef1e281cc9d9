import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';

/** The kinds of credentials that end, as events and the audit trail call them. */
export const ENDING_KINDS = ['access-token', 'hmac-key', 'oauth-client'] as const;
export type EndingKind = (typeof ENDING_KINDS)[number];

/** A credential that people made, and that ends soon. */
export interface EndingCredential {
  readonly payeeId: PayeeId;
  readonly kind: EndingKind;
  readonly id: string;
  readonly expiresAt: string;
}

const TABLES: Readonly<Record<EndingKind, { readonly table: string; readonly id: string; readonly made: string }>> = {
  'access-token': {
    table: 'access_token',
    id: 'access_token_id',
    made: 'oauth_client_id is null and portal_session_id is null',
  },
  'hmac-key': { table: 'hmac_key', id: 'key_id', made: 'portal_session_id is null and rotated_at is null' },
  'oauth-client': { table: 'oauth_client', id: 'client_id', made: 'true' },
};

/** Credentials of a kind that are valid, were made for longer than so many days, and end within these. */
const endingOf = (kind: EndingKind) => {
  const { table, id, made } = TABLES[kind];
  return `
    select payee_id, ${id}::text as id, expires_at
    from ${table}
    where ${made} and revoked_at is null
      and expires_at > (select kontor_now()) and expires_at <= (select kontor_now()) + make_interval(days => $1::integer)
      and expires_at > created_at + make_interval(days => $1::integer)`;
};

/** All that end within so many days, the soonest first. */
export function selectEnding(transaction: Transaction, days: number): Promise<Rows<EndingCredential>> {
  return transaction.run<EndingCredential>(
    {
      name: 'merchants-select-ending',
      text: `
        select payee_id as "payeeId", kind, id, expires_at as "expiresAt"
        from (
          ${ENDING_KINDS.map((kind) => `select '${kind}' as kind, ending.* from (${endingOf(kind)}) ending`).join('\n union all ')}
        ) ending
        order by expires_at, id`,
    },
    [days],
  );
}

/**
 * Locks credentials of a kind that end within so many days. Those that another instance has locked are left out: it tells of
 * them at this moment.
 */
export function lockEnding(
  transaction: Transaction,
  kind: EndingKind,
  days: number,
): Promise<Rows<Omit<EndingCredential, 'kind'> & { readonly at: string }>> {
  return transaction.run(
    {
      name: `merchants-lock-ending-${kind}`,
      text: `
        select payee_id as "payeeId", id, expires_at as "expiresAt", kontor_now() as at
        from (${endingOf(kind)} for no key update skip locked) ending`,
    },
    [days],
  );
}

/** Those of these that an event tells of. Asked once they are locked: another instance may have told of them just before. */
export async function selectTold(
  transaction: Transaction,
  kind: EndingKind,
  ending: readonly Omit<EndingCredential, 'kind'>[],
): Promise<ReadonlySet<string>> {
  const { rows } = await transaction.run<{ id: string }>(
    {
      name: 'merchants-select-told-of-ending',
      text: `
        select resource_id as id from event
        where (payee_id, resource_id) in (select * from unnest($1::uuid[], $2::text[])) and resource_kind = $3::text`,
    },
    [ending.map(({ payeeId }) => payeeId), ending.map(({ id }) => id), kind],
  );
  return new Set(rows.map(({ id }) => id));
}
