import type { GuardedCall } from '../../db/batch/batch.types.ts';
import { overRows } from '../../db/rows/over-rows.ts';
import { updateRows } from '../../db/rows/tables.ts';
import type { Read, Rows, Transaction } from '../../db/transaction.types.ts';
import type { Change } from '../../kit/change.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { ACCOUNT } from '../../ledger/ledger.tables.ts';
import type { AccountKey, ShelfKey } from '../../ledger/ledger.types.ts';
import { GIFT_CARD_TURNOVER } from '../accounts.tables.ts';
import type { ReachedLimit, Turnover, ValueLimit } from './turnover.types.ts';

const scopesOf = (payee: string) => `
  select array_agg(distinct scope order by scope) as scopes from gift_card_limit
  where payee_id = ${payee} and product_id = g.product_id and amount is not null`;

/** Gift cards whose products have limits. */
export const FIND_LIMITED_CARDS = overRows<AccountKey>({
  name: 'accounts-find-limited-cards',
  columns: ACCOUNT.key,
  text: ({ payee, places }) => `
    select v.position::int, g.product_id as "productId", g.payer_reference as "payerReference", l.scopes
    from ${places}
    cross join lateral (
      select product_id, payer_reference from gift_card
      where payee_id = ${payee} and account_id = v.account_id
      limit 1
    ) g
    cross join lateral (${scopesOf(payee)}) l
    where l.scopes is not null`,
});

/** What the id of a sum on its shelf names: `turnoverId` writes it. */
const NAMED = `
  split_part(v.id, '/', 2) as product_id, split_part(v.id, '/', 3) as scope,
  substring(v.id from '^[^/]*/[^/]*/[^/]*/(.*)$') as subject`;

const BEGINS = (payeeId: string) => `
  select date_trunc('day', kontor_now() at time zone time_zone) at time zone time_zone as day_begins,
    date_trunc('month', kontor_now() at time zone time_zone) at time zone time_zone as month_begins
  from payee where payee_id = ${payeeId} limit 1`;

const SHOWN = `
  jsonb_build_object(
    'LoadedDay', case when t.day_began_at = d.day_begins then t.loaded_of_day else 0 end,
    'SpentDay', case when t.day_began_at = d.day_begins then t.spent_of_day else 0 end,
    'LoadedMonth', case when t.month_began_at = d.month_begins then t.loaded_of_month else 0 end,
    'SpentMonth', case when t.month_began_at = d.month_begins then t.spent_of_month else 0 end
  ) as sums`;

const LIMITS = (of: string) => `
  coalesce((
    select jsonb_object_agg(flow || period, amount) from gift_card_limit
    where payee_id = ${of}.payee_id and product_id = ${of}.product_id and scope = ${of}.scope and amount is not null
  ), '{}') as limits`;

/**
 * Locks sums until the transaction ends, in a fixed order and behind the accounts', and reads them as they are on this day. One that
 * is not there yet is made: two who count first have one row.
 */
export const loadTurnovers = overRows<ShelfKey>({
  name: 'accounts-load-turnovers',
  columns: { id: ['text', 'id'] },
  text: ({ payee, rows }) => `
    with locked as (
      insert into gift_card_turnover as t (payee_id, product_id, scope, subject)
      select distinct ${payee}, ${NAMED} from ${rows} order by 1, 2, 3, 4
      on conflict (payee_id, product_id, scope, subject) do update set version = t.version
      returning *
    )
    select t.payee_id as "payeeId", t.product_id as "productId", t.scope, t.subject, t.version,
      d.day_begins as "updatedAt", d.day_begins as "dayBeganAt", d.month_begins as "monthBeganAt", ${SHOWN}, ${LIMITS('t')}
    from locked t
    cross join lateral (${BEGINS('t.payee_id')}) d`,
}).ask;

const UPDATE = updateRows({
  name: 'accounts-update-turnovers',
  table: GIFT_CARD_TURNOVER,
  seen: 'version',
  from: ({ version }) => version - 1,
});

/** Writes sums that were counted to. */
export function updateTurnovers(changes: readonly Change<Turnover>[]): GuardedCall {
  return UPDATE(
    changes.map(({ before, after: { sums, ...after } }) => ({
      ...after,
      loadedOfDay: sums.LoadedDay,
      loadedOfMonth: sums.LoadedMonth,
      spentOfDay: sums.SpentDay,
      spentOfMonth: sums.SpentMonth,
      version: before.version + 1,
    })),
  );
}

/** The sums as they are now, unlocked; of one that nothing was counted to yet they are 0. */
export async function selectTurnovers(read: Read, keys: readonly ShelfKey[]): Promise<readonly SeenTurnover[]> {
  return (await read<SeenTurnover>(SELECT_TURNOVERS, SELECT_TURNOVERS.values(keys))).rows;
}

type SeenTurnover = Pick<Turnover, 'payeeId' | 'productId' | 'scope' | 'subject' | 'sums' | 'limits'>;

const SELECT_TURNOVERS = overRows<ShelfKey>({
  name: 'accounts-select-turnovers',
  columns: { id: ['text', 'id'] },
  text: ({ payee, rows }) => `
    select n.payee_id as "payeeId", n.product_id as "productId", n.scope, n.subject, ${SHOWN}, ${LIMITS('n')}
    from (select ${payee} as payee_id, ${NAMED} from ${rows}) n
    cross join lateral (${BEGINS('n.payee_id')}) d
    left join lateral (
      select * from gift_card_turnover
      where payee_id = n.payee_id and product_id = n.product_id and scope = n.scope and subject = n.subject
      limit 1
    ) t on true`,
});

interface OfProduct {
  readonly payeeId: PayeeId;
  readonly productId: string;
}

/** Sets a limit, or takes it away: amount null. */
export async function upsertLimit(
  transaction: Transaction,
  {
    payeeId,
    productId,
    flow,
    scope,
    period,
    amount,
    limitId,
  }: OfProduct & Omit<ValueLimit, 'amount'> & { readonly amount: number | null; readonly limitId: string },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'accounts-upsert-limit',
      text: `
        insert into gift_card_limit (payee_id, product_id, flow, scope, period, amount, limit_id)
        values ($1::uuid, $2::text, $3::text, $4::text, $5::text, $6::bigint, $7::uuid)
        on conflict (payee_id, product_id, flow, scope, period) do update set amount = excluded.amount`,
    },
    [payeeId, productId, flow, scope, period, amount, limitId],
  );
  return count;
}

/** Raises the number of a limit's latest event. */
export function raiseLimitSequence(
  transaction: Transaction,
  payeeId: PayeeId,
  { productId, flow, scope, period }: ReachedLimit,
): Promise<Rows<{ readonly limitId: string; readonly eventSequence: number; readonly happenedAt: string }>> {
  return transaction.run(
    {
      name: 'accounts-raise-limit-sequence',
      text: `
        update gift_card_limit set event_sequence = event_sequence + 1
        where payee_id = $1::uuid and product_id = $2::text and flow = $3::text and scope = $4::text and period = $5::text
        returning limit_id as "limitId", event_sequence as "eventSequence", kontor_now() as "happenedAt"`,
    },
    [payeeId, productId, flow, scope, period],
  );
}
