import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import { NoParams } from '../../kit/schemas.wire.ts';
import { periodOf } from '../period.rules.ts';
import { listPage, SETTLEMENTS_TAG } from '../settlements.http.ts';
import type { SettlementContext } from '../settlements.types.ts';
import { PayoutsAnswer, PayoutsQuery } from '../settlements.wire.ts';
import { selectListedPayouts, selectPaidDays, selectReserves } from './payouts.store.ts';
import type { ListedPayout, PaidDay, PayoutSums } from './payouts.types.ts';

const PAYOUTS = '/psp/payouts';
/** Days and currencies that one answer sums: ten years of days in one currency. */
const DAYS = 3_660;

/** What acquirers pay a payee, by the day on which they pay it. */
export function payoutRoutes(context: SettlementContext, { baseUrl }: RouteGiven): ApiRoute[] {
  // Many rows: where the planner is free.
  const { read } = context.database.background;
  return [
    apiRoute({
      method: 'GET',
      path: PAYOUTS,
      scope: 'payments',
      operationId: 'listPayouts',
      tag: SETTLEMENTS_TAG,
      summary: 'List the payouts of a period, the latest first, and what is paid on each day',
      shape: { params: NoParams, query: PayoutsQuery, body: undefined, answer: PayoutsAnswer },
      handle: async ({ payeeId, query: { from, to, after, limit: most } }) => {
        const asked = { payeeId, ...periodOf({ from, to }) };
        const { page, hasMore, operations } = await listPage({
          address: `${baseUrl()}${PAYOUTS}`,
          filter: { from, to },
          most,
          find: (limit) =>
            selectListedPayouts(read, asked, { after: after === undefined ? undefined : Number(after), limit }),
          idOf: ({ number }) => String(number),
        });
        const days = await selectPaidDays(read, asked, DAYS);
        const reserves = [...(await selectReserves(read, asked))];
        return {
          payouts: { id: PAYOUTS, hasMore, payoutList: page.map(shownPayout), days: days.map(shownDay), reserves },
          operations,
        };
      },
    }),
  ];
}

function sums({
  gross,
  fees,
  interchange,
  schemeFees,
  otherFees,
  chargebacks,
  adjustments,
  reserves,
  net,
}: PayoutSums) {
  return { gross, fees, interchange, schemeFees, otherFees, chargebacks, adjustments, reserves, net };
}

function shownPayout(one: ListedPayout) {
  const { number, batch, acquirer, merchantId, valueDate, currency, unmatched, importedAt, seenAt, withdrawnAt } = one;
  return {
    number,
    batch,
    acquirer,
    merchantId,
    ...(valueDate !== null && { valueDate }),
    ...sums(one),
    currency,
    unmatchedLines: unmatched,
    ...(one.converted.length > 0 && { converted: one.converted }),
    state: stateOf(one),
    importedAt,
    ...(seenAt !== null && { seenAt }),
    ...(withdrawnAt !== null && { withdrawnAt }),
    ...(one.withdrawnBecause !== null && { withdrawnBecause: one.withdrawnBecause }),
  };
}

function stateOf({ seenAt, withdrawnAt }: ListedPayout) {
  if (withdrawnAt !== null) return 'Withdrawn' as const;
  return seenAt === null ? ('Paid' as const) : ('Seen' as const);
}

function shownDay(one: PaidDay) {
  const { day, payouts, seen, currency, unmatched } = one;
  return { day, payouts, seen, ...sums(one), currency, unmatchedLines: unmatched };
}
