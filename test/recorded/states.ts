import type { TestDatabase } from '../support/database/database.ts';

/** Every state that is in the kept rows, and what finds one: statements over the tables at `LAST_MIGRATION`. */
const STATES: Readonly<Record<string, string>> = {
  ...accounts({
    'authorized, and nothing more': `operation = 'Authorize' and state = 'OK' and captured + cancelled + reserved_hold = 0`,
    'captured in part': `captured between 1 and amount - 1 and cancelled = 0 and operation = 'Authorize'`,
    'captured whole': `captured = amount and operation = 'Authorize'`,
    cancelled: `cancelled = amount`,
    'captured in part, the rest cancelled': `captured > 0 and cancelled > 0`,
    'given back in part': `reversed between 1 and captured - 1`,
    'given back whole': `state = 'REVERSED' and reversed > 0`,
    'with a hold that expired': `exists (select from movement m where m.payment_id = p.payment_id and m.kind = 'Expire')`,
    purchased: `operation = 'Purchase' and state = 'OK'`,
    deposited: `operation = 'Deposit'`,
    credited: `operation = 'Credit'`,
    declined: `state = 'FAILED'`,
    'that its issuer did not answer, taken back': `state = 'REVERSED' and captured = 0 and exists (
      select from issuer_attempt a where a.payment_id = p.payment_id and a.state = 'REVERSED')`,
    'of a card elsewhere': `exists (select from issuer_attempt a where a.payment_id = p.payment_id)`,
    'whose issuer is asked': `state = 'CALLING'`,
    'whose capture is asked': follows('Capture', 'CALLING'),
    'whose cancel is asked': follows('Cancel', 'CALLING'),
    'whose reversal is asked': follows('Reversal', 'CALLING'),
    'whose capture was declined': follows('Capture', 'FAILED'),
    'that another acquirer was asked for': `exists (
      select from issuer_attempt a where a.payment_id = p.payment_id and a.issuer = 'second')`,
  }),
  ...cards({
    ready: `state = 'Ready' and paid_by is null and failed_tries = 0 and expires_at > kontor_now() and unsettled = 0`,
    'whose time to pay is over': `exists (
      select from event e where e.resource_id = p.payment_id::text and e.type = 'card-payment.expired')`,
    aborted: `state = 'Aborted'`,
    'failed at the third try': `state = 'Failed' and operation = 'Purchase'`,
    'with one failed try': `state = 'Ready' and paid_by is null and failed_tries = 1`,
    'whose payer is at the bank': tried('Authorization', 'AwaitingActivity'),
    authorized: `paid_by is not null and operation = 'Purchase' and captured + cancelled = 0`,
    'captured in part': `captured between 1 and amount - 1 and cancelled = 0`,
    'captured whole': `captured = amount and amount > 0 and reversed = 0`,
    'captured in part, the rest cancelled': `captured > 0 and cancelled > 0`,
    cancelled: `cancelled = amount and amount > 0`,
    'given back in part': `reversed between 1 and captured - 1`,
    'given back whole': `reversed = amount and amount > 0`,
    'captured when it was paid': `intent = 'AutoCapture' and captured > 0`,
    verified: `operation = 'Verify' and paid_by is not null`,
    'charged again': `operation = 'Recur' and paid_by is not null`,
    'charged when the payee wanted': `operation = 'UnscheduledPurchase' and paid_by is not null`,
    'whose authorization is over': `exists (select from card_transaction t where t.payment_id = p.payment_id
      and t.type = 'Cancellation' and t.created_at > p.created_at + interval '3 days')`,
    'whose outcome is not known': `unsettled > 0`,
    'whose try is asked': tried('Authorization', 'Initialized'),
    'whose capture was declined': tried('Capture', 'Failed'),
    'with a capture that is being taken back': `exists (select from card_transaction t join issuer_attempt a using (attempt_id)
      where t.payment_id = p.payment_id and t.type = 'Capture' and t.state = 'Failed' and a.due_at is not null)`,
    'that another acquirer was asked for': `exists (
      select from issuer_attempt a where a.payment_id = p.payment_id and a.issuer = 'second')`,
    disputed: `disputed > 0`,
  }),
  ...orders({
    'that is new': `status = 'Initialized' and not exists (select from order_leg l where l.order_id = p.order_id)`,
    'with a gift card that was entered': leg('Added'),
    'with a gift card that is held': leg('Held'),
    'with a gift card that was released': leg('Released'),
    'with a gift card that was held twice': `exists (select from payment h where h.order_id = p.order_id group by account_id having count(*) > 1)`,
    'paid by gift cards alone': `status = 'Paid' and not exists (
      select from order_leg l where l.order_id = p.order_id and l.kind = 'Card')`,
    'paid by a card alone': `status = 'Paid' and not exists (
      select from order_leg l where l.order_id = p.order_id and l.kind = 'Account')`,
    'paid by both': `status = 'Paid' and (select count(distinct kind) from order_leg l where l.order_id = p.order_id) = 2`,
    'that was updated': history('PaymentUpdated'),
    aborted: `status = 'Aborted'`,
    'whose time to pay was over': `status = 'Aborted' and exists (
      select from event e where e.resource_id = p.order_id::text and e.type = 'payment-order.expired')`,
    'whose payee ended a try': history('PaymentAttemptAborted'),
    failed: `status = 'Failed'`,
    'whose third try is being taken back': `status = 'Initialized' and unsettled > 0 and exists (
      select from card_payment c where c.order_id = p.order_id and c.failed_tries >= 3)`,
    'whose try is asked': `status = 'Initialized' and exists (select from card_transaction t
      join card_payment c using (payment_id) where c.order_id = p.order_id and t.state = 'Initialized')`,
    'captured in part': `status = 'Paid' and captured between 1 and amount - 1`,
    'captured whole': `status = 'Paid' and captured = amount and reversed = 0`,
    'captured with items': `exists (select from order_transaction t where t.order_id = p.order_id and t.type = 'Capture' and t.order_items <> '[]')`,
    cancelled: `status = 'Cancelled'`,
    'given back': `status = 'Reversed'`,
    'whose capture is asked': `reserved_hold > 0`,
    'whose capture was declined': `exists (select from order_transaction t where t.order_id = p.order_id and t.type = 'Capture' and t.state = 'Failed')`,
    'whose authorization is over': `exists (
      select from event e where e.resource_id = p.order_id::text and e.type = 'payment-order.authorization-ended')`,
    'captured when it was paid': `intent = 'AutoCapture' and status in ('Paid', 'Reversed')`,
    verified: `operation = 'Verify' and status = 'Paid'`,
    'charged again': `operation = 'Recur'`,
    'charged when the payee wanted': `operation = 'UnscheduledPurchase'`,
    'whose gift card was replaced': giftCard('replaced_by'),
    'whose gift card was merged': giftCard('merged_into'),
  }),
  'a day that is closed': `select from settlement_day`,
  'a sale that was settled': `select from settlement_item where batch_id is not null`,
  'a sale that is owed': `select from settlement_item where batch_id is null`,
  ...each('a difference', 'settlement_difference', 'state', ['Open', 'Resolved']),
  ...each('a dispute', 'dispute', 'state', ['Open', 'Accepted', 'Represented', 'Won', 'Lost']),
  ...each('a dispute', 'dispute', 'stage', ['Retrieval', 'Chargeback', 'PreArbitration']),
  ...each('a change', 'pending_change', 'state', ['Pending', 'Done']),
  ...each('a delivery', 'delivery', 'state', ['Waiting', 'Delivered']),
};

type Cases = Readonly<Record<string, string>>;

function named(what: string, from: string, cases: Cases): Cases {
  return Object.fromEntries(
    Object.entries(cases).map(([name, where]) => [`${what} ${name}`, `select from ${from} p where ${where}`]),
  );
}
function accounts(cases: Cases): Cases {
  return named('an account payment', '(select * from payment where order_id is null)', cases);
}
function cards(cases: Cases): Cases {
  return named('a card payment', '(select * from card_payment where order_id is null)', cases);
}
function orders(cases: Cases): Cases {
  return named('an order', 'payment_order', cases);
}
function each(what: string, table: string, column: string, values: readonly string[]): Cases {
  return Object.fromEntries(
    values.map((value) => [`${what}: ${value}`, `select from ${table} where ${column} = '${value}'`]),
  );
}
function follows(operation: string, state: string): string {
  return `exists (select from payment_transaction t where t.payment_id = p.payment_id
    and t.operation = '${operation}' and t.state = '${state}')`;
}
function tried(type: string, state: string): string {
  return `exists (select from card_transaction t where t.payment_id = p.payment_id and t.type = '${type}' and t.state = '${state}')`;
}
function leg(state: string): string {
  return `exists (select from order_leg l where l.order_id = p.order_id and l.kind = 'Account' and l.state = '${state}')`;
}
function history(name: string): string {
  return `exists (select from order_history h where h.order_id = p.order_id and h.name = '${name}')`;
}
function giftCard(column: string): string {
  return `exists (select from order_leg l join gift_card g using (account_id) where l.order_id = p.order_id and g.${column} is not null)`;
}

/** Names of states of which the rows have none. */
export async function missingStates({ asAdmin }: Pick<TestDatabase, 'asAdmin'>): Promise<string[]> {
  const missing: string[] = [];
  for (const [name, sql] of Object.entries(STATES)) {
    const [row] = await asAdmin(`select exists (${sql}) as found`);
    if (row?.['found'] !== true) missing.push(name);
  }
  return missing;
}
