import type { ListedPayment, Operations, Session } from '../../../client/portal.generated.ts';

export type {
  AccessToken,
  AccountEntry as Entry,
  Activity,
  CardRange,
  HmacKey,
  Key,
  ListedAccount as LedgerAccount,
  ListedEntry as MovementEntry,
  ListedGiftCard as GiftCard,
  ListedIssuer,
  ListedMovement as Movement,
  ListedPayment as Payment,
  ListedProduct,
  ListedTransaction as Transaction,
  LoggedCall as Call,
  Moment,
  OAuthClient,
  Payee,
  PendingChange,
  Session,
  User,
} from '../../../client/portal.generated.ts';

/** What an endpoint of the portal's own API answers. All forms come from its document. */
export type AnswerOf<Endpoint extends keyof Operations> = Operations[Endpoint] extends { readonly answer: infer Answer }
  ? Answer
  : never;

type Here<Rest extends string> = `/portal/api/payees/{payeeId}/${Rest}`;

export type Role = Session['role'];
export type PaymentState = ListedPayment['state'];
export type SignInResult = AnswerOf<'POST /portal/api/session'>;
export type Invited = AnswerOf<`POST ${Here<'users'>}`>;
export type HmacVerdict = AnswerOf<`POST ${Here<'hmac-check'>}`>;
export type Payer = AnswerOf<`GET ${Here<'payers'>}`>['payers'][number];
export type CallDetail = AnswerOf<`GET ${Here<'calls/{callId}'>}`>['call'];
export type WebhookRate = AnswerOf<`GET ${Here<'webhook-rates'>}`>['webhooks'][number];
export type Statistics = AnswerOf<`GET ${Here<'statistics'>}`>;
export type CurrencyStatistics = Statistics['currencies'][number];
export type GettingStarted = AnswerOf<`GET ${Here<'getting-started'>}`>;
export type Books = AnswerOf<`GET ${Here<'ledger/books'>}`>;
export type GiftCardStory = AnswerOf<`GET ${Here<'gift-cards/{accountId}'>}`>;
export type FoundGiftCards = AnswerOf<`POST ${Here<'gift-cards/find'>}`>;
export type View = AnswerOf<`GET ${Here<'views'>}`>['views'][number];
export type PaymentStory = AnswerOf<`GET ${Here<'payments/{paymentId}'>}`>;
export type ReadInvitation = AnswerOf<'POST /portal/api/invitations/read'>;
export type NewSecondFactor = AnswerOf<'POST /portal/api/account/second-factor'>;
export type ConfirmedSecondFactor = AnswerOf<'POST /portal/api/account/second-factor/confirm'>;
export type AccessTokens = AnswerOf<`GET ${Here<'access-tokens'>}`>;
export type NewAccessToken = AnswerOf<`POST ${Here<'access-tokens'>}`>;
export type OAuthClients = AnswerOf<`GET ${Here<'oauth-clients'>}`>;
export type NewOAuthClient = AnswerOf<`POST ${Here<'oauth-clients'>}`>;
export type NewHmacKey = AnswerOf<`POST ${Here<'hmac-keys'>}`>;
export type SessionCredentials = AnswerOf<`POST ${Here<'session-credentials'>}`>;
export type CollectedCard = AnswerOf<`POST ${Here<'pending-changes/{changeId}/collect'>}`>;
export type AccountAsOf = AnswerOf<`GET ${Here<'ledger/accounts/{accountId}'>}`>;
