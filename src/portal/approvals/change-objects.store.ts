import type { Read, Statement } from '../../db/transaction.types.ts';
import type { ChangeObject } from './approvals.types.ts';

const CARDS: Statement = {
  name: 'portal-select-cards-of-changes',
  text: `
    select 'gift-card' as kind, account_id as id, number_masked as name, null as reference, null as "payerReference",
      available as left
    from account
    where payee_id = $1::uuid and account_id = any($2::uuid[])`,
};

const PRODUCTS: Statement = {
  name: 'portal-select-products-of-changes',
  text: `
    select 'product' as kind, product_id as id, name, null as reference, null as "payerReference", null::bigint as left
    from gift_card_product
    where payee_id = $1::uuid and product_id = any($2::text[])`,
};

const DIFFERENCES: Statement = {
  name: 'portal-select-differences-of-changes',
  text: `
    select 'difference' as kind, f.difference_id as id, f.kind as name,
      coalesce('line ' || f.line_id || ' of ' || coalesce(b.name, w.name), a.payment_id::text) as reference, null as "payerReference",
      null::bigint as left
    from settlement_difference f
    left join issuer_attempt a on a.payee_id = f.payee_id and a.attempt_id = f.attempt_id
    left join settlement_batch b on b.payee_id = f.payee_id and b.acquirer = f.acquirer and b.batch_id = f.batch_id
    left join settlement_withdrawal w on w.payee_id = f.payee_id and w.withdrawal_id = f.withdrawal_id
    where f.payee_id = $1::uuid and f.difference_id = any($2::uuid[])`,
};

/** A batch by its number, which stays when it is withdrawn. */
const BATCHES: Statement = {
  name: 'portal-select-batches-of-changes',
  text: `
    select 'batch' as kind, b.number::text as id, b.name, b.acquirer || ' ' || b.merchant_id as reference, null as "payerReference",
      null::bigint as left
    from (
      select payee_id, number, name, acquirer, merchant_id from settlement_batch
      union all
      select payee_id, number, name, acquirer, merchant_id from settlement_withdrawal
    ) b
    where b.payee_id = $1::uuid and b.number = any($2::bigint[])`,
};

const DISPUTES: Statement = {
  name: 'portal-select-disputes-of-changes',
  text: `
    select 'dispute' as kind, dispute_id as id, case_id as name, payment_id::text as reference, null as "payerReference",
      null::bigint as left
    from dispute
    where payee_id = $1::uuid and dispute_id = any($2::uuid[])`,
};

/** Disputes that changes are about, by their ids. */
export async function selectDisputesOfChanges(
  read: Read,
  payeeId: string,
  disputeIds: readonly string[],
): Promise<readonly ChangeObject[]> {
  return (await read<ChangeObject>(DISPUTES, [payeeId, disputeIds])).rows;
}

/** Differences that changes are about, by their ids. */
export async function selectDifferencesOfChanges(
  read: Read,
  payeeId: string,
  differenceIds: readonly string[],
): Promise<readonly ChangeObject[]> {
  return (await read<ChangeObject>(DIFFERENCES, [payeeId, differenceIds])).rows;
}

/** Batches that changes are about, by their numbers. */
export async function selectBatchesOfChanges(
  read: Read,
  payeeId: string,
  numbers: readonly string[],
): Promise<readonly ChangeObject[]> {
  return (await read<ChangeObject>(BATCHES, [payeeId, numbers])).rows;
}

/** Gift cards that changes are about, by their ids. */
export async function selectCardsOfChanges(
  read: Read,
  payeeId: string,
  accountIds: readonly string[],
): Promise<readonly ChangeObject[]> {
  return (await read<ChangeObject>(CARDS, [payeeId, accountIds])).rows;
}

/** Products that changes are about, by their ids. */
export async function selectProductsOfChanges(
  read: Read,
  payeeId: string,
  productIds: readonly string[],
): Promise<readonly ChangeObject[]> {
  return (await read<ChangeObject>(PRODUCTS, [payeeId, productIds])).rows;
}
