import * as accounts from '../accounts/serving.ts';
import * as browserFiles from '../browser-files/serving.ts';
import * as events from '../events/serving.ts';
import * as giftCards from '../gift-cards/serving.ts';
import type { SentEvent } from '../http/document/openapi-webhooks.ts';
import type { ApiAddresses, EdgeRoutes, RouteGiven } from '../http/edge/edge.types.ts';
import { healthRoutes } from '../http/listening/health.ts';
import * as keys from '../keys/serving.ts';
import * as merchants from '../merchants/serving.ts';
import * as orders from '../orders/serving.ts';
import * as payments from '../payments/serving.ts';
import * as portal from '../portal/serving.ts';
import { grantableBy } from '../portal-users/api-access.rules.ts';
import * as portalUsers from '../portal-users/serving.ts';
import * as settlements from '../settlements/serving.ts';
import * as tokens from '../tokens/serving.ts';
import * as vault from '../vault/serving.ts';
import type { Slices } from './slices.ts';

/** Where the API is, also where it has no route. A test holds that its routes are there and nothing else is. */
const API_ADDRESSES: ApiAddresses = {
  prefixes: ['/online', '/psp', '/api', '/events', '/webhooks'],
  signed: '/api/payments',
};

/** Every documented route, as data: the server, the OpenAPI document and the completeness tests read this list. */
export interface RouteList extends EdgeRoutes {
  /** What webhooks are posted. */
  readonly sentEvents: readonly SentEvent[];
}

/** The routes of all slices, in the order of their tags. A new slice with routes is a line here. */
export function listRoutes(slices: Slices, given: RouteGiven): RouteList {
  const { weighAct, alwaysNeedsAnother } = slices.portal;
  const weighing = { ...given, weighAct, alwaysNeedsAnother };
  const lists: readonly Partial<RouteList>[] = [
    browserFiles.routes(slices.browserFiles),
    tokens.routes(slices.tokens, given),
    payments.routes(slices.payments, given),
    orders.routes(slices.orders, { ...given, answers: payments.answers(slices.payments, given) }),
    accounts.routes(slices.accounts, given),
    giftCards.routes(slices.giftCards, weighing),
    settlements.routes(slices.settlements, weighing),
    events.routes(slices.events, given),
    merchants.routes(slices.merchants, { ...given, grantableBy }),
    portalUsers.routes(slices.portalUsers, given),
    vault.routes(slices.vault),
    keys.routes(slices.keys),
    portal.routes(slices.portal, given),
  ];
  const { apiRoutes, portalRoutes } = portal.weighedRoutes(slices.portal, {
    apiRoutes: inOrder(
      lists.flatMap(({ apiRoutes: some = [] }) => some),
      API_TAGS,
    ),
    acts: [...Object.values(slices.settlements.acts), ...slices.giftCards.acts],
  });
  return {
    addresses: API_ADDRESSES,
    apiRoutes,
    openRoutes: [...lists.flatMap(({ openRoutes = [] }) => openRoutes), ...healthRoutes({ isReady: given.isReady })],
    sentEvents: lists.flatMap(({ sentEvents = [] }) => sentEvents),
    portalRoutes: inOrder([...lists.flatMap(({ portalRoutes: some = [] }) => some), ...portalRoutes], PORTAL_TAGS),
  };
}

/**
 * Routes by their tags, and those of one tag as their slices list them: so documents read the same, whichever slice
 * adds a route.
 */
function inOrder<Route extends { readonly tag: string }>(
  routes: readonly Route[],
  tags: Readonly<Record<string, string>>,
): Route[] {
  const order = Object.keys(tags);
  return [...routes].sort((a, b) => order.indexOf(a.tag) - order.indexOf(b.tag));
}

/** What each group of operations of the API is about. The linter asks for a text for every tag that a route has. */
export const API_TAGS: Readonly<Record<string, string>> = {
  'Payer tokens': 'The stored cards and accounts of a payer: read, list, rename, archive',
  'Stored tokens': 'The same by type or by payer: what is active, and its deletion',
  'Card payments': 'Payments with cards: made here, paid by the payer, then captured, cancelled or reversed',
  'Payment orders': 'One amount, paid on one page with gift cards and a card; then captured, cancelled or reversed',
  Payers: 'All that is stored of a person who pays, and its erasure',
  Settlement: 'What acquirers owe for a day, what they have paid, and what payers have asked back',
  Reports: 'What a month is closed with',
  'Account payments': 'Payments against accounts, stored value and cards; every request is signed',
  'Gift cards': 'Stored value with a number of its own: products, new cards, deposits; every request is signed',
  Events: 'What happened to tokens, payments and gift cards, in order',
  Webhooks: 'Addresses that events are posted to, and the log of their deliveries',
  'OAuth 2': 'Access tokens for machines: get, revoke, examine',
  Health: 'Whether the process lives, and whether it takes requests',
};

/** The same of the portal. */
export const PORTAL_TAGS: Readonly<Record<string, string>> = {
  Session: 'Signing in and out, and what a session calls the API with',
  Account: "Invitations, and one's own password and second factor",
  Users: 'Who may sign in for a payee, and what they may do',
  'Access tokens': 'What programs call the API with: made, rotated, revoked',
  'OAuth clients': 'Credentials that fetch access tokens',
  'HMAC keys': 'What requests to /api/payments are signed with, and a look at a signature',
  Activity: 'Who did what',
  Installation: 'For operators: payees, products, issuers, card ranges, keys',
  Home: 'What the portal begins with',
  Webhooks: 'How deliveries go',
  Payers: 'People who have stored something with the payee',
  Payments: 'Card payments and account payments, and what happened to them',
  'Payment orders':
    'Orders with what each means of payment took and gave back, and what a payee has settled about them',
  'Gift cards': 'Gift cards, and what happened to them',
  Settlement: 'What acquirers owe and have paid, what differs, and what payers have asked back, as tables',
  Reports: 'What a month is closed with, as tables',
  Ledger: 'Accounts, movements, and whether the books balance',
  Calls: "What the payee's programs have sent to the API",
  Views: 'Lists as a portal user wants to see them again',
  Approvals: 'What waits for the consent of a second person',
};
