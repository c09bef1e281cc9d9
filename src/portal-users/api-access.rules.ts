import { type Person, SCOPES, type Scope } from '../kit/caller.ts';
import type { Role, SignedInUser } from '../kit/portal-user.ts';

/** Those who help payers. */
const SERVICE_DESK: readonly Role[] = ['administrator', 'finance', 'support', 'operator'];
/** Those who answer for payers' stored cards. */
const TOKEN_DESK: readonly Role[] = ['administrator', 'support', 'operator'];
/** Those who make money, or decide what it is made as. */
const TREASURY: readonly Role[] = ['administrator', 'finance', 'operator'];
/** Those who look after the payee's programs. */
const PROGRAMS: readonly Role[] = ['administrator', 'integrator', 'operator'];

/**
 * Every operation of the API that a page of the portal may call, by its operationId, and for whom. What does not stand here
 * is for programs alone, whatever scopes a page has: to make payments, to send card numbers, to look up references.
 */
export const API_ACCESS: Readonly<Record<string, readonly Role[]>> = {
  listTokens: SERVICE_DESK,
  listArchivedTokens: SERVICE_DESK,
  getToken: SERVICE_DESK,
  renameToken: TOKEN_DESK,
  archiveToken: TOKEN_DESK,
  archivePayerTokens: TOKEN_DESK,
  deletePaymentToken: TOKEN_DESK,
  deleteRecurrenceToken: TOKEN_DESK,
  deleteUnscheduledToken: TOKEN_DESK,
  deletePayerOwnedTokens: TOKEN_DESK,
  getCardPayment: SERVICE_DESK,
  abortCardPayment: SERVICE_DESK,
  captureCardPayment: SERVICE_DESK,
  cancelCardPayment: SERVICE_DESK,
  reverseCardPayment: SERVICE_DESK,
  getPaymentOrder: SERVICE_DESK,
  changePaymentOrder: SERVICE_DESK,
  capturePaymentOrder: SERVICE_DESK,
  cancelPaymentOrder: SERVICE_DESK,
  reversePaymentOrder: SERVICE_DESK,
  listSettlements: TREASURY,
  getSettlement: TREASURY,
  listPayouts: TREASURY,
  getTrialBalance: TREASURY,
  getSales: TREASURY,
  listDisputes: SERVICE_DESK,
  getDispute: SERVICE_DESK,
  getAccountPayment: SERVICE_DESK,
  captureAccountPayment: SERVICE_DESK,
  cancelAccountPayment: SERVICE_DESK,
  reverseAccountPayment: SERVICE_DESK,
  getGiftCard: SERVICE_DESK,
  blockGiftCard: SERVICE_DESK,
  unblockGiftCard: SERVICE_DESK,
  replaceGiftCard: SERVICE_DESK,
  voidGiftCard: TREASURY,
  sweepGiftCard: TREASURY,
  mergeGiftCard: TREASURY,
  getNewGiftCard: TREASURY,
  preDeposit: TREASURY,
  listGiftCardProducts: SERVICE_DESK,
  createGiftCardProduct: TREASURY,
  retireGiftCardProduct: TREASURY,
  getGiftCardLiability: SERVICE_DESK,
  listEvents: PROGRAMS,
  listWebhooks: PROGRAMS,
  createWebhook: PROGRAMS,
  getWebhook: PROGRAMS,
  changeWebhook: PROGRAMS,
  rotateWebhookSecret: PROGRAMS,
  testWebhook: PROGRAMS,
  listDeliveries: PROGRAMS,
  getDelivery: PROGRAMS,
  redeliverEvent: PROGRAMS,
};

/**
 * Of an operation of the API whose body names one of several, those that a page may ask for, and for whom. What does not stand
 * here is for programs alone: no page changes the price of an order or what it is paid with.
 */
const ASKED_ACCESS: Readonly<Record<string, Readonly<Record<string, readonly Role[]>>>> = {
  changePaymentOrder: { Abort: SERVICE_DESK },
};

/**
 * Whether a page that a user of this role uses may call an operation of the API.
 *
 * @param asked which of several operations the body asks for; undefined before it was read, and where it names none
 */
export function mayCall(operationId: string, { role }: Pick<Person, 'role'>, asked?: string): boolean {
  const roles = asked === undefined ? API_ACCESS[operationId] : ASKED_ACCESS[operationId]?.[asked];
  return roles?.includes(role) ?? false;
}

/** The operations of the API that the pages of a role may call. */
export function apiOperationsOf(role: Role): readonly string[] {
  return Object.keys(API_ACCESS).filter((name) => mayCall(name, { role }));
}

/**
 * The scopes that a role has, and so what it can give to credentials. To act as the operator or as a token issuer, and to
 * send card numbers, are not a payee's own to give away.
 */
const SCOPES_OF_ROLES: Readonly<Record<Role, readonly Scope[]>> = {
  administrator: [
    ...(['tokens:read', 'tokens:write', 'payments', 'accounts', 'gift-cards'] as const),
    ...(['payers:read', 'payers:erase', 'events', 'webhooks', 'deliveries'] as const),
  ],
  finance: ['tokens:read', 'payments', 'accounts', 'gift-cards', 'events'],
  support: ['tokens:read', 'tokens:write', 'payments', 'accounts', 'gift-cards'],
  integrator: ['tokens:read', 'events', 'webhooks', 'deliveries'],
  operator: SCOPES,
};

/** No page sends card numbers, acts as token issuer, or reads or erases all that is known of a payer. */
const NOT_FOR_PAGES: readonly Scope[] = ['payments:direct', 'tokens:act-as-issuer', 'payers:read', 'payers:erase'];

/** What a user of this role can give to a credential: what the role has. */
export function grantableBy(role: Role): readonly Scope[] {
  return SCOPES_OF_ROLES[role];
}

/** The scopes of the access token that a user's page calls the API with. Webhooks have secrets: they ask for the password. */
export function scopesOf({
  role,
  isReauthenticated,
}: Pick<SignedInUser, 'role' | 'isReauthenticated'>): readonly Scope[] {
  const allowed = SCOPES_OF_ROLES[role].filter((scope) => !NOT_FOR_PAGES.includes(scope));
  return SCOPES.filter((scope) => allowed.includes(scope) && (scope !== 'webhooks' || isReauthenticated));
}
