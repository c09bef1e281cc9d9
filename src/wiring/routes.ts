import { accountRoutes } from '../accounts/accounts.http.ts';
import type { AccountsContext } from '../accounts/accounts.types.ts';
import { pingRoute } from '../accounts/ping.http.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/open-database.ts';
import { deliveryRoutes } from '../events/deliveries/deliveries.http.ts';
import { feedRoutes } from '../events/feed/feed.http.ts';
import { EventObject } from '../events/feed/feed.wire.ts';
import { webhookRoutes } from '../events/webhooks/webhooks.http.ts';
import { cardLifeRoutes } from '../gift-cards/cards/life.http.ts';
import type { LifeContext } from '../gift-cards/cards/life.types.ts';
import { giftCardRoutes } from '../gift-cards/gift-cards.http.ts';
import type { GiftCardsContext } from '../gift-cards/gift-cards.types.ts';
import { liabilityRoute } from '../gift-cards/liability/liability.http.ts';
import { giftCardProductRoutes } from '../gift-cards/products/products.http.ts';
import type { SentEvent } from '../http/document/openapi-webhooks.ts';
import type { ApiAddresses, EdgeRoutes } from '../http/edge/edge.types.ts';
import { healthRoutes } from '../http/listening/health.ts';
import type { AnyPortalRoute } from '../http/portal-route.types.ts';
import { EVENT_CATALOGUE, EVENT_TYPES } from '../journal/events.rules.ts';
import { keyRoutes } from '../keys/keys.http.ts';
import type { KeyStorage } from '../keys/keys.types.ts';
import type { CardPrefixes } from '../kit/cards/card-number.ts';
import type { NoteRefused } from '../kit/refused-caller.ts';
import { accessTokenRoutes } from '../merchants/access-tokens/access-tokens.http.ts';
import { type HmacCheckOptions, hmacCheckRoute } from '../merchants/hmac-keys/hmac-check.http.ts';
import { hmacKeyRoutes } from '../merchants/hmac-keys/hmac-keys.http.ts';
import type { MerchantsContext } from '../merchants/merchants.types.ts';
import { oauthRoutes } from '../merchants/oauth/oauth.http.ts';
import { oauthClientRoutes } from '../merchants/oauth/oauth-clients.http.ts';
import { payeeRoutes } from '../merchants/payees/payees.http.ts';
import { pageRoutes } from '../payments/page/page.http.ts';
import { pageAssets } from '../payments/page/page-assets.adapter.ts';
import { pageAssetRoutes, viewScriptRoutes } from '../payments/page/page-assets.http.ts';
import { paymentRoutes } from '../payments/payment-routes.http.ts';
import type { CardPaymentsContext } from '../payments/payments.types.ts';
import { activityRoutes } from '../portal/activity/activity.http.ts';
import { approvalRoutes } from '../portal/approvals/approvals.http.ts';
import type { ApprovalsContext } from '../portal/approvals/approvals.types.ts';
import { weighed } from '../portal/approvals/giving.http.ts';
import { installationRoutes } from '../portal/installation/installation.http.ts';
import { portalDataRoutes } from '../portal/portal-data.http.ts';
import { portalFiles } from '../portal/portal-files.adapter.ts';
import { portalFileRoutes } from '../portal/portal-files.http.ts';
import { grantableBy } from '../portal-users/api-access.rules.ts';
import { invitationRoutes, ownAccountRoutes } from '../portal-users/own-account.http.ts';
import type { PortalUsersContext, PortalUsersOptions } from '../portal-users/portal-users.types.ts';
import { sessionRoutes } from '../portal-users/sessions/sessions.http.ts';
import { userRoutes } from '../portal-users/users.http.ts';
import { findTokens } from '../tokens/find-tokens.ts';
import { payerOwnedTokenRoutes } from '../tokens/stored/payer-owned-tokens.http.ts';
import { storedTokenRoutes } from '../tokens/stored/stored-tokens.http.ts';
import { tokenCollectionRoutes } from '../tokens/token-collections.http.ts';
import { tokenRoutes } from '../tokens/tokens.http.ts';
import { cardRangeRoute } from '../vault/card-ranges.http.ts';
import type { VaultContext } from '../vault/vault.types.ts';
import { auditKeysBy } from './audit-keys.ts';
import { KEY_USES } from './key-uses.ts';

/** What the routes of all slices need. */
export interface RouteDependencies {
  readonly config: Pick<Config, 'apiLogHours'>;
  readonly database: Pick<Database, 'transact' | 'read' | 'find' | 'background'>;
  readonly merchants: MerchantsContext;
  readonly vault: VaultContext;
  readonly accounts: AccountsContext;
  readonly cardLife: LifeContext;
  readonly giftCards: GiftCardsContext;
  readonly cardPayments: CardPaymentsContext;
  readonly portalUsers: PortalUsersContext;
  readonly approvals: ApprovalsContext;
  /** Who has a cookie of the portal. */
  readonly findUser: PortalUsersOptions['findUser'];
  readonly signatures: HmacCheckOptions['signatures'];
  readonly cardPrefixes: () => CardPrefixes;
  readonly keyRing: KeyStorage['keyRing'];
  readonly keyProvider: KeyStorage['keyProvider'];
  readonly baseUrl: () => string;
  /** Whether failed log-ins from this address are not counted. */
  readonly isExempt: (address: string) => boolean;
  /** Whether an address is a proxy's, behind which there is everybody. */
  readonly isShared: (address: string) => boolean;
  readonly isReady: () => Promise<boolean>;
  /** Takes who was refused, for the audit trail. */
  readonly noteRefused: NoteRefused;
}

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

/** The routes of all slices. */
export function listRoutes(dependencies: RouteDependencies): RouteList {
  const { database, merchants, vault, accounts, giftCards, cardLife, cardPayments, baseUrl, isExempt, isReady } =
    dependencies;
  const { isShared, noteRefused } = dependencies;
  const { transact, read } = database;
  const tokens = { transact, baseUrl, context: { ...vault, read, findToken: findTokens(database.find) } };
  const events = { transact, read, baseUrl, context: merchants };
  const assets = pageAssets();
  const apiRoutes = [
    ...tokenRoutes(tokens),
    ...tokenCollectionRoutes(tokens),
    ...storedTokenRoutes(tokens),
    ...payerOwnedTokenRoutes(tokens),
    ...paymentRoutes({ transact, context: cardPayments, baseUrl }),
    ...accountRoutes({ transact, context: accounts, baseUrl, isExempt }),
    ...cardLifeRoutes({ context: cardLife, baseUrl }),
    liabilityRoute({ read: database.background.read, baseUrl }),
    ...giftCardProductRoutes({ transact, context: giftCards, baseUrl, isExempt }),
    ...giftCardRoutes({ transact, context: giftCards, baseUrl, isExempt }),
    pingRoute({ baseUrl }),
    ...feedRoutes(events),
    ...webhookRoutes(events),
    ...deliveryRoutes(events),
  ];
  return {
    addresses: API_ADDRESSES,
    apiRoutes: apiRoutes.map((route) => weighed(route, dependencies.approvals)),
    openRoutes: [
      ...oauthRoutes({ transact, merchants, baseUrl, isExempt, noteRefused }),
      ...healthRoutes({ isReady }),
      ...pageRoutes({
        transact,
        context: cardPayments,
        baseUrl,
        assets,
        isExempt: (address) => isExempt(address) || isShared(address),
      }),
      ...viewScriptRoutes({ context: cardPayments, assets }),
      ...pageAssetRoutes(assets),
      ...portalFileRoutes(portalFiles()),
    ],
    sentEvents: EVENT_TYPES.map((type) => ({ type, when: EVENT_CATALOGUE[type].when, schema: EventObject })),
    portalRoutes: [...portalRoutes(dependencies), ...approvalRoutes(dependencies.approvals, apiRoutes)],
  };
}

/** What the merchant portal needs beyond the API. */
function portalRoutes(dependencies: RouteDependencies): AnyPortalRoute[] {
  const { database, merchants, portalUsers, findUser, signatures, cardPrefixes, isExempt, baseUrl, noteRefused } =
    dependencies;
  const { config, keyRing, keyProvider } = dependencies;
  const { transact, read } = database.background;
  const people = { transact, portalUsers, findUser, isExempt, baseUrl, noteRefused };
  const credentials = { transact, merchants, grantableBy, baseUrl };
  const { newId } = merchants;
  const data = {
    read: database.read,
    readSlowly: read,
    transact,
    keyRing,
    newId,
    callHours: config.apiLogHours,
    baseUrl,
  };
  return [
    ...sessionRoutes(people),
    ...invitationRoutes(people),
    ...ownAccountRoutes(people),
    ...userRoutes(people),
    ...accessTokenRoutes(credentials),
    ...oauthClientRoutes(credentials),
    ...hmacKeyRoutes(credentials),
    hmacCheckRoute({ signatures, cardPrefixes, baseUrl }),
    ...activityRoutes({ transact, read }),
    ...payeeRoutes(credentials),
    cardRangeRoute({ transact }),
    ...keyRoutes({ transact, keyRing, keyProvider, keyUses: KEY_USES, auditBy: auditKeysBy }),
    ...installationRoutes({ read: database.read, transact, issuers: dependencies.accounts.issuers }),
    ...portalDataRoutes(data),
  ];
}
