import { SCOPES } from '../../../src/kit/caller.ts';
import { describeRoutes } from '../../../src/wiring/describe-api.ts';
import type { Params, Pool } from './fuzz-pool.ts';
import type { Sender } from './fuzz-requests.ts';
import { FUZZ_CARDS, PAYERS, RECEIVER } from './fuzz-values.ts';
import type { Operation } from './operations.ts';
import { sampleOf } from './routes-samples.ts';

// A body that fits its schema names things that are not there. Here it gets what is: accounts, tokens, payees, secrets.

/** What requests are made from. */
export interface Grounds {
  readonly operations: readonly Operation[];
  readonly pool: Pool;
  readonly payeeId: string;
  readonly giftCardProductId: string;
  readonly oauth: { readonly clientId: string; readonly clientSecret: string };
  /** Whose requests are sent with it: another one for another number. */
  sender(operation: Operation, pick: number): Sender | undefined;
  /** A person who can sign in. */
  readonly user: { readonly email: string; readonly password: string };
  /** Host and port of a server that takes deliveries. */
  readonly receiver: string;
}

interface Chosen extends Grounds {
  readonly pick: number;
  readonly params: Params;
}

const { apiRoutes } = describeRoutes();
const routes = new Map(apiRoutes.map((route) => [route.operationId, route]));

/** Bodies of operations that are no routes with a sample; of others the schema alone says what they take. */
const OWN_SAMPLES: Readonly<Record<string, object>> = {
  issueOAuthToken: { client_id: '', client_secret: '', grant_type: 'client_credentials' },
  revokeOAuthToken: { client_id: '', client_secret: '', token: '' },
  introspectOAuthToken: { client_id: '', client_secret: '', token: '' },
  inviteUser: { email: 'fresh', name: 'Berit', role: 'support' },
  createAccessToken: { name: 'Till', scopes: [] },
  createOAuthClient: { name: 'Till', scopes: [] },
  rotateAccessToken: { overlap: '24h' },
  rotateHmacKey: { overlap: '24h' },
  createPayee: { name: 'Kiosk' },
  reauthenticate: { password: '' },
  signIn: { email: 'own', password: '' },
  readInvitation: { invitation: '' },
  acceptInvitation: { invitation: '', password: 'plenty of fish in the fjord' },
  changeUser: { name: 'Bodil' },
  findGiftCard: { accountKey: '' },
  saveView: { name: 'Mine', page: 'payments', query: 'state=Captured' },
  checkHmac: {
    method: 'POST',
    path: '/api/payments/ping',
    headers: { hmac: 'HmacSHA512 user:nonce:digest' },
    body: '{}',
  },
};

/** A body that the operation takes. */
export function sampleBody(operation: Operation): unknown {
  const route = routes.get(operation.id);
  return structuredClone(OWN_SAMPLES[operation.id] ?? (route && sampleOf(route).body) ?? {});
}

/** A copy of a body whose members name what is there. */
export function groundBody(body: unknown, chosen: Chosen): unknown {
  if (Array.isArray(body)) return body.map((item) => groundBody(item, chosen));
  if (typeof body !== 'object' || body === null) return body;
  const members = Object.entries(body).map(([name, value]) => {
    const known = KNOWN[name];
    return [name, known === undefined ? groundBody(value, chosen) : known(chosen, value)] as const;
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

type Known = (chosen: Chosen, value: unknown) => unknown;

const account: Known = ({ pool, pick, params }) => {
  const known = pool.account(pick, params['paymentAccountId']);
  if (known === undefined) return { accountKey: FUZZ_CARDS[pick % FUZZ_CARDS.length] };
  const { accountKey, cvc, expiryDate } = known;
  return { accountKey, ...(cvc !== undefined && { cvc }), ...(expiryDate !== undefined && { expiryDate }) };
};

/** Mostly a new one: with one that was used the same request comes again. */
const reference =
  (name: string): Known =>
  ({ pool, pick }) =>
    (pick % 9 === 0 ? pool.value(name, pick) : undefined) ?? `ref-${letters(pick)}`;

const fromPool =
  (name: string): Known =>
  ({ pool, pick }, value) =>
    pool.value(name, pick) ?? value;

const sometimesFromPool =
  (name: string): Known =>
  ({ pool, pick }) =>
    pick % 3 === 0 ? (pool.value(name, pick) ?? '') : '';

const invitation: Known = ({ pool, pick }) => new URL(pool.value('link', pick) ?? 'http://none.invalid').hash.slice(1);

const KNOWN: Readonly<Record<string, Known>> = {
  accountIdentifier: account,
  SimpleAccountIdentifier: account,
  accountKey: (chosen) => chosen.pool.account(chosen.pick)?.accountKey,
  paymentTransactionRef: reference('paymentTransactionRef'),
  transactionRef: reference('transactionRef'),
  payeeReference: reference('payeeReference'),
  payeeId: ({ payeeId }) => payeeId,
  cardNumber: ({ pick }) => FUZZ_CARDS[pick % FUZZ_CARDS.length],
  currency: ({ pool, pick, params }, value) => pool.account(pick, params['paymentAccountId'])?.currency ?? value,
  paymentToken: sometimesFromPool('token'),
  recurrenceToken: sometimesFromPool('token'),
  unscheduledToken: sometimesFromPool('token'),
  into: fromPool('paymentAccountId'),
  productId: ({ pool, pick, giftCardProductId }) =>
    (pick % 4 === 0 ? pool.value('productId', pick) : undefined) ?? giftCardProductId,
  payerReference: ({ pick }, value) => (pick % 2 === 0 ? at(PAYERS, pick >> 1) : value),
  url: ({ pick }, value) =>
    at([`http://${RECEIVER}/ok`, 'HTTPS://shop.example/hook', ...Array(4).fill(value)], pick >> 2),
  eventTypes: ({ pick }, value) => (pick % 2 === 0 ? [] : value),
  password: ({ user }) => user.password,
  email: ({ user, pick }, value) => (value === 'own' ? user.email : `user-${letters(pick)}@example.com`),
  invitation,
  code: ({ pick }) => (pick % 4 === 0 ? String(pick % 1_000_000).padStart(6, '0') : undefined),
  scopes: ({ pick }) =>
    SCOPES.filter((_scope, index) => (pick >> index) % 2 === 0)
      .slice(0, 5)
      .concat('events'),
  client_id: ({ oauth }) => oauth.clientId,
  client_secret: ({ oauth, pick }) => (pick % 8 === 0 ? 'wrong' : oauth.clientSecret),
  token: fromPool('access_token'),
};

const at = (texts: readonly string[], pick: number) => texts[pick % texts.length];

/** Letters that stand for a number: digits might be taken for a card's. */
function letters(value: number): string {
  return [...String(value)].map((digit) => 'abcdefghij'.charAt(Number(digit))).join('');
}

/** A copy of a query with cursors and references that are there. */
export function groundQuery(
  query: Readonly<Record<string, string>>,
  { pool, pick }: Pick<Chosen, 'pool' | 'pick'>,
): Readonly<Record<string, string>> {
  const known: Readonly<Record<string, string>> = {
    cursor: 'next',
    paymentTransactionRef: 'paymentTransactionRef',
    search: 'paymentId',
    objectId: 'webhookId',
  };
  const entries = Object.entries(query).map(([name, value]) => [name, pool.value(known[name] ?? '', pick) ?? value]);
  return Object.fromEntries(entries);
}
