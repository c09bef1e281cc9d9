import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { PayeeParams } from '../../kit/portal.wire.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import type { Kontor } from '../../kontor.types.ts';
import { getAccountThen, getBooks, getMovement, listAccounts, listEntries, listMovements } from './browse-ledger.ts';
import { exportEntries, exportMovements } from './export-ledger.ts';
import {
  AccountAnswer,
  AccountParams,
  AccountQuery,
  AccountsAnswer,
  AccountsQuery,
  Books,
  EntriesAnswer,
  EntriesFileQuery,
  EntriesQuery,
  MovementAnswer,
  MovementParams,
  MovementsAnswer,
  MovementsFileQuery,
  MovementsQuery,
} from './ledger.wire.ts';

const TAG = 'Ledger';
const HERE = '/portal/api/payees/:payeeId/ledger';

/** The ledger as a person reads it. */
export function portalLedgerRoutes(context: Kontor): AnyPortalRoute[] {
  return [...accountRoutes(context), ...movementRoutes(context)];
}

function accountRoutes({ database }: Kontor): AnyPortalRoute[] {
  const { read, reportReads } = database;
  const { readFor } = reportReads;
  return [
    portalRoute({
      method: 'GET',
      path: `${HERE}/accounts`,
      operationId: 'listLedgerAccounts',
      tag: TAG,
      summary: 'List accounts, the newest first',
      shape: { params: PayeeParams, query: AccountsQuery, body: undefined, answer: AccountsAnswer },
      handle: async ({ payeeId, query }) => {
        const { rows, ...page } = await listAccounts(read, payeeId, query);
        return { accounts: [...rows], ...page };
      },
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/accounts/:accountId`,
      operationId: 'getLedgerAccount',
      tag: TAG,
      summary: 'See an account as it is, or as it was at an instant',
      shape: { params: AccountParams, query: AccountQuery, body: undefined, answer: AccountAnswer },
      handle: ({ payeeId, params, query }) => {
        const now = new Date().toISOString();
        return getAccountThen(read, { payeeId, accountId: params.accountId }, { asOf: query.asOf, now });
      },
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/accounts/:accountId/entries`,
      operationId: 'listAccountEntries',
      tag: TAG,
      summary: "List an account's entries with their running balance, the latest first",
      shape: { params: AccountParams, query: EntriesQuery, body: undefined, answer: EntriesAnswer },
      handle: async ({ payeeId, params, query }) => {
        const { entries, next } = await listEntries(read, { payeeId, accountId: params.accountId }, query);
        return { entries, next };
      },
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/accounts/:accountId/entries.csv`,
      operationId: 'exportAccountEntries',
      tag: TAG,
      summary: "Download an account's entries as a table",
      shape: { params: AccountParams, query: EntriesFileQuery, body: undefined, answer: undefined },
      handle: async ({ payeeId, params, query }) => ({
        fileName: 'entries.csv',
        text: await exportEntries(readFor(payeeId), { payeeId, accountId: params.accountId }, query),
      }),
    }),
  ];
}

function movementRoutes({ database }: Kontor): AnyPortalRoute[] {
  const { read, reportReads } = database;
  const { readFor } = reportReads;
  return [
    portalRoute({
      method: 'GET',
      path: `${HERE}/movements`,
      operationId: 'listMovements',
      tag: TAG,
      summary: 'List movements with their entries, the newest first',
      shape: { params: PayeeParams, query: MovementsQuery, body: undefined, answer: MovementsAnswer },
      handle: async ({ payeeId, query }) => {
        const { rows, ...page } = await listMovements(read, payeeId, query);
        return { movements: rows, ...page };
      },
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/movements.csv`,
      operationId: 'exportMovements',
      tag: TAG,
      summary: 'Download movements as a table, a line for each entry',
      shape: { params: PayeeParams, query: MovementsFileQuery, body: undefined, answer: undefined },
      handle: async ({ payeeId, query }) => ({
        fileName: 'movements.csv',
        text: exportMovements(readFor(payeeId), payeeId, query),
      }),
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/movements/:movementId`,
      operationId: 'getMovement',
      tag: TAG,
      summary: 'See one movement',
      shape: { params: MovementParams, query: NoQuery, body: undefined, answer: MovementAnswer },
      handle: async ({ payeeId, params }) => ({
        movement: await getMovement(read, payeeId, params.movementId),
      }),
    }),
    portalRoute({
      method: 'GET',
      path: `${HERE}/books`,
      operationId: 'getBooks',
      tag: TAG,
      summary: 'See whether the books balanced when they were last checked',
      shape: { params: PayeeParams, query: NoQuery, body: undefined, answer: Books },
      handle: () => getBooks(read),
    }),
  ];
}
