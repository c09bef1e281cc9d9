import type { Read, Rows, Transaction } from '../db/transaction.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { Difference, SettlementDay } from './settlements.types.ts';

/** The columns of a difference, as the types name them. */
const COLUMNS = `
  f.payee_id as "payeeId", f.difference_id as "differenceId", f.kind, f.state, f.acquirer, f.agreement, f.currency,
  f.day::text as day, f.attempt_id as "attemptId", f.batch_id as "batchId", f.line_id as "lineId", f.ours, f.theirs,
  f.their_currency as "theirCurrency",
  f.opened_at as "openedAt", f.closed_at as "closedAt", f.reason, a.payment_id as "paymentId"`;

const FROM = `
  from settlement_difference f
  left join issuer_attempt a on a.payee_id = f.payee_id and a.attempt_id = f.attempt_id`;

/** Which differences are asked for. */
export interface DifferencesAsked {
  readonly payeeId: PayeeId;
  readonly onlyOpen: boolean;
  /** Of this closed day alone; undefined: of all. */
  readonly settlementId: string | undefined;
  readonly most: number;
}

/** Differences of a payee, the oldest first. */
export async function selectDifferences(
  read: Read,
  { payeeId, onlyOpen, settlementId, most }: DifferencesAsked,
): Promise<readonly Difference[]> {
  const { rows } = await read<Difference>(
    {
      name: 'settlements-select-differences',
      text: `
        select ${COLUMNS} ${FROM}
        where f.payee_id = $1::uuid and (not $2::boolean or f.state = 'Open') and ($3::uuid is null or exists (
          select from settlement_day d
          where d.payee_id = f.payee_id and d.settlement_id = $3::uuid and d.agreement = f.agreement
            and d.currency = f.currency and d.day = f.day
        ))
        order by f.opened_at, f.difference_id
        limit $4::integer`,
    },
    [payeeId, onlyOpen, settlementId ?? null, most],
  );
  return rows;
}

/**
 * A difference that a person ends, with the reason, and the payment whose dispute its line is about; no row where it is not open, or not
 * this payee's.
 */
export async function resolveOpen(
  transaction: Transaction,
  { payeeId, differenceId, reason }: Pick<Difference, 'payeeId' | 'differenceId'> & { readonly reason: string },
): Promise<Pick<Difference, 'kind' | 'paymentId'> | undefined> {
  const { rows } = await transaction.run<Pick<Difference, 'kind' | 'paymentId'>>(
    {
      name: 'settlements-resolve-difference',
      text: `
        update settlement_difference
        set state = 'Resolved', closed_at = kontor_now(), reason = $3::text
        where payee_id = $1::uuid and difference_id = $2::uuid and state = 'Open'
        returning kind, (
          select d.payment_id from settlement_line l
          join dispute d on d.payee_id = l.payee_id and d.dispute_id = l.dispute_id
          where l.payee_id = settlement_difference.payee_id and l.acquirer = settlement_difference.acquirer
            and l.batch_id = settlement_difference.batch_id and l.line_id = settlement_difference.line_id
        ) as "paymentId"`,
    },
    [payeeId, differenceId, reason],
  );
  return rows[0];
}

/** Opens a difference for totals that the acquirer counts otherwise. */
export function insertTotalsDifference(
  transaction: Transaction,
  day: SettlementDay & { readonly differenceId: string; readonly theirs: number | null },
): Promise<Rows<unknown>> {
  return transaction.run(
    {
      name: 'settlements-insert-totals-difference',
      text: `
        insert into settlement_difference (payee_id, difference_id, kind, acquirer, agreement, currency, day, ours, theirs,
          opened_at)
        values ($1::uuid, $2::uuid, 'totalsDiffer', $3::text, $4::text, $5::text, $6::date, $7::bigint, $8::bigint,
          kontor_now())`,
    },
    [day.payeeId, day.differenceId, day.acquirer, day.agreement, day.currency, day.day, day.net, day.theirs],
  );
}

/** Opens a difference for each message to an acquirer that was ended by hand. */
export function insertAbandoned(transaction: Transaction): Promise<Rows<unknown>> {
  return transaction.run(
    {
      name: 'settlements-insert-abandoned',
      text: `
        insert into settlement_difference (payee_id, difference_id, kind, acquirer, agreement, currency, attempt_id, ours,
          opened_at)
        select x.payee_id, gen_random_uuid(), 'abandoned', x.acquirer, x.agreement, x.currency, x.attempt_id, x.amount,
          kontor_now()
        from acquirer_exchange x
        where x.state = 'Abandoned' and not exists (
          select from settlement_difference f
          where f.payee_id = x.payee_id and f.kind = 'abandoned' and f.attempt_id = x.attempt_id
        )
        on conflict do nothing`,
    },
    [],
  );
}

/** What waits for people, of all payees: indexes have what is open alone, but for disputes, of which there are few. */
export function selectMeasures(
  read: Read,
): Promise<Rows<{ readonly openDifferences: number; readonly untoldDays: number; readonly pressingDisputes: number }>> {
  return read(
    {
      name: 'settlements-select-measures',
      text: `
        select (select count(*) from settlement_difference where state = 'Open')::integer as "openDifferences",
          (
            select count(*) from settlement_day
            where due_at is not null and closed_at < (select kontor_now()) - interval '1 hour'
          )::integer as "untoldDays",
          (
            select count(*) from dispute join payee using (payee_id)
            where state = 'Open' and respond_by < (kontor_now() at time zone time_zone)::date + 3
          )::integer as "pressingDisputes"`,
    },
    [],
  );
}
