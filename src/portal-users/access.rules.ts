import { type AccessFault, ROLES, type Role, type SignedInUser } from '../kit/portal-user.ts';

/** Who may use an operation of the portal. */
interface Access {
  readonly roles: readonly Role[];
  /** The password must have been given a moment ago: for what makes secrets or changes rights. */
  readonly needsPassword?: true;
  /** Also before the second factor is set up, which is then the next thing to do. */
  readonly beforeSecondFactor?: true;
}

const ALL_ROLES: Access = { roles: ROLES };
const CREDENTIALS: Access = { roles: ['administrator', 'integrator', 'operator'] };
const NEW_CREDENTIALS: Access = { ...CREDENTIALS, needsPassword: true };
const USERS: Access = { roles: ['administrator', 'operator'] };
const USER_CHANGES: Access = { ...USERS, needsPassword: true };
const ACTIVITY: Access = { roles: ['administrator', 'integrator', 'operator'] };
const OPERATORS: Access = { roles: ['operator'] };
/** Money and whose it is. */
const BOOKKEEPING: Access = { roles: ['administrator', 'finance', 'operator'] };
/** Those who help payers. */
const SERVICE_DESK: Access = { roles: ['administrator', 'finance', 'support', 'operator'] };
/** Those who look after the payee's programs. */
const PROGRAMS: Access = { roles: ['administrator', 'integrator', 'operator'] };
const ON_THE_WAY_IN: Access = { roles: ROLES, beforeSecondFactor: true };
const SECURING: Access = { ...ON_THE_WAY_IN, needsPassword: true };

/** Every operation of the portal that needs a portal session, by its operationId. */
export const ACCESS: Readonly<Record<string, Access>> = {
  getSession: ON_THE_WAY_IN,
  signOut: ON_THE_WAY_IN,
  reauthenticate: ON_THE_WAY_IN,
  changeOwnPassword: SECURING,
  beginSecondFactor: SECURING,
  confirmSecondFactor: SECURING,
  renewRecoveryCodes: SECURING,
  createSessionCredentials: ALL_ROLES,
  listUsers: USERS,
  inviteUser: USER_CHANGES,
  changeUser: USER_CHANGES,
  disableUser: USER_CHANGES,
  enableUser: USER_CHANGES,
  renewInvitation: USER_CHANGES,
  listAccessTokens: CREDENTIALS,
  createAccessToken: NEW_CREDENTIALS,
  rotateAccessToken: NEW_CREDENTIALS,
  revokeAccessToken: CREDENTIALS,
  listOAuthClients: CREDENTIALS,
  createOAuthClient: NEW_CREDENTIALS,
  revokeOAuthClient: CREDENTIALS,
  listHmacKeys: CREDENTIALS,
  createHmacKey: NEW_CREDENTIALS,
  rotateHmacKey: NEW_CREDENTIALS,
  revokeHmacKey: CREDENTIALS,
  checkHmac: CREDENTIALS,
  listActivity: ACTIVITY,
  exportActivity: ACTIVITY,
  listPayees: OPERATORS,
  createPayee: OPERATORS,
  changePayeeState: { ...OPERATORS, needsPassword: true },
  listCardRanges: OPERATORS,
  listKeys: OPERATORS,
  activateKey: { ...OPERATORS, needsPassword: true },
  // Goes on with what was begun: nothing is decided.
  moveKeyRows: OPERATORS,
  listIssuers: OPERATORS,
  listAcquirers: OPERATORS,
  listAgreements: OPERATORS,
  listUnacknowledged: OPERATORS,
  searchProducts: OPERATORS,
  getStatistics: ALL_ROLES,
  getGettingStarted: ALL_ROLES,
  searchPayments: ALL_ROLES,
  countPayments: ALL_ROLES,
  getPaymentStory: ALL_ROLES,
  exportPayments: BOOKKEEPING,
  searchOrders: ALL_ROLES,
  exportOrders: BOOKKEEPING,
  getOrderStory: ALL_ROLES,
  previewOrderSplit: SERVICE_DESK,
  getOrderSettings: USERS,
  changeOrderSettings: USERS,
  setTimeZone: USER_CHANGES,
  // Who answers for what is stored of persons.
  findPerson: USERS,
  erasePerson: USER_CHANGES,
  searchPayers: SERVICE_DESK,
  searchGiftCards: SERVICE_DESK,
  findGiftCard: SERVICE_DESK,
  getGiftCardStory: SERVICE_DESK,
  previewSweep: BOOKKEEPING,
  // It is weighed, and always needs a second person where there is a limit.
  sweepGiftCards: BOOKKEEPING,
  listLedgerAccounts: BOOKKEEPING,
  getLedgerAccount: BOOKKEEPING,
  listAccountEntries: SERVICE_DESK,
  exportAccountEntries: BOOKKEEPING,
  listDifferences: BOOKKEEPING,
  // What is booked by them is weighed.
  resolveDifference: BOOKKEEPING,
  withdrawBatch: BOOKKEEPING,
  markPayout: BOOKKEEPING,
  exportPayouts: BOOKKEEPING,
  exportTrialBalance: BOOKKEEPING,
  exportSales: BOOKKEEPING,
  listBusinessDays: BOOKKEEPING,
  exportBusinessDays: BOOKKEEPING,
  listDisputeSteps: SERVICE_DESK,
  // What is let go by it is weighed.
  changeDispute: BOOKKEEPING,
  exportDifferences: BOOKKEEPING,
  exportSettlements: BOOKKEEPING,
  exportSettlementDay: BOOKKEEPING,
  listImportedBatches: BOOKKEEPING,
  previewSettlementFile: BOOKKEEPING,
  // It gives no money away, and a wrong one is withdrawn by two persons.
  importSettlementFile: { ...BOOKKEEPING, needsPassword: true },
  // What comes later belongs to the next day: it cannot be opened again.
  closeSettlementDay: { ...BOOKKEEPING, needsPassword: true },
  exportDisputes: SERVICE_DESK,
  listMovements: BOOKKEEPING,
  exportMovements: BOOKKEEPING,
  getMovement: BOOKKEEPING,
  getBooks: BOOKKEEPING,
  listCalls: PROGRAMS,
  getCall: PROGRAMS,
  getWebhookRates: PROGRAMS,
  listPendingChanges: SERVICE_DESK,
  countPendingChanges: SERVICE_DESK,
  // Whether they may decide on it is the right to do it themselves.
  approvePendingChange: { ...SERVICE_DESK, needsPassword: true },
  refusePendingChange: SERVICE_DESK,
  collectPendingChange: { ...SERVICE_DESK, needsPassword: true },
  listViews: ALL_ROLES,
  saveView: ALL_ROLES,
  deleteView: ALL_ROLES,
};

/** Whether a role has the right to an operation of the portal. */
export function mayUse(operationId: string, role: Role): boolean {
  return ACCESS[operationId]?.roles.includes(role) ?? false;
}

/** Why a user may not use an operation; undefined where they may. */
export function accessFault(operationId: string, user: SignedInUser): AccessFault | undefined {
  const access = ACCESS[operationId];
  if (access === undefined || !access.roles.includes(user.role)) return 'role';
  if (user.lacksSecondFactor && !access.beforeSecondFactor) return 'second-factor';
  if (access.needsPassword && !user.isReauthenticated) return 'reauthentication';
  return undefined;
}

/** The operations that a user may use, with a password that was just given. */
export function operationsOf(user: SignedInUser): readonly string[] {
  return Object.keys(ACCESS).filter((name) => accessFault(name, { ...user, isReauthenticated: true }) === undefined);
}
