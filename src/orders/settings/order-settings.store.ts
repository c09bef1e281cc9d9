import type { Read } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { OwnOrderSettings } from '../orders.types.ts';

/** What a payee has set itself; undefined where it has set nothing. */
export async function selectOrderSettings(read: Read, payeeId: PayeeId): Promise<OwnOrderSettings | undefined> {
  const { rows } = await read<OwnOrderSettings>(
    {
      name: 'orders-select-settings',
      text: `
        select gift_cards_on_page as "giftCardsOnPage", gift_cards_buy_gift_cards as "giftCardsBuyGiftCards",
          hold_minutes as "holdMinutes", order_hold_days as "orderHoldDays", unpaid_hours as "unpaidHours",
          smallest_card_amount as "smallestCardAmount", capture_order as "captureOrder", reversal_order as "reversalOrder"
        from order_settings
        where payee_id = $1::uuid`,
    },
    [payeeId],
  );
  return rows[0];
}
