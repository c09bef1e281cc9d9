import type { Rows, Transaction } from '../../db/transaction.types.ts';
import type { GivingLimits } from '../../kit/giving-limits.ts';
import type { PayeeId } from '../../kit/ids.ts';

/** Stands for every currency that has no limits of its own. */
export const ALL_CURRENCIES = '*';

/** Sets the limits of a payee in a currency. */
export async function upsertGivingLimits(
  transaction: Transaction,
  { payeeId, currency }: { readonly payeeId: PayeeId; readonly currency: string },
  { confirmAbove, secondPersonAbove }: GivingLimits,
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'merchants-upsert-giving-limits',
      text: `
        insert into giving_limit (payee_id, currency, confirm_above, second_person_above)
        values ($1::uuid, $2::text, $3::bigint, $4::bigint)
        on conflict (payee_id, currency) do update
        set confirm_above = excluded.confirm_above, second_person_above = excluded.second_person_above`,
    },
    [payeeId, currency, confirmAbove, secondPersonAbove],
  );
  return count;
}

/** The limits of a payee in a currency, else those in all; no row where it has none of its own. */
export function selectGivingLimits(
  transaction: Transaction,
  { payeeId, currency }: { readonly payeeId: PayeeId; readonly currency: string },
): Promise<Rows<GivingLimits>> {
  return transaction.run<GivingLimits>(
    {
      name: 'merchants-select-giving-limits',
      text: `
        select confirm_above as "confirmAbove", second_person_above as "secondPersonAbove"
        from giving_limit
        where payee_id = $1::uuid and currency in ($2::text, '*')
        order by currency desc
        limit 1`,
    },
    [payeeId, currency],
  );
}
