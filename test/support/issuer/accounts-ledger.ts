import type { TestDatabase } from '../database/database.ts';

/** Each query finds rows that must not be (security, section 2). */
const REFUTATIONS: Readonly<Record<string, string>> = {
  'a movement does not sum to zero': `
    select movement_id from entry group by movement_id, currency having sum(amount) <> 0`,
  'an account is not the sum of its entries': `
    select account_id from account a where (available, held) <> (
      select coalesce(sum(amount) filter (where side = 'Available'), 0), coalesce(sum(amount) filter (where side = 'Held'), 0)
      from entry e where e.payee_id = a.payee_id and e.account_id = a.account_id)`,
  'what is held is not what open holds hold': `
    select account_id from account left join (
      select payee_id, account_id, sum(amount - captured - cancelled) as open
      from payment where operation = 'Authorize' and state = 'OK' group by payee_id, account_id) holds
      using (payee_id, account_id)
    where kind = 'StoredValue' and held <> coalesce(open, 0)`,
  'a payment is not the sum of its captures and reversals': `
    select payment_id from payment p where state <> 'FAILED' and (
      case operation when 'Authorize' then captured else 0 end, reversed) <> (
      select coalesce(sum(amount) filter (where operation = 'Capture'), 0),
        coalesce(sum(amount) filter (where operation = 'Reversal'), 0)
      from payment_transaction t
      where t.payee_id = p.payee_id and t.payment_id = p.payment_id and t.state = 'OK')`,
  'what is reserved is not what waits for an issuer': `
    select payment_id from payment p where (reserved_hold, reserved_reversal) <> (
      select coalesce(sum(amount + released) filter (where operation <> 'Reversal'), 0),
        coalesce(sum(amount) filter (where operation = 'Reversal'), 0)
      from payment_transaction t
      where t.payee_id = p.payee_id and t.payment_id = p.payment_id and t.state = 'CALLING')`,
  'what waits for an issuer has no open attempt, or an open attempt has no payment that waits': `
    select coalesce(w.payment_id, a.payment_id) from (
      select payee_id, payment_id, null::uuid as transaction_id from payment where state = 'CALLING'
      union all select payee_id, payment_id, transaction_id from payment_transaction t where state = 'CALLING'
        and not exists (select from payment p where p.payment_id = t.payment_id and p.order_id is not null)) w
    full join (select * from issuer_attempt where (state = 'CALLING' or forward_at is not null) and subject = 'AccountPayment') a
      on a.payee_id = w.payee_id and a.payment_id = w.payment_id and coalesce(a.transaction_id, a.payment_id) = coalesce(w.transaction_id, w.payment_id)
    where w.payment_id is null or a.payment_id is null`,
  'a reference stands for nothing': `
    select reference from reference r where payment_id is not null and not exists (
      select from payment p where p.payee_id = r.payee_id and p.payment_id = r.payment_id
      union all select from card_payment p where p.payee_id = r.payee_id and p.payment_id = r.payment_id
      union all select from payment_order p where p.payee_id = r.payee_id and p.order_id = r.payment_id)
      or transaction_id is not null and not exists (
        select from payment_transaction t where t.payee_id = r.payee_id and t.transaction_id = r.transaction_id
        union all select from card_transaction t where t.payee_id = r.payee_id and t.transaction_id = r.transaction_id
        union all select from order_transaction t where t.payee_id = r.payee_id and t.transaction_id = r.transaction_id)`,
  'the payee was not credited what is left of the captures of a card payment': `
    select payment_id from card_payment p where captured - reversed <> (
      select coalesce(sum(e.amount), 0) from movement m join entry e using (payee_id, movement_id)
      where m.payee_id = p.payee_id and m.payment_id = p.payment_id and e.side = 'Clearing')`,
  'more of a card payment moved than was authorized': `
    select payment_id from movement m join entry e using (payee_id, movement_id)
      join card_payment p using (payee_id, payment_id)
    where e.side = 'Clearing' and m.kind = 'Capture'
    group by payee_id, payment_id, p.amount having sum(e.amount) > p.amount`,
  'a card payment waits for an issuer that is not asked': `
    select payment_id from card_payment p where unsettled <> (
      select count(*) from issuer_attempt a where a.payee_id = p.payee_id and a.payment_id = p.payment_id
        and a.subject = 'CardPayment' and (a.state in ('CALLING', 'REVERSING') or a.forward_at is not null))`,
  'two payments have one reference': `
    select payment_transaction_ref from (
      select payee_id, payment_transaction_ref from payment p where not exists (
        select from payment_number n where n.payee_id = p.payee_id and n.payment_id = p.payment_id)
      union all select payee_id, payment_transaction_ref from payment_transaction) all_of_them
    group by payee_id, payment_transaction_ref having count(*) > 1`,
  'a payment or transaction has no audit row': `
    select payment_id from payment p where not exists (
      select from audit where payee_id = p.payee_id and object_kind = 'payment' and object_id = p.payment_id::text)`,
  'events of a payment are not numbered without gaps': `
    select resource_id from event group by payee_id, resource_kind, resource_id
    having max(resource_sequence) <> count(*)`,
};

/** What is wrong with the ledger, in words; nothing, we hope. Written apart from `kontor ledger verify` on purpose. */
export async function refuteLedger(database: Pick<TestDatabase, 'asAdmin'>): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [what, query] of Object.entries(REFUTATIONS)) {
    const rows = await database.asAdmin(query);
    if (rows.length > 0) found.push(`${what}: ${JSON.stringify(rows[0])}`);
  }
  return found;
}
