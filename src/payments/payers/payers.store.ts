import { overRows } from '../../db/rows/over-rows.ts';
import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { KeyId } from '../../keys/keys.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { PaymentId, TransactionId } from '../../ledger/ledger.types.ts';
import type { Cardholder, CardPayment, CardTransaction } from '../payments.types.ts';

/** Disputes of settlements block payments too. */
const PAYMENTS = 'card_payment';

/** A payment whose payer lies in the clear, as versions before have stored it. */
export interface ClearPayer {
  readonly payeeId: PayeeId;
  readonly paymentId: PaymentId;
  readonly cardholder: Cardholder;
}

/** The same of the name on the card of a try. */
export interface ClearHolder {
  readonly payeeId: PayeeId;
  readonly transactionId: TransactionId;
  readonly holderName: string;
}

type Sealed<Row> = Omit<Row, 'cardholder' | 'holderName'> & { readonly sealed: Buffer };

/** Locks some payers that lie in the clear, of those that no transaction has locked. */
export async function lockClearPayers(transaction: Transaction, limit: number): Promise<readonly ClearPayer[]> {
  const { rows } = await transaction.run<ClearPayer>(
    {
      name: 'payments-lock-clear-payers',
      text: `
        select payee_id as "payeeId", payment_id as "paymentId", terms -> 'cardholder' as cardholder
        from card_payment
        where terms ? 'cardholder'
        order by payment_id
        limit $1
        for no key update skip locked`,
    },
    [limit],
  );
  return rows;
}

/** Locks some names that lie in the clear. A try that is under way waits for its end, which writes all of its card. */
export async function lockClearHolders(transaction: Transaction, limit: number): Promise<readonly ClearHolder[]> {
  const { rows } = await transaction.run<ClearHolder>(
    {
      name: 'payments-lock-clear-holders',
      text: `
        select payee_id as "payeeId", transaction_id as "transactionId", card ->> 'cardholderName' as "holderName"
        from card_transaction
        where card ? 'cardholderName' and state in ('Completed', 'Failed') and not taking_back
        order by transaction_id
        limit $1
        for no key update skip locked`,
    },
    [limit],
  );
  return rows;
}

const SEAL_PAYERS = overRows<Sealed<ClearPayer>, [keyId: KeyId]>({
  name: 'payments-seal-payers',
  beside: 1,
  columns: { payment_id: ['uuid', 'paymentId'], sealed: ['bytea', 'sealed'] },
  text: ({ payee, rows }) => `
    update ${PAYMENTS} p
    set payer_sealed = v.sealed, payer_sealed_with = $1, terms = p.terms - 'cardholder' || '{"hasCardholder": true}'
    from ${rows}
    where p.payee_id = ${payee} and p.payment_id = v.payment_id`,
});

/** Puts what was sealed in the place of what lay in the clear. */
export async function sealPayers(
  transaction: Transaction,
  payers: readonly Sealed<ClearPayer>[],
  keyId: KeyId,
): Promise<number> {
  const { count } = await transaction.run(SEAL_PAYERS, SEAL_PAYERS.values(payers, keyId));
  return count;
}

const SEAL_HOLDERS = overRows<Sealed<ClearHolder>, [keyId: KeyId]>({
  name: 'payments-seal-holders',
  beside: 1,
  columns: { transaction_id: ['uuid', 'transactionId'], sealed: ['bytea', 'sealed'] },
  text: ({ payee, rows }) => `
    update card_transaction t
    set holder_sealed = v.sealed, holder_sealed_with = $1, card = t.card - 'cardholderName' || '{"hasHolder": true}'
    from ${rows}
    where t.payee_id = ${payee} and t.transaction_id = v.transaction_id`,
});

/** The same of names. */
export async function sealHolders(
  transaction: Transaction,
  holders: readonly Sealed<ClearHolder>[],
  keyId: KeyId,
): Promise<number> {
  const { count } = await transaction.run(SEAL_HOLDERS, SEAL_HOLDERS.values(holders, keyId));
  return count;
}

/** Erases what is known of some payers whose payments ended so long ago, and answers of how many. */
export async function forgetPayers(
  transaction: Transaction,
  { months, limit }: { readonly months: number; readonly limit: number },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'payments-forget-payers',
      text: `
        with old as materialized (
          select payee_id, payment_id
          from card_payment
          where payer_sealed is not null and created_at < (select kontor_now()) - $1::integer * interval '1 month'
            and updated_at < (select kontor_now()) - $1::integer * interval '1 month' and unsettled = 0
          order by created_at
          limit $2
          for no key update skip locked
        )
        update ${PAYMENTS} p set payer_sealed = null, payer_sealed_with = null
        from old
        where p.payee_id = old.payee_id and p.payment_id = old.payment_id`,
    },
    [months, limit],
  );
  return count;
}

/** The same of the names on cards, those that paid orders too. */
export async function forgetHolders(
  transaction: Transaction,
  { months, limit }: { readonly months: number; readonly limit: number },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'payments-forget-holders',
      text: `
        with old as materialized (
          select t.payee_id, t.transaction_id
          from card_transaction t
          join card_payment p on p.payee_id = t.payee_id and p.payment_id = t.payment_id
          where t.holder_sealed is not null and t.created_at < (select kontor_now()) - $1::integer * interval '1 month'
            and p.updated_at < (select kontor_now()) - $1::integer * interval '1 month' and p.unsettled = 0
          order by t.created_at
          limit $2
          for no key update of t skip locked
        )
        update card_transaction t set holder_sealed = null, holder_sealed_with = null
        from old
        where t.payee_id = old.payee_id and t.transaction_id = old.transaction_id`,
    },
    [months, limit],
  );
  return count;
}

/** A payment with what it knows of its payer. */
export interface PaymentOfPerson
  extends Pick<
    CardPayment,
    | 'payeeId'
    | 'paymentId'
    | 'orderId'
    | 'number'
    | 'operation'
    | 'currency'
    | 'amount'
    | 'payerReference'
    | 'terms'
    | 'payerSealed'
    | 'createdAt'
  > {
  /** Bytes are texts there. */
  readonly tries: readonly (Pick<CardTransaction, 'transactionId' | 'card'> & {
    readonly holderSealed: string | null;
  })[];
}

const OF_PERSON = `
  select payee_id as "payeeId", payment_id as "paymentId", order_id as "orderId", number, operation, currency, amount,
    payer_reference as "payerReference", terms, payer_sealed as "payerSealed", created_at as "createdAt",
    (
      select coalesce(json_agg(json_build_object(
        'transactionId', t.transaction_id, 'card', t.card, 'holderSealed', t.holder_sealed) order by t.created_at), '[]')
      from card_transaction t
      where t.payee_id = p.payee_id and t.payment_id = p.payment_id and t.card is not null
    ) as tries
  from card_payment p`;

/** The payments of a payer, by the payee's reference, of orders too. */
export async function selectPaymentsOf(
  read: Read,
  { payeeId, payerReference }: { readonly payeeId: PayeeId; readonly payerReference: string },
): Promise<readonly PaymentOfPerson[]> {
  const { rows } = await read<PaymentOfPerson>(
    {
      name: 'payments-select-of-payer',
      text: `${OF_PERSON} where payee_id = $1 and payer_reference collate "C" = $2 order by created_at`,
    },
    [payeeId, payerReference],
  );
  return rows;
}

/** How many payments of a payer there are, up to a limit. */
export async function countPaymentsOf(
  read: Read,
  { payeeId, payerReference }: { readonly payeeId: PayeeId; readonly payerReference: string },
  limit: number,
): Promise<number> {
  const { rows } = await read<{ readonly count: number }>(
    {
      name: 'payments-count-of-payer',
      text: `
        select count(*) as count
        from (
          select from card_payment where payee_id = $1 and payer_reference collate "C" = $2 limit $3
        ) counted`,
    },
    [payeeId, payerReference, limit],
  );
  return rows[0]?.count ?? 0;
}

/** Some payments whose payee has said who pays, behind one, in the order of their ids. */
export async function selectPaymentsWithPayer(
  read: Read,
  { payeeId, after, limit }: { readonly payeeId: PayeeId; readonly after: string; readonly limit: number },
): Promise<readonly PaymentOfPerson[]> {
  const { rows } = await read<PaymentOfPerson>(
    {
      name: 'payments-select-with-payer',
      text: `
        ${OF_PERSON}
        where payee_id = $1 and payment_id > $2::uuid and (payer_sealed is not null or terms ? 'cardholder')
        order by payment_id
        limit $3`,
    },
    [payeeId, after, limit],
  );
  return rows;
}

/** Erases what card payments know of their payers, and the names on their cards; answers of how many payments. */
export async function erasePayers(
  transaction: Transaction,
  payeeId: PayeeId,
  paymentIds: readonly string[],
): Promise<number> {
  const { rows } = await transaction.run<{ readonly erased: number }>(
    {
      name: 'payments-erase-payers',
      text: `
        with payers as (
          update ${PAYMENTS}
          set payer_sealed = null, payer_sealed_with = null,
            terms = case when terms ? 'cardholder' then terms - 'cardholder' || '{"hasCardholder": true}' else terms end
          where payee_id = $1 and payment_id = any ($2::uuid[]) and (payer_sealed is not null or terms ? 'cardholder')
          returning payment_id
        ), holders as (
          update card_transaction
          set holder_sealed = null, holder_sealed_with = null,
            card = case when card ? 'cardholderName' then card - 'cardholderName' || '{"hasHolder": true}' else card end
          where payee_id = $1 and payment_id = any ($2::uuid[]) and (holder_sealed is not null or card ? 'cardholderName')
          returning payment_id
        )
        select count(distinct payment_id)::integer as erased
        from (select * from payers union all select * from holders) touched`,
    },
    [payeeId, paymentIds],
  );
  return rows[0]?.erased ?? 0;
}
