/**
 * The edge alone: a server with two routes whose answers are ready, without a database and without sockets. Its first message
 * says who calls, what for, and which parts it leaves out, so it shows what each of them costs (`measure-edge.mjs`); or that it is
 * the bare server. Each further one says how many turns to take.
 */
import fastify, { LogController } from 'fastify';
import { AccountParams, PaymentAnswer } from '../dist/modules/src/accounts/account-answers.wire.js';
import { AuthorizeBody } from '../dist/modules/src/accounts/account-bodies.wire.js';
import { schemaChecker } from '../dist/modules/src/http/body/validate.js';
import { registerEdge } from '../dist/modules/src/http/edge/edge.js';
import { createRateLimit } from '../dist/modules/src/http/edge/rate-limit.js';
import { createUnderWay } from '../dist/modules/src/http/edge/under-way.js';
import { giveUpOverdue, overdueError } from '../dist/modules/src/http/listening/overdue.js';
import { readNetworks } from '../dist/modules/src/kit/addresses/networks.js';
import { Secret } from '../dist/modules/src/kit/secret.js';
import { createTraffic } from '../dist/modules/src/kit/work/traffic.js';
import { NoQuery, SingleToken, TokenParams } from '../dist/modules/src/tokens/tokens.wire.js';
import { createLog } from '../dist/modules/src/wiring/log.js';
import { createMetrics } from '../dist/modules/src/wiring/metrics/metrics.js';
import { bareServer } from './bare-server.mjs';
import { connectInMemory } from './in-memory.mjs';
import { requestMaker } from './requests.mjs';

const about = { tag: 'Bench', summary: 'Bench' };
const ORIGIN = 'http://127.0.0.1:3000';
const ID = '0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const operation = (method, rel, path) => ({ method, rel, href: `${ORIGIN}${path}`, contentType: 'application/json' });
const link = (rel, path) => ({ rel, href: `${ORIGIN}${path}`, type: 'application/json', templated: false });

const TOKEN_PATH = `/online/payer/payees/${ID}/tokens/${ID}-Payment`;
const TOKEN_ANSWER = {
  token: {
    id: `${ID}-Payment`,
    payerReference: 'payer-0',
    token: ID,
    tokenType: 'Payment',
    instrument: 'CreditCard',
    instrumentDisplayName: '492500******0004',
    correlationsId: ID,
    state: 'Active',
    instrumentParameters: { cardBrand: 'Visa', expiryDate: '01/2030', lastFour: '0004' },
  },
  operations: [
    operation('GET', 'get-token', TOKEN_PATH),
    operation('PATCH', 'update-displayname', `${TOKEN_PATH}/displaynames`),
    operation('PATCH', 'archive-token', `${TOKEN_PATH}/archives`),
    operation('PATCH', 'delete-paymenttokens', `/psp/paymentorders/paymentTokens/${ID}`),
  ],
};

const PAYMENT_PATH = `/api/payments/payment-account/${ID}/payment/${ID}`;
const TIME = '2026-11-22T20:00:00.000Z';
const PAYMENT_ANSWER = {
  _links: [link('self', PAYMENT_PATH), link('create-capture', `${PAYMENT_PATH}/capture`)],
  accountIdentifier: { accountKey: '957801******0001', expiryDate: '12/39' },
  allowedProductIds: [],
  amount: 10,
  created: TIME,
  currency: 'NOK',
  issuer: {
    acquirerId: 'ledger',
    acquirerName: 'Kontor',
    issuerId: 'ledger',
    issuerName: 'Kontor',
    settlementProvided: false,
  },
  merchant: { merchantName: 'Bench' },
  operation: 'Authorize',
  paymentId: ID,
  paymentOrderRef: 'order',
  paymentTransactionRef: ID,
  remainingCancelAmount: 10,
  remainingCaptureAmount: 10,
  remainingReversalAmount: 0,
  state: 'OK',
  transmissionTime: TIME,
  updated: TIME,
  operations: [
    operation('POST', 'create-capture', `${PAYMENT_PATH}/capture`),
    operation('POST', 'create-cancel', `${PAYMENT_PATH}/cancel`),
  ],
};

process.once('message', async ({ bare, ...edge }) => {
  const server = bare === undefined ? await edgeServer(edge) : bareServer(bare);
  // Node closes a connection after so many, and these are never opened anew.
  server.maxRequestsPerSocket = 0;
  const { take, answer } = connectInMemory(server, requestMaker({ baseUrl: ORIGIN, ...edge }));
  process.on('message', async (turns) => process.send({ least: await take(turns), answer: answer() }));
  process.send('ready');
});
process.once('disconnect', () => process.exit());

const CREDENTIAL = { kind: 'access-token', id: 'bench' };

async function edgeServer({ without, payeeId, hmac }) {
  const has = (part) => !without.includes(part);
  const { log, tellRequest, tellFailure } = createLog(has('log') ? 'info' : 'silent');
  const metrics = createMetrics();
  const traffic = createTraffic();
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    routerOptions: { caseSensitive: false, maxParamLength: 8192 },
    keepAliveTimeout: 65_000,
  });
  const underWay = createUnderWay({ ofNetwork: 1_000, ofCredential: 1_000 });
  giveUpOverdue(app, { limitMs: 10_000, error: overdueError, traffic, left: ({ edge }) => underWay.leave(edge) });
  const limit = (name) => createRateLimit({ name, quota: 0, windowSeconds: 60 });
  const caller = { payeeId, credential: CREDENTIAL, scopes: new Set(['accounts', 'tokens:read']) };
  const secret = new Secret(hmac.secret);
  const shape = (params, body, answer) => ({
    params,
    query: NoQuery,
    body: has('check') ? body : undefined,
    answer: has('answer') ? answer : undefined,
  });
  const ready = (answer) => {
    const text = JSON.stringify(answer);
    return async () => (has('answer') ? answer : text);
  };
  registerEdge(
    app,
    {
      baseUrl: () => 'http://127.0.0.1',
      findCaller: () => caller,
      payeeExists: async () => true,
      signatures: { findSecret: () => secret, now: Date.now, explain: false },
      portal: {},
      requests: limit('requests'),
      pages: limit('pages'),
      signIns: limit('sign-ins'),
      failures: limit('failures'),
      underWay,
      proxies: readNetworks(''),
      needsTls: () => false,
      exemptLoopback: true,
      cardPrefixes: () => [],
      compile: schemaChecker(() => []),
      now: () => performance.now(),
      calls: undefined,
      noteRefused: () => undefined,
      observe: has('metrics') ? metrics.observe : () => undefined,
      tellRequest,
      tellFailure,
      log,
    },
    {
      openRoutes: [],
      portalRoutes: [],
      addresses: { prefixes: ['/online', '/api'], signed: '/api/payments' },
      apiRoutes: [
        {
          ...about,
          method: 'GET',
          path: '/online/payer/payees/:payeeId/tokens/:tokenId',
          operationId: 'getToken',
          scope: 'tokens:read',
          shape: shape(TokenParams, undefined, SingleToken),
          handle: ready(TOKEN_ANSWER),
        },
        {
          ...about,
          method: 'POST',
          path: '/api/payments/payment-account/:paymentAccountId/payment/authorize',
          operationId: 'authorizeAccountPayment',
          scope: 'accounts',
          ...(has('signature') && { signed: true }),
          shape: shape(AccountParams, AuthorizeBody, PaymentAnswer),
          handle: ready(PAYMENT_ANSWER),
        },
      ],
    },
  );
  await app.ready();
  return app.server;
}
