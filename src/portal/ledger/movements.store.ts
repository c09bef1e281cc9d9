import type { Read, Statement } from '../../db/transaction.types.ts';
import { PORTAL_SEARCH_ROWS, STORY_ROWS } from '../../kit/portal-limits.ts';
import type { Found } from '../newest-first.types.ts';
import type { ListedMovement, StoryKey } from '../payments/story.types.ts';
import type { LedgerList } from './ledger.types.ts';

/** What is shown of a movement `m`: its entries with it, in their order. */
const MOVEMENT_COLUMNS = `
  m.movement_id as "movementId", m.happened_at as "happenedAt", m.kind, m.currency, m.payment_id as "paymentId",
  m.transaction_id as "transactionId", (
    select coalesce(jsonb_agg(jsonb_build_object('side', e.side, 'accountId', e.account_id, 'amount', e.amount,
      'balance', e.balance) order by e.line), '[]')
    from entry e where e.payee_id = m.payee_id and e.movement_id = m.movement_id
  ) as entries`;

const IN_REACH = 'm.payee_id = $1::uuid and m.movement_id >= $2::uuid and m.movement_id < $3::uuid';
const IN_PERIOD = 'm.happened_at >= $4::timestamptz and m.happened_at < $5::timestamptz';

/** Movements of a period, newest first. */
export const MOVEMENTS: Statement = {
  name: 'portal-select-movements',
  text: `
    select ${MOVEMENT_COLUMNS} from movement m
    where ${IN_REACH} and ${IN_PERIOD}
    order by m.movement_id desc limit $6::integer`,
};

/** The same of one kind: looked for one after the other, up to a limit. */
export const MOVEMENTS_OF_KIND: Statement = {
  name: 'portal-select-movements-of-kind',
  text: `
    select ${MOVEMENT_COLUMNS} from (
      select * from movement m where ${IN_REACH} order by m.movement_id desc limit ${PORTAL_SEARCH_ROWS}
    ) m
    where ${IN_PERIOD} and m.kind = $7::text
    order by m.movement_id desc limit $6::integer`,
};

/** The last movement that such a search looks at; no row where the list ends before. */
export const MOVEMENTS_STOP: Statement = {
  name: 'portal-select-movements-stop',
  text: `
    select m.movement_id as id from movement m where ${IN_REACH}
    order by m.movement_id desc offset ${PORTAL_SEARCH_ROWS - 1} limit 1`,
};

/** One movement. */
export const ONE_MOVEMENT: Statement = {
  name: 'portal-select-movement',
  text: `select ${MOVEMENT_COLUMNS} from movement m where m.payee_id = $1::uuid and m.movement_id = $2::uuid`,
};

/** Movements of a list, with the place where a search for one kind stopped. */
export async function selectMovements(read: Read, list: LedgerList): Promise<Found<ListedMovement>> {
  const { payeeId, reach, period, limit, kind } = list;
  const values = [payeeId, reach.from, reach.below, period.from, period.to, limit];
  if (kind === undefined) return { rows: (await read<ListedMovement>(MOVEMENTS, values)).rows, stoppedAt: undefined };
  const { rows } = await read<ListedMovement>(MOVEMENTS_OF_KIND, [...values, kind]);
  if (rows.length >= limit) return { rows, stoppedAt: undefined };
  const stop = await read<{ id: string }>(MOVEMENTS_STOP, values.slice(0, 3));
  return { rows, stoppedAt: stop.rows[0]?.id };
}

/** The movements of a payment, oldest first, with their entries. */
export const PAYMENT_MOVEMENTS: Statement = {
  name: 'portal-select-payment-movements',
  text: `
    select ${MOVEMENT_COLUMNS}
    from movement m
    where m.payee_id = $1::uuid and m.payment_id = $2::uuid
    order by m.movement_id limit ${STORY_ROWS}`,
};

/** The movements of a payment, oldest first. */
export async function selectPaymentMovements(
  read: Read,
  { payeeId, paymentId }: StoryKey,
): Promise<readonly ListedMovement[]> {
  return (await read<ListedMovement>(PAYMENT_MOVEMENTS, [payeeId, paymentId])).rows;
}

/** One movement, or undefined. */
export async function selectMovement(
  read: Read,
  payeeId: string,
  movementId: string,
): Promise<ListedMovement | undefined> {
  return (await read<ListedMovement>(ONE_MOVEMENT, [payeeId, movementId])).rows[0];
}
