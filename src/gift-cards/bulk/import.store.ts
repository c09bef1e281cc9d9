import type { Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { AccountId } from '../../ledger/ledger.types.ts';
import type { KnownCard, Tally } from './import.types.ts';

/** What a card began with: its first entry, where that is of the moment in which it was made. */
const OPENED_WITH = `
  left join lateral (
    select e.amount
    from entry e join movement m on m.payee_id = e.payee_id and m.movement_id = e.movement_id
    where e.payee_id = a.payee_id and e.account_id = a.account_id and e.sequence = 1 and m.happened_at = g.issued_at
    limit 1
  ) opening on true`;

/** Waits for other imports of the payee: a file that comes twice at one moment is taken over once. */
export async function lockImport(transaction: Transaction, payeeId: PayeeId): Promise<void> {
  await transaction.run(
    {
      name: 'gift-cards-lock-import',
      text: `select pg_advisory_xact_lock(hashtextextended('import-gift-cards ' || $1, 0))`,
    },
    [payeeId],
  );
}

/** The payee's accounts under these digests of numbers. */
export async function selectKnownCards(
  transaction: Transaction,
  payeeId: PayeeId,
  digests: readonly Buffer[],
): Promise<ReadonlyMap<string, KnownCard>> {
  const { rows } = await transaction.run<KnownCard & { readonly numberDigest: Buffer }>(
    {
      name: 'gift-cards-known-cards',
      text: `
        select a.number_digest as "numberDigest", a.account_id as "accountId", g.product_id as "productId",
          a.expires_on as "expiresOn", coalesce(opening.amount, 0) as "openedWith"
        from unnest($2::bytea[]) as v (number_digest)
        cross join lateral (
          select payee_id, account_id, number_digest, expires_on
          from account
          where payee_id = $1::uuid and number_digest = v.number_digest
          limit 1
        ) a
        left join lateral (
          select product_id, issued_at from gift_card where payee_id = a.payee_id and account_id = a.account_id limit 1
        ) g on true
        ${OPENED_WITH}`,
    },
    [payeeId, digests],
  );
  return new Map(rows.map(({ numberDigest, ...card }) => [numberDigest.toString('hex'), card]));
}

/** When days are over where the payee is. */
export async function selectDayEnds(
  transaction: Transaction,
  payeeId: PayeeId,
  days: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await transaction.run<{ readonly day: string; readonly endsAt: string }>(
    {
      name: 'gift-cards-day-ends',
      text: `
        select v.day, (v.day + 1)::timestamp at time zone p.time_zone as "endsAt"
        from unnest($2::date[]) as v (day)
        cross join lateral (select time_zone from payee where payee_id = $1::uuid limit 1) p`,
    },
    [payeeId, days],
  );
  return new Map(rows.map(({ day, endsAt }) => [day, endsAt]));
}

/** What cards began with, as the ledger has it, by currency. */
export async function selectTally(
  transaction: Transaction,
  payeeId: PayeeId,
  accountIds: readonly AccountId[],
): Promise<readonly Tally[]> {
  const { rows } = await transaction.run<Tally>(
    {
      name: 'gift-cards-tally',
      text: `
        select a.currency, count(*) as cards, coalesce(sum(opening.amount), 0)::bigint as amount
        from unnest($2::uuid[]) as v (account_id)
        cross join lateral (
          select payee_id, account_id, currency
          from account
          where payee_id = $1::uuid and account_id = v.account_id
          limit 1
        ) a
        cross join lateral (
          select issued_at from gift_card where payee_id = a.payee_id and account_id = a.account_id limit 1
        ) g
        ${OPENED_WITH}
        group by a.currency`,
    },
    [payeeId, accountIds],
  );
  return rows;
}
