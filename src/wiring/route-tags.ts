/** What each group of operations of the API is about. The linter asks for a text for every tag that a route has. */
export const API_TAGS: Readonly<Record<string, string>> = {
  'Payer tokens': 'The stored cards and accounts of a payer: read, list, rename, archive',
  'Stored tokens': 'The same by type or by payer: what is active, and its deletion',
  'Account payments': 'Payments against accounts, stored value and cards; every request is signed',
  'Card payments': 'Payments with cards: made here, paid by the payer, then captured, cancelled or reversed',
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
  Activity: 'Who did what',
  Installation: 'For operators: payees, products, issuers, card ranges, keys',
  'HMAC keys': 'What requests to /api/payments are signed with, and a look at a signature',
  Home: 'What the portal begins with',
  Payments: 'Card payments and account payments, and what happened to them',
  Payers: 'People who have stored something with the payee',
  'Gift cards': 'Gift cards, and what happened to them',
  Ledger: 'Accounts, movements, and whether the books balance',
  Webhooks: 'How deliveries go',
  Approvals: 'What waits for the consent of a second person',
  Calls: "What the payee's programs have sent to the API",
  Views: 'Lists as a portal user wants to see them again',
};
