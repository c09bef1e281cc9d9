import type { RouteGiven } from '../http/edge/edge.types.ts';
import { operation } from '../http/operations.ts';
import { apiRoute } from '../http/route.ts';
import type { ApiRoute } from '../http/route.types.ts';
import { inputError, notFound } from '../kit/errors.ts';
import { isUuid, type PayeeId } from '../kit/ids.ts';
import { isDay } from '../kit/instants.ts';
import { NoParams, NoQuery } from '../kit/schemas.wire.ts';
import { selectPayouts, selectSettlement, selectSettlements } from './days/shown-days.store.ts';
import { netOf } from './days/totals.rules.ts';
import { selectDifferences } from './differences.store.ts';
import { periodOf } from './period.rules.ts';
import type { Difference, Payout, SettlementContext, ShownSettlement, Totals } from './settlements.types.ts';
import {
  PAGE_SETTLEMENTS,
  SettlementAnswer,
  SettlementParams,
  SettlementsAnswer,
  SettlementsQuery,
} from './settlements.wire.ts';

const SETTLEMENTS = '/psp/settlements';
/** What the API's document files the endpoints under. */
export const SETTLEMENTS_TAG = 'Settlement';
/** Differences and payouts that one answer shows: what a person looks through. */
const SHOWN = 1000;

/** What acquirers owe a payee for its days, and what they have paid. */
export function settlementRoutes(context: SettlementContext, { baseUrl }: RouteGiven): ApiRoute[] {
  // Many rows: where the planner is free.
  const { read } = context.database.background;
  const at = (settlementId: string) => `${SETTLEMENTS}/${settlementId}`;
  const find = async (payeeId: PayeeId, settlementId: string) =>
    isUuid(settlementId) ? selectSettlement(read, payeeId, settlementId) : undefined;
  const link = (settlementId: string) => [operation('GET', 'get-settlement', `${baseUrl()}${at(settlementId)}`)];
  return [
    apiRoute({
      method: 'GET',
      path: SETTLEMENTS,
      scope: 'payments',
      operationId: 'listSettlements',
      tag: SETTLEMENTS_TAG,
      summary: 'List the closed days, the latest first, or those of one day or of a period',
      shape: { params: NoParams, query: SettlementsQuery, body: undefined, answer: SettlementsAnswer },
      handle: async ({ payeeId, query: { day, from, to, after, limit: most } }) => {
        if (day !== undefined && !isDay(day)) throw inputError('day', 'must be a day of the calendar, YYYY-MM-DD');
        const period = periodOf({ from, to });
        const { page, hasMore, operations } = await listPage({
          address: `${baseUrl()}${SETTLEMENTS}`,
          filter: { day, from, to },
          most,
          find: (limit) => selectSettlements(read, { payeeId, day, ...period, after, limit }),
          idOf: ({ settlementId }) => settlementId,
        });
        const settlementList = page.map((one) => ({ ...shown(one), operations: link(one.settlementId) }));
        return { settlements: { id: SETTLEMENTS, hasMore, settlementList }, operations };
      },
    }),
    apiRoute({
      method: 'GET',
      path: `${SETTLEMENTS}/:settlementId`,
      scope: 'payments',
      operationId: 'getSettlement',
      tag: SETTLEMENTS_TAG,
      summary: 'Read a closed day: what was paid of it and when, and what differs',
      shape: { params: SettlementParams, query: NoQuery, body: undefined, answer: SettlementAnswer },
      exists: async ({ payeeId, params }) => (await find(payeeId, params.settlementId)) !== undefined,
      handle: async ({ payeeId, params: { settlementId } }) => {
        const found = await find(payeeId, settlementId);
        if (found === undefined) throw notFound();
        const [payouts, differences] = await Promise.all([
          selectPayouts(read, payeeId, settlementId, SHOWN),
          selectDifferences(read, { payeeId, onlyOpen: false, settlementId, most: SHOWN }),
        ]);
        return {
          settlement: {
            ...shown(found),
            payouts: payouts.map(shownPayout),
            differences: differences.map(shownDifference),
          },
          operations: link(settlementId),
        };
      },
    }),
  ];
}

/** What is read of a list, the latest first. */
interface ReadList<Row> {
  /** Of the whole list. */
  readonly address: string;
  /** What the address of the next page repeats. */
  readonly filter: Readonly<Record<string, string | undefined>>;
  /** How many rows the caller wants in a page; undefined where it does not say. */
  readonly most: string | undefined;
  readonly find: (limit: number) => Promise<readonly Row[]>;
  readonly idOf: (row: Row) => string;
}

/** A page of a list, and the address of the next one where there is more. */
export async function listPage<Row>({ address, filter, most, find, idOf }: ReadList<Row>) {
  const limit = Number(most ?? PAGE_SETTLEMENTS);
  const found = await find(limit + 1);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  if (found.length <= limit || last === undefined) return { page, hasMore: false, operations: [] };
  const query = Object.entries({ ...filter, after: idOf(last), limit: most }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const next = operation('GET', 'next', `${address}?${new URLSearchParams(query)}`);
  return { page, hasMore: true, operations: [next] };
}

function shown(one: ShownSettlement) {
  const { settlementId, day, agreement, acquirer, merchantId, currency, state, closedAt, acquirerTotals } = one;
  return {
    id: `${SETTLEMENTS}/${settlementId}`,
    settlementId,
    day,
    agreement,
    acquirer,
    merchantId,
    currency,
    state,
    closedAt,
    totals: sums(one),
    ...(acquirerTotals !== null && { acquirerTotals: sums(acquirerTotals) }),
    settled: { number: one.settledNumber, amount: one.settledAmount },
    openDifferences: one.openDifferences,
    openTakeBacks: one.openTakeBacks,
  };
}

function sums(totals: Totals) {
  return {
    sales: { number: totals.salesNumber, amount: totals.salesAmount },
    salesTakenBack: { number: totals.saleReversalsNumber, amount: totals.saleReversalsAmount },
    refunds: { number: totals.refundsNumber, amount: totals.refundsAmount },
    refundsTakenBack: { number: totals.refundReversalsNumber, amount: totals.refundReversalsAmount },
    net: netOf(totals),
  };
}

function shownPayout({ batch, merchantId, valueDate, gross, fee, amount, currency }: Payout) {
  return { batch, merchantId, ...(valueDate !== null && { valueDate }), gross, fee, amount, currency };
}

function shownDifference(one: Difference) {
  const { differenceId, kind, state, ours, theirs, paymentId, batch, merchantId, lineId, reason, openedAt, closedAt } =
    one;
  return {
    differenceId,
    kind,
    state,
    ...(ours !== null && { ours }),
    ...(theirs !== null && { acquirers: theirs }),
    ...(one.theirCurrency !== null && { acquirersCurrency: one.theirCurrency }),
    ...(paymentId !== null && { paymentId }),
    ...(batch !== null && lineId !== null && { batch, line: lineId }),
    ...(merchantId !== null && { merchantId }),
    ...(reason !== null && { reason }),
    openedAt,
    ...(closedAt !== null && { closedAt }),
  };
}
