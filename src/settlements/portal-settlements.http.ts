import type { Read } from '../db/transaction.types.ts';
import { actorOf } from '../http/actor.ts';
import { portalRoute } from '../http/portal-route.ts';
import type { AnyPortalRoute, PortalRequest } from '../http/portal-route.types.ts';
import { forbidden, inputError, notFound } from '../kit/errors.ts';
import type { ActingPerson, AskedAct, WaitingAct } from '../kit/given.ts';
import { isUuid } from '../kit/ids.ts';
import { isDay } from '../kit/instants.ts';
import { ActAnswer, NoMembers, PayeeParams } from '../kit/portal.wire.ts';
import { NoQuery } from '../kit/schemas.wire.ts';
import { Trouble } from '../kit/work/trouble.ts';
import { selectNow } from './clock.store.ts';
import { type CloseByHand, closeByHand } from './days/close-days.flow.ts';
import { exportDay } from './days/export-day.ts';
import { selectDifferences } from './differences.store.ts';
import { exportDifferences, exportDisputes, exportSettlements } from './export-lists.ts';
import { periodOf } from './period.rules.ts';
import {
  ClosedAnswer,
  DayParams,
  DifferenceParams,
  DifferencesAnswer,
  DifferencesQuery,
  ResolveBody,
  SomePeriodQuery,
  WithdrawBody,
} from './portal-settlements.wire.ts';
import type { PortalActs, SettlementContext } from './settlements.types.ts';

const TAG = 'Settlement';
const HERE = '/portal/api/payees/:payeeId';
/** Differences that one answer shows: what a person looks through. */
const SHOWN = 200;

const askedIn = ({ payeeId, params, body }: PortalRequest): AskedAct => ({
  payeeId,
  params: params as Readonly<Record<string, string>>,
  body,
});
const personOf = (request: PortalRequest): ActingPerson => ({
  actor: actorOf(request),
  isReauthenticated: request.user.isReauthenticated,
});
/** @throws Refusal `inputerror` where it is none */
function dayOf({ day }: { readonly day: string }): string {
  if (!isDay(day)) throw inputError('day', 'must be a day of the calendar, YYYY-MM-DD');
  return day;
}
const done = (approval: WaitingAct | undefined) => ({ approval: approval ?? null });

/** What the portal does with settlement beyond the API: differences to look through and to end, and tables. */
export function portalSettlementRoutes(context: SettlementContext, { acts, weighAct }: PortalActs): AnyPortalRoute[] {
  const { longWork, background } = context.database;
  const { read } = background;
  const closeDay = async (asked: CloseByHand) => {
    try {
      return (await closeByHand(longWork, context, asked)).length;
    } catch (error) {
      if (error instanceof Trouble) throw forbidden('day', error.message);
      throw error;
    }
  };
  return [
    portalRoute({
      method: 'GET',
      path: `${HERE}/differences`,
      operationId: 'listDifferences',
      tag: TAG,
      summary: 'List what our books and acquirers do not agree on, the oldest first',
      shape: { params: PayeeParams, query: DifferencesQuery, body: undefined, answer: DifferencesAnswer },
      handle: async ({ payeeId, query }) => {
        const { state, ...period } = query;
        const found = await selectDifferences(read, {
          payeeId,
          onlyOpen: state === 'Open',
          ...periodOf(period),
          settlementId: undefined,
          most: SHOWN + 1,
        });
        return {
          differences: found.slice(0, SHOWN).map((one) => ({ ...one })),
          hasMore: found.length > SHOWN,
        };
      },
    }),
    portalRoute({
      method: 'POST',
      path: `${HERE}/differences/:differenceId/resolve`,
      operationId: 'resolveDifference',
      tag: TAG,
      summary: 'End a difference, with the reason; much that is written off waits for another person',
      shape: { params: DifferenceParams, query: NoQuery, body: ResolveBody, answer: ActAnswer },
      handle: async (request) => {
        if (!isUuid(request.params.differenceId)) throw notFound();
        const body = { outcome: 'AcquirersMistake' as const, ...request.body };
        return done(await weighAct(acts.resolve, { ...askedIn(request), body }, personOf(request)));
      },
    }),
    portalRoute({
      method: 'POST',
      path: `${HERE}/withdrawn-batches`,
      operationId: 'withdrawBatch',
      tag: TAG,
      summary: 'Withdraw a batch of a wrong file, once another person agrees',
      shape: { params: PayeeParams, query: NoQuery, body: WithdrawBody, answer: ActAnswer },
      handle: async (request) => done(await weighAct(acts.withdraw, askedIn(request), personOf(request))),
    }),
    portalRoute({
      method: 'POST',
      path: `${HERE}/settlement-days/:day/close`,
      operationId: 'closeSettlementDay',
      tag: TAG,
      summary: 'Close a business day of all agreements, as the service does by itself; twice is as once',
      shape: { params: DayParams, query: NoQuery, body: NoMembers, answer: ClosedAnswer },
      handle: async (request) => {
        const { payeeId, params } = request;
        const now = new Date(await selectNow(read));
        return { closed: await closeDay({ payeeId, day: dayOf(params), actor: actorOf(request), now }) };
      },
    }),
    ...tableRoutes(read),
  ];
}

/** Tables of what is asked for, or of all. */
function tableRoutes(read: Read): AnyPortalRoute[] {
  const list = { params: PayeeParams, query: SomePeriodQuery, body: undefined, answer: undefined };
  return [
    portalRoute({
      method: 'GET',
      path: `${HERE}/differences.csv`,
      operationId: 'exportDifferences',
      tag: TAG,
      summary: 'Download differences as a table, or those that were opened in a period',
      shape: list,
      handle: async ({ payeeId, query }) => ({
        fileName: 'differences.csv',
        text: exportDifferences(read, { payeeId, ...periodOf(query) }),
      }),
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/settlements.csv`,
      operationId: 'exportSettlements',
      tag: TAG,
      summary: 'Download closed days as a table, or those of a period: what is owed, settled and missing',
      shape: list,
      handle: async ({ payeeId, query }) => ({
        fileName: 'settlements.csv',
        text: exportSettlements(read, { payeeId, ...periodOf(query) }),
      }),
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/settlement-days/:day/items.csv`,
      operationId: 'exportSettlementDay',
      tag: TAG,
      summary: 'Download the sales and refunds of a day as a table, each with the line that has settled it',
      shape: { ...list, params: DayParams, query: NoQuery },
      handle: async ({ payeeId, params }) => {
        const day = dayOf(params);
        return { fileName: `settlement-${day}.csv`, text: exportDay(read, payeeId, day) };
      },
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/disputes.csv`,
      operationId: 'exportDisputes',
      tag: TAG,
      summary: 'Download disputes as a table, or those that were opened in a period',
      shape: list,
      handle: async ({ payeeId, query }) => ({
        fileName: 'disputes.csv',
        text: exportDisputes(read, { payeeId, ...periodOf(query) }),
      }),
    }),
  ];
}
