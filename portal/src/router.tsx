import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import type { ListedProduct } from '../../client/portal.generated.ts';
import { Gate } from './app/gate.tsx';
import { NotFound } from './app/not-found.tsx';
import { readMovementFilters } from './ledger/movement-filters.ts';
import { readOrderFilters } from './orders/order-filters.ts';
import { readFilters } from './payments/filters.ts';
import { readReportFilters } from './reports/report-filters.ts';
import { readSettlementFilters } from './settlements/settlement-filters.ts';

const root = createRootRoute({ component: Outlet });

/** A person who is invited has no account yet: this page alone stands outside of the gate. */
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./account/invitation-page.tsx'), 'InvitationPage'),
});

const gate = createRoute({ getParentRoute: () => root, id: 'gate', component: Gate });
const inGate = { getParentRoute: () => gate };

const home = createRoute({
  ...inGate,
  path: '/',
  component: lazyRouteComponent(() => import('./home/home-page.tsx'), 'HomePage'),
});
const account = createRoute({
  ...inGate,
  path: '/account',
  component: lazyRouteComponent(() => import('./account/account-page.tsx'), 'AccountPage'),
});
const payments = createRoute({
  ...inGate,
  path: '/payments',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./payments/payments-page.tsx'), 'PaymentsPage'),
});
const payment = createRoute({
  ...inGate,
  path: '/payments/$paymentId',
  component: lazyRouteComponent(() => import('./payments/payment-page.tsx'), 'PaymentPage'),
});
const orders = createRoute({
  ...inGate,
  path: '/orders',
  validateSearch: readOrderFilters,
  component: lazyRouteComponent(() => import('./orders/orders-page.tsx'), 'OrdersPage'),
});
const order = createRoute({
  ...inGate,
  path: '/orders/$orderId',
  component: lazyRouteComponent(() => import('./orders/order-page.tsx'), 'OrderPage'),
});
const orderSettings = createRoute({
  ...inGate,
  path: '/order-settings',
  component: lazyRouteComponent(() => import('./orders/settings-page.tsx'), 'OrderSettingsPage'),
});
const tokens = createRoute({
  ...inGate,
  path: '/tokens',
  validateSearch: (search): { search?: string } => textsOf(search, ['search']),
  component: lazyRouteComponent(() => import('./tokens/payers-page.tsx'), 'PayersPage'),
});
const payer = createRoute({
  ...inGate,
  path: '/tokens/$payerReference',
  component: lazyRouteComponent(() => import('./tokens/payer-page.tsx'), 'PayerPage'),
});
const giftCards = createRoute({
  ...inGate,
  path: '/gift-cards',
  component: lazyRouteComponent(() => import('./gift-cards/gift-cards-page.tsx'), 'GiftCardsPage'),
});
const giftCard = createRoute({
  ...inGate,
  path: '/gift-cards/$accountId',
  component: lazyRouteComponent(() => import('./gift-cards/card-page.tsx'), 'GiftCardPage'),
});
const ledger = createRoute({
  ...inGate,
  path: '/ledger',
  validateSearch: readMovementFilters,
  component: lazyRouteComponent(() => import('./ledger/ledger-page.tsx'), 'LedgerPage'),
});
const ledgerAccount = createRoute({
  ...inGate,
  path: '/ledger/accounts/$accountId',
  component: lazyRouteComponent(() => import('./ledger/account-page.tsx'), 'LedgerAccountPage'),
});
const movement = createRoute({
  ...inGate,
  path: '/ledger/movements/$movementId',
  component: lazyRouteComponent(() => import('./ledger/movement-page.tsx'), 'MovementPage'),
});
const settlements = createRoute({
  ...inGate,
  path: '/settlements',
  validateSearch: readSettlementFilters,
  component: lazyRouteComponent(() => import('./settlements/settlements-page.tsx'), 'SettlementsPage'),
});
const settlement = createRoute({
  ...inGate,
  path: '/settlements/$settlementId',
  component: lazyRouteComponent(() => import('./settlements/settlement-page.tsx'), 'SettlementPage'),
});
const dispute = createRoute({
  ...inGate,
  path: '/disputes/$disputeId',
  component: lazyRouteComponent(() => import('./settlements/dispute-page.tsx'), 'DisputePage'),
});
const reports = createRoute({
  ...inGate,
  path: '/reports',
  validateSearch: readReportFilters,
  component: lazyRouteComponent(() => import('./reports/reports-page.tsx'), 'ReportsPage'),
});
const credentials = createRoute({
  ...inGate,
  path: '/credentials',
  component: lazyRouteComponent(() => import('./credentials/credentials-page.tsx'), 'CredentialsPage'),
});
const calls = createRoute({
  ...inGate,
  path: '/calls',
  validateSearch: (search): { route?: string; status?: string; sessionId?: string } =>
    textsOf(search, ['route', 'status', 'sessionId']),
  component: lazyRouteComponent(() => import('./calls/calls-page.tsx'), 'CallsPage'),
});
const call = createRoute({
  ...inGate,
  path: '/calls/$callId',
  component: lazyRouteComponent(() => import('./calls/call-page.tsx'), 'CallPage'),
});
const webhooks = createRoute({
  ...inGate,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});
const webhook = createRoute({
  ...inGate,
  path: '/webhooks/$webhookId',
  component: lazyRouteComponent(() => import('./webhooks/webhook-page.tsx'), 'WebhookPage'),
});
const activity = createRoute({
  ...inGate,
  path: '/activity',
  component: lazyRouteComponent(() => import('./activity/activity-page.tsx'), 'ActivityPage'),
});
const approvals = createRoute({
  ...inGate,
  path: '/approvals',
  component: lazyRouteComponent(() => import('./approvals/approvals-page.tsx'), 'ApprovalsPage'),
});
const people = createRoute({
  ...inGate,
  path: '/people',
  component: lazyRouteComponent(() => import('./people/people-page.tsx'), 'PeoplePage'),
});
const persons = createRoute({
  ...inGate,
  path: '/persons',
  component: lazyRouteComponent(() => import('./people/persons-page.tsx'), 'PersonsPage'),
});
const operator = createRoute({
  ...inGate,
  path: '/operator',
  validateSearch: ({ state, ...search }): { tab?: string; payeeId?: string; state?: ListedProduct['state'] } => ({
    ...textsOf(search, ['tab', 'payeeId']),
    ...((state === 'OnSale' || state === 'Retired') && { state }),
  }),
  component: lazyRouteComponent(() => import('./operator/operator-page.tsx'), 'OperatorPage'),
});
const operatorProduct = createRoute({
  ...inGate,
  path: '/operator/$payeeId/$productId',
  component: lazyRouteComponent(() => import('./operator/product-page.tsx'), 'ProductPage'),
});
const elsewhere = createRoute({ ...inGate, path: '$', component: NotFound });

/** The members of these names that are texts and say something; an address may hold anything. */
function textsOf(search: Record<string, unknown>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name];
      const isText = (typeof value === 'string' && value !== '') || typeof value === 'number';
      return isText ? [[name, String(value)]] : [];
    }),
  );
}

const routeTree = root.addChildren([
  invitation,
  gate.addChildren([
    home,
    account,
    payments,
    payment,
    orders,
    order,
    orderSettings,
    tokens,
    payer,
    giftCards,
    giftCard,
    ledger,
    ledgerAccount,
    movement,
    settlements,
    settlement,
    dispute,
    reports,
    credentials,
    calls,
    call,
    webhooks,
    webhook,
    activity,
    approvals,
    people,
    persons,
    operator,
    operatorProduct,
    elsewhere,
  ]),
]);

/** The addresses of the portal. A screen is fetched when it is opened, or when a link to it is about to be. */
export const router = createRouter({
  routeTree,
  basepath: '/portal',
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    readonly router: typeof router;
  }
}
