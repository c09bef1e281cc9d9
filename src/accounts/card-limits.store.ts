import { overRows } from '../db/rows/over-rows.ts';
import {
  accountPaymentsUnderWay,
  cardPaymentsUnderWay,
  HISTORY_COLUMNS,
} from '../engine/card-history/card-history-columns.types.ts';
import type { ChargingCommand } from './accounts.types.ts';

/** What issuers have said of these cards: see `CardHistory`. */
export const loadCardHistories = overRows<ChargingCommand>({
  name: 'accounts-load-card-histories',
  columns: {
    account_id: ['uuid', 'accountId'],
    card_digest: ['bytea', ({ charged }) => charged?.cardDigest ?? null],
  },
  text: ({ payee, places }) => `
    select v.position::integer - 1 as position, ${HISTORY_COLUMNS},
      ${accountPaymentsUnderWay(payee, 'v.account_id')} + ${cardPaymentsUnderWay(payee)} as "triesUnderWay"
    from ${places}
    left join blocked_card b on b.payee_id = ${payee} and b.card_digest = v.card_digest`,
}).ask;
