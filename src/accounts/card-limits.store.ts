import { overRows } from '../db/rows/over-rows.ts';
import {
  accountPaymentsUnderWay,
  CARD_PAYMENTS_UNDER_WAY,
  HISTORY_COLUMNS,
} from '../engine/card-history/card-history-columns.types.ts';
import type { ChargingCommand } from './accounts.types.ts';

/** What issuers have said of these cards: see `CardHistory`. */
export const loadCardHistories = overRows<ChargingCommand>({
  name: 'accounts-load-card-histories',
  columns: {
    payee_id: ['uuid', 'payeeId'],
    account_id: ['uuid', 'accountId'],
    card_digest: ['bytea', ({ charged }) => charged?.cardDigest ?? null],
  },
  text: ({ places }) => `
    select v.position::integer - 1 as position, ${HISTORY_COLUMNS},
      ${accountPaymentsUnderWay('v.account_id')} + ${CARD_PAYMENTS_UNDER_WAY} as "triesUnderWay"
    from ${places}
    left join blocked_card b on b.payee_id = v.payee_id and b.card_digest = v.card_digest`,
}).ask;
