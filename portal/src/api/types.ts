/** The forms of `/portal/api`, by hand until they are generated from its document. */
export interface Session {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly payee: { readonly payeeId: string; readonly name: string };
  readonly mode: 'sandbox' | 'production';
  readonly csrfToken: string;
  readonly secondFactor: 'none' | 'missing' | 'on';
  readonly recoveryCodesLeft: number;
  readonly signedInAt: string;
  readonly expiresAt: string;
  readonly idleSeconds: number;
  readonly reauthenticatedUntil: string;
  readonly operations: readonly string[];
}
export type Role = 'administrator' | 'finance' | 'support' | 'integrator' | 'operator';
export type SignInResult = { readonly next: 'second-factor' } | { readonly next: 'none'; readonly session: Session };

export interface User {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly state: 'Invited' | 'Active' | 'Disabled';
  readonly secondFactor: boolean;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly lastSignInAt: string | null;
  readonly invitationExpiresAt: string | null;
}
export interface Invited {
  readonly user: User;
  readonly invitation: { readonly link: string; readonly expiresAt: string };
}

export interface AccessToken {
  readonly accessTokenId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly createdByName: string | null;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
  readonly lastUsedOn: string | null;
  readonly state: 'Active' | 'Expired' | 'Revoked';
}
export interface OAuthClient {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly revokedAt: string | null;
  readonly state: 'Active' | 'Revoked';
}
export interface HmacKey {
  readonly user: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly state: 'Active' | 'Expiring' | 'Expired' | 'Revoked';
}
export interface HmacVerdict {
  readonly isRight: boolean;
  readonly signedText: string;
  readonly line: number | null;
  readonly causes: readonly string[];
  readonly explanation: string;
}

export interface Activity {
  readonly activityId: string;
  readonly happenedAt: string;
  readonly actor: string;
  readonly actorName: string | null;
  readonly action: string;
  readonly objectKind: string;
  readonly objectId: string;
  readonly sessionId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

export type PaymentState = 'Open' | 'Pending' | 'Paid' | 'Failed' | 'Aborted' | 'Reversed';
export interface Payment {
  readonly paymentId: string;
  readonly family: 'card' | 'account';
  readonly number: number | null;
  readonly kind: string;
  readonly state: PaymentState;
  readonly currency: string;
  readonly amount: number;
  readonly captured: number;
  readonly cancelled: number;
  readonly reversed: number;
  readonly remaining: { readonly capture: number; readonly cancel: number; readonly reversal: number };
  readonly orderReference: string | null;
  readonly reference: string | null;
  readonly payerReference: string | null;
  readonly masked: string | null;
  readonly problem: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly accountId: string | null;
  readonly address: string;
}
export interface PaymentStory {
  readonly payment: Payment;
  readonly transactions: readonly Transaction[];
  readonly timeline: readonly Moment[];
}
export interface Transaction {
  readonly transactionId: string;
  readonly number: number | null;
  readonly type: string;
  readonly state: string;
  readonly amount: number;
  readonly reference: string | null;
  readonly description: string | null;
  readonly problem: string | null;
  readonly createdAt: string;
}
export interface Moment {
  readonly at: string;
  readonly kind: 'call' | 'transaction' | 'movement' | 'event' | 'delivery' | 'act';
  readonly title: string;
  readonly state: string | null;
  readonly id: string;
  readonly sessionId: string | null;
  readonly actor: string | null;
  readonly actorName: string | null;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly problem: string | null;
  readonly entries?: readonly MovementEntry[];
  readonly webhookId: string | null;
  readonly status: number | null;
}

export interface Payer {
  readonly payerReference: string;
  readonly firstSeenAt: string;
  readonly activeTokens: number;
  readonly archivedTokens: number;
}

export interface GiftCard {
  readonly accountId: string;
  readonly productId: string;
  readonly productName: string;
  readonly masked: string;
  readonly state: string;
  readonly currency: string;
  readonly available: number;
  readonly held: number;
  readonly expiresOn: string;
  readonly issuedAt: string;
  readonly blockedAt: string | null;
  readonly endedAt: string | null;
  readonly address: string;
}
export interface GiftCardStory {
  readonly giftCard: GiftCard;
  readonly steps: readonly {
    readonly at: string;
    readonly step: string;
    readonly reason: string | null;
    readonly reference: string;
  }[];
  readonly entries: readonly Entry[];
}

export interface LedgerAccount {
  readonly accountId: string;
  readonly kind: string;
  readonly instrument: string;
  readonly issuer: string;
  readonly masked: string;
  readonly currency: string | null;
  readonly available: number;
  readonly held: number;
  readonly createdAt: string;
  readonly closedAt: string | null;
  readonly isGiftCard: boolean;
}
export interface Entry {
  readonly sequence: number;
  readonly happenedAt: string;
  readonly movementId: string;
  readonly kind: string;
  readonly side: string;
  readonly amount: number;
  readonly balance: number;
  readonly currency: string;
  readonly paymentId: string | null;
}
export interface MovementEntry {
  readonly side: string;
  readonly accountId: string | null;
  readonly amount: number;
  readonly balance: number | null;
}
export interface Movement {
  readonly movementId: string;
  readonly happenedAt: string;
  readonly kind: string;
  readonly currency: string;
  readonly paymentId: string | null;
  readonly transactionId: string | null;
  readonly entries: readonly MovementEntry[];
}
export interface Books {
  readonly verifiedAt: string | null;
  readonly invariants: number;
  readonly broken: number;
}

export interface Call {
  readonly callId: string;
  readonly at: string;
  readonly sessionId: string;
  readonly method: string;
  readonly route: string;
  readonly operationId: string | null;
  readonly status: number;
  readonly durationMs: number;
  readonly credential: string | null;
  readonly problem: string | null;
  readonly resourceIds: readonly string[];
}
export interface CallDetail extends Call {
  readonly address: string;
  readonly requestBody: unknown;
  readonly answerBody: unknown;
  readonly requestHeaders: Readonly<Record<string, string>>;
}

export interface WebhookRate {
  readonly webhookId: string;
  readonly looked: number;
  readonly delivered: number;
  readonly givenUp: number;
  readonly waiting: number;
  readonly oldestWaiting: string | null;
}

export interface CurrencyStatistics {
  readonly currency: string;
  readonly volume: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly days: readonly {
    readonly day: string;
    readonly volume: number;
    readonly succeeded: number;
    readonly failed: number;
  }[];
  readonly declines: readonly { readonly problem: string; readonly count: number }[];
}
export interface Statistics {
  readonly timeZone: string;
  readonly from: string;
  readonly to: string;
  readonly currencies: readonly CurrencyStatistics[];
  readonly isPartial: boolean;
}
export interface GettingStarted {
  readonly hasAccessToken: boolean;
  readonly hasCall: boolean;
  readonly hasPayment: boolean;
  readonly hasCapture: boolean;
  readonly hasWebhook: boolean;
}
export interface View {
  readonly viewId: string;
  readonly name: string;
  readonly page: string;
  readonly query: string;
}
