import type { PayeeId } from '../../../src/kit/ids.ts';
import type { TestDatabase } from '../database/database.ts';

/** What a large shop has, row by row, loaded without the service. */
export interface PortalRows {
  readonly payeeId: PayeeId;
  /** Payments of each family. */
  readonly payments: number;
  /** A second before the first of them was made, `FIRST_PAYMENT` where it is absent; one follows every second. */
  readonly since?: string;
}

/** A second before rows begin whose maker does not say when. */
export const FIRST_PAYMENT = '2026-01-01T00:00:00.000Z';

/** The id of a row of a second and a family. */
const ID = (
  digit: string,
) => `(lpad(to_hex((extract(epoch from happened_at) * 1000)::bigint), 12, '0') || '7${digit}' ||
  left(md5(n::text), 2) || '8' || right(md5(n::text), 15))::uuid`;

const SERIES = (count: number, since = FIRST_PAYMENT) => `
  select n, timestamptz '${since}' + n * interval '1 second' as happened_at, (n * 7919::bigint) % 50000 as amount
  from generate_series(1, ${count}) n`;

/**
 * Adds card payments and account payments in the proportions that lists must cope with: of each kind and state some are
 * rare, one in two thousand.
 */
export async function addPortalPayments(
  database: Pick<TestDatabase, 'asAdmin'>,
  { payeeId, payments, since }: PortalRows,
): Promise<void> {
  await database.asAdmin(`
    set session_replication_role = replica;
    set synchronous_commit = off;
    with made as (select *, ${ID('0')} as id from (${SERIES(payments, since)}) s)
    insert into payment (payee_id, payment_id, account_id, operation, state, amount, currency, captured, cancelled,
      reversed, payment_order_ref, payment_transaction_ref, problem, echo, created_at, updated_at, event_sequence)
    select '${payeeId}', id, id,
      case when n % 2000 = 1 then 'Credit' when n % 10 = 2 then 'Deposit' when n % 10 = 3 then 'Authorize' else 'Purchase' end,
      case when n % 2000 = 5 then 'REVERSED' when n % 33 = 0 then 'FAILED' when n % 2000 = 7 then 'CALLING' else 'OK' end,
      amount, 'NOK',
      case when n % 2000 = 5 then amount when n % 33 = 0 or n % 2000 = 7 then 0 when n % 10 <> 3 or n % 200 in (23, 43) then amount
        when n % 200 = 13 then amount / 2 else 0 end,
      case when n % 33 <> 0 and n % 2000 <> 7 and n % 200 = 33 then amount else 0 end,
      case when n % 2000 = 5 then amount when n % 33 <> 0 and n % 200 = 43 then amount / 2 else 0 end,
      'order-' || n / 2, 'ref-' || n, case when n % 33 = 0 and n % 2000 <> 5 then 'creditcard/insufficientfunds' end,
      '{"card": {"matches": true, "numberMasked": "925500******1234", "expiryMonth": null}}', happened_at, happened_at, 1
    from made;
    insert into reference (payee_id, scope, reference, command_id, payment_id)
    select payee_id, 'payment', payment_transaction_ref, payment_id, payment_id from payment where payee_id = '${payeeId}';
    with made as (
      select *, ${ID('1')} as id,
        case when n % 2000 = 9 then 'Failed' when n % 3 = 0 then 'Aborted' else 'Ready' end as state,
        case when n % 2000 <> 9 and n % 3 = 1 then amount else 0 end as approved,
        case when n % 2000 <> 9 and n % 3 = 1 then
          case when n % 2001 = 4 or n % 9 = 1 or n % 999 = 4 then amount when n % 9 = 7 and n % 999 <> 13 then amount / 2 else 0 end
          else 0 end as captured,
        case when n % 2000 <> 9 and n % 999 = 13 and n % 9 <> 1 and n % 2001 <> 4 then amount else 0 end as cancelled,
        case when n % 2000 <> 9 and n % 2001 = 4 then amount when n % 2000 <> 9 and n % 999 = 4 then amount / 3 else 0 end as reversed
      from (${SERIES(payments, since)}) s
    )
    insert into card_payment (payee_id, payment_id, number, operation, intent, state, currency, amount, captured, cancelled,
      reversed, paid_by, abort_reason, terms, expires_at, created_at, updated_at, event_sequence)
    select '${payeeId}', id, 10000000000 + n, case when n % 2000 = 1 then 'Recur' else 'Purchase' end, 'Authorization', state,
      'SEK', approved, captured, cancelled, reversed, case when approved > 0 then id end,
      case when state = 'Aborted' then 'Expired' end,
      jsonb_build_object('prices', jsonb_build_array(jsonb_build_object('type', 'CreditCard', 'amount', amount, 'vatAmount', 0)),
        'payeeInfo', jsonb_build_object('orderReference', 'web-' || n, 'payeeReference', 'web-ref-' || n)),
      '2100-01-01', happened_at, happened_at, 1
    from made;
    update payment set hold_expires_at = created_at + interval '7 days'
    where payee_id = '${payeeId}' and state = 'OK' and operation = 'Authorize' and captured + cancelled < amount;
    -- Every eleventh is of before there was an end.
    update card_payment set authorized_until = created_at + number % 5 * interval '1 day'
    where payee_id = '${payeeId}' and paid_by is not null and captured + cancelled < amount and number % 11 <> 0;
    -- Of the unpaid ones every fourth was declined, and those that have failed.
    insert into card_transaction (payee_id, transaction_id, payment_id, number, type, state, amount, vat_amount, problem, created_at,
      updated_at)
    select payee_id, payment_id, payment_id, number, 'Authorization', 'Failed', 0, 0,
      case when number % 8 = 0 then 'acquirerinsufficientfunds' else 'carddeclined' end, created_at, created_at
    from card_payment where payee_id = '${payeeId}' and paid_by is null and (number % 4 = 0 or state = 'Failed');
    update card_payment set failed_tries = 1
    where payee_id = '${payeeId}' and paid_by is null and (number % 4 = 0 or state = 'Failed');
    insert into reference (payee_id, scope, reference, command_id, payment_id)
    select payee_id, 'card-payment', operation || ':web-ref-' || (number - 10000000000), payment_id, payment_id
    from card_payment where payee_id = '${payeeId}';
    analyze`);
}

/** What an acquirer has not acknowledged. */
export interface Unacknowledged {
  readonly payeeId: string;
  readonly attemptId: string;
  readonly state: 'REVERSING' | 'FORWARDING';
  readonly tries: number;
  readonly minutesAgo: number;
}

/** Adds it, so that it is told again long after the test. */
export async function addUnacknowledged(database: Pick<TestDatabase, 'asAdmin'>, one: Unacknowledged): Promise<void> {
  const { payeeId, attemptId, state, tries, minutesAgo } = one;
  const stan = String((Number.parseInt(attemptId.slice(-6), 16) % 999_999) + 1).padStart(6, '0');
  const at = `kontor_now() - interval '${minutesAgo} minutes'`;
  await database.asAdmin(`
    insert into issuer_attempt (payee_id, attempt_id, payment_id, issuer, state, due_at, created_at, subject, tries)
    values ('${payeeId}', '${attemptId}', '${attemptId}', 'sandbox', '${state}', kontor_now() + interval '1 day', ${at},
      'CardPayment', ${tries});
    insert into acquirer_exchange (payee_id, attempt_id, kind, acquirer, agreement, merchant_id, terminal_id, operation, stan,
      sent_at, retrieval_reference, amount, currency, state)
    values ('${payeeId}', '${attemptId}', 'Ask', 'sandbox', 'sandbox', '000000000000001', 'SANDBOX1',
      '${state === 'FORWARDING' ? 'Cancel' : 'Authorize'}', '${stan}', date_trunc('second', ${at}),
      '606810${stan}', 12500, 'NOK', 'Silent')`);
}

/**
 * Adds payment orders, one every second: of three one is paid by a gift card and a card, one by a card alone, and one is not
 * paid. What pays them stands among the payments, as legs.
 */
export async function addPortalOrders(
  database: Pick<TestDatabase, 'asAdmin'>,
  { payeeId, orders }: { readonly payeeId: PayeeId; readonly orders: number },
): Promise<void> {
  await database.asAdmin(`
    set session_replication_role = replica;
    set synchronous_commit = off;
    create temporary table made as select *, ${ID('2')} as id, ${ID('3')} as card_id, ${ID('4')} as account_payment,
      ${ID('5')} as transaction_id from (${SERIES(orders)}) s;
    insert into payment_order (payee_id, order_id, number, operation, intent, status, currency, amount, vat_amount,
      captured, card_payment_id, paid_by, abort_reason, made_in, content_digest, terms, expires_at, created_at, updated_at, event_sequence)
    select '${payeeId}', id, 20000000000 + n, 'Purchase', 'Authorization',
      case when n % 3 > 0 then 'Paid' when n % 2000 = 0 then 'Failed' when n % 2 = 0 then 'Aborted' else 'Initialized' end,
      'SEK', amount, 0, case when n % 3 = 1 and n % 2 = 0 then amount else 0 end, card_id,
      case when n % 3 > 0 then transaction_id end, case when n % 6 = 0 and n % 2000 > 0 then 'Expired' end, '3.1', sha256(n::text::bytea),
      jsonb_build_object('description', 'order', 'payeeInfo',
        jsonb_build_object('orderReference', 'shop-' || n, 'payeeReference', 'shop-ref-' || n)),
      '2100-01-01', happened_at, happened_at, 1
    from made;
    insert into card_payment (payee_id, payment_id, order_id, number, operation, intent, state, currency, amount, paid_by,
      terms, expires_at, created_at, updated_at, event_sequence)
    select '${payeeId}', card_id, id, 20000000000 + n, 'Purchase', 'Authorization', 'Ready', 'SEK',
      case when n % 3 > 0 then amount / 2 else 0 end, case when n % 3 > 0 then transaction_id end,
      '{}', '2100-01-01', happened_at, happened_at, 1
    from made;
    insert into payment (payee_id, payment_id, order_id, account_id, operation, state, amount, currency, captured,
      cancelled, reversed, payment_order_ref, payment_transaction_ref, echo, created_at, updated_at, event_sequence)
    select '${payeeId}', account_payment, id, id, 'Authorize', 'OK', amount / 2, 'SEK', 0, 0, 0,
      (20000000000 + n)::text, 'leg-' || n, '{}', happened_at, happened_at, 1
    from made where n % 3 = 1;
    update payment_order set authorized_until = created_at + number % 5 * interval '1 day'
    where payee_id = '${payeeId}' and status = 'Paid' and captured + cancelled < amount and number % 11 = 0;
    insert into order_leg (payee_id, leg_id, order_id, position, kind, state, account_id, payment_id, instrument_type,
      name, amount, added_at, updated_at)
    select '${payeeId}'::uuid, account_payment, id, 1, 'Account', 'Authorized', id, account_payment, 'giftcard',
      '925500******' || lpad((n % 10000)::text, 4, '0'), amount / 2, happened_at, happened_at
    from made where n % 3 = 1
    union all
    select '${payeeId}'::uuid, card_id, id, 2, 'Card', 'Authorized', null::uuid, card_id, 'creditcard',
      '476173******' || lpad((n % 10000)::text, 4, '0'), amount - case when n % 3 = 1 then amount / 2 else 0 end,
      happened_at, happened_at
    from made where n % 3 > 0;
    insert into order_transaction (payee_id, transaction_id, order_id, number, type, state, amount, vat_amount,
      initiated_by, created_at, updated_at)
    select '${payeeId}', transaction_id, id, 30000000000 + n, 'Authorization', 'Completed', amount, 0, 'Payer', happened_at,
      happened_at
    from made where n % 3 > 0;
    insert into card_transaction (payee_id, transaction_id, payment_id, number, type, state, amount, vat_amount, problem, created_at,
      updated_at)
    select '${payeeId}', card_id, card_id, 40000000000 + n, 'Authorization', 'Failed', 0, 0, 'carddeclined', happened_at, happened_at
    from made where n % 4 = 0;
    update card_payment set failed_tries = 1 where payee_id = '${payeeId}' and number > 20000000000 and number % 4 = 0;
    update payment_order set failed_tries = 1 where payee_id = '${payeeId}' and number % 4 = 0;
    insert into order_history (payee_id, order_id, position, name, initiated_by, created_at)
    select '${payeeId}', id, 1, 'PaymentCreated', 'Payee', happened_at from made;
    insert into reference (payee_id, scope, reference, command_id, payment_id)
    select '${payeeId}', 'payment-order', 'order:shop-ref-' || n, id, id from made;
    drop table made;
    analyze`);
}
