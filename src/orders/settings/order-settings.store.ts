import { overRows } from '../../db/rows/over-rows.ts';
import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { OfferKey, OwnOrderSettings } from '../orders.types.ts';

const SETTINGS_COLUMNS = `
  gift_cards_on_page as "giftCardsOnPage", gift_cards_buy_gift_cards as "giftCardsBuyGiftCards",
  hold_minutes as "holdMinutes", order_hold_days as "orderHoldDays", unpaid_hours as "unpaidHours",
  smallest_card_amount as "smallestCardAmount", capture_order as "captureOrder", reversal_order as "reversalOrder"`;

/** What a payee has set itself; undefined where it has set nothing. */
export async function selectOrderSettings(read: Read, payeeId: PayeeId): Promise<OwnOrderSettings | undefined> {
  const { rows } = await read<OwnOrderSettings>(
    {
      name: 'orders-select-settings',
      text: `
        select ${SETTINGS_COLUMNS}
        from order_settings
        where payee_id = $1::uuid`,
    },
    [payeeId],
  );
  return rows[0];
}

/**
 * What payees offer to pay orders in a currency with: see `StoredOffer`. Every payee has a row. The first account is asked for by a
 * limit: of an `exists` PostgreSQL makes a table of all accounts of all payees, by a plan that was made while there were few.
 */
export const FIND_OFFERS = overRows<OfferKey>({
  name: 'orders-find-offers',
  columns: { currency: ['text', 'currency'] },
  text: ({ payee, places }) => `
    select v.position::integer, s.*,
      coalesce(
        (select true from account where payee_id = ${payee} and currency = v.currency and kind = 'StoredValue' limit 1),
        (select true from gift_card_product
         where payee_id = ${payee} and currency = v.currency and retired_at is null limit 1),
        false
      ) as "hasGiftCards",
      coalesce(
        (select true from gift_card_limit where payee_id = ${payee} and amount is not null limit 1), false
      ) as "limitsGiftCards"
    from ${places}
    left join lateral (select ${SETTINGS_COLUMNS} from order_settings where payee_id = ${payee} limit 1) s on true`,
});

/** Waits for others who change the settings of a payee, until the transaction ends. */
export async function lockOrderSettings(transaction: Transaction, payeeId: PayeeId): Promise<void> {
  await transaction.run(
    {
      name: 'orders-lock-settings',
      text: `
        insert into order_settings (payee_id, updated_at) values ($1::uuid, kontor_now())
        on conflict (payee_id) do update set updated_at = kontor_now()`,
    },
    [payeeId],
  );
}

/** Writes all settings of a payee, whose row is locked; the number of rows is 1. */
export async function updateOrderSettings(
  transaction: Transaction,
  payeeId: PayeeId,
  own: OwnOrderSettings,
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'orders-update-settings',
      text: `
        update order_settings
        set gift_cards_on_page = $2::boolean, gift_cards_buy_gift_cards = $3::boolean, hold_minutes = $4::integer,
          order_hold_days = $5::integer, unpaid_hours = $6::integer, smallest_card_amount = $7::bigint,
          capture_order = $8::text, reversal_order = $9::text, updated_at = kontor_now()
        where payee_id = $1::uuid`,
    },
    [
      payeeId,
      own.giftCardsOnPage ?? null,
      own.giftCardsBuyGiftCards ?? null,
      own.holdMinutes ?? null,
      own.orderHoldDays ?? null,
      own.unpaidHours ?? null,
      own.smallestCardAmount ?? null,
      own.captureOrder ?? null,
      own.reversalOrder ?? null,
    ],
  );
  return count;
}
