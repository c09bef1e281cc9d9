import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/kit/caller.ts';
import { ROLES, type Role } from '../../src/kit/portal-user.ts';
import { ChangeOrderBody } from '../../src/orders/requests/order-bodies.wire.ts';
import { API_ACCESS } from '../../src/portal-users/api-access.rules.ts';
import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { type TestService, testService } from '../support/service.ts';
import { type OrdersShop, ordersShop } from '../support/shop/orders-shop.ts';
import { type Browser, signedInAs } from '../support/shop/portal.ts';

const { apiRoutes } = describeRoutes();
const browsers = new Map<Role, Browser>();
let kontor: TestService;
let here: string;
let shop: OrdersShop;
beforeAll(async () => {
  kontor = await testService();
  shop = ordersShop(kontor);
  here = `/portal/api/payees/${kontor.payeeId}`;
  for (const role of ROLES) browsers.set(role, await signedInAs(kontor, role));
});
afterAll(() => kontor.stop());

const browserOf = (role: Role) => browsers.get(role) as Browser;
const credentialsOf = async (role: Role) => (await browserOf(role).post(`${here}/session-credentials`)).body;

/**
 * Who may call what from a page, written out, so that a slip in the table does not make the table right: administrator,
 * finance, support, integrator, operator.
 */
const EXPECTED: Readonly<Record<string, string>> = {
  listTokens: 'AFS-O',
  listArchivedTokens: 'AFS-O',
  getToken: 'AFS-O',
  renameToken: 'A-S-O',
  archiveToken: 'A-S-O',
  archivePayerTokens: 'A-S-O',
  deletePaymentToken: 'A-S-O',
  deleteRecurrenceToken: 'A-S-O',
  deleteUnscheduledToken: 'A-S-O',
  deletePayerOwnedTokens: 'A-S-O',
  getCardPayment: 'AFS-O',
  abortCardPayment: 'AFS-O',
  captureCardPayment: 'AFS-O',
  cancelCardPayment: 'AFS-O',
  reverseCardPayment: 'AFS-O',
  getPaymentOrder: 'AFS-O',
  changePaymentOrder: 'AFS-O',
  capturePaymentOrder: 'AFS-O',
  cancelPaymentOrder: 'AFS-O',
  reversePaymentOrder: 'AFS-O',
  listSettlements: 'AF--O',
  getSettlement: 'AF--O',
  listPayouts: 'AF--O',
  getTrialBalance: 'AF--O',
  getSales: 'AF--O',
  listDisputes: 'AFS-O',
  getDispute: 'AFS-O',
  getAccountPayment: 'AFS-O',
  captureAccountPayment: 'AFS-O',
  cancelAccountPayment: 'AFS-O',
  reverseAccountPayment: 'AFS-O',
  getGiftCard: 'AFS-O',
  blockGiftCard: 'AFS-O',
  unblockGiftCard: 'AFS-O',
  replaceGiftCard: 'AFS-O',
  voidGiftCard: 'AF--O',
  sweepGiftCard: 'AF--O',
  mergeGiftCard: 'AF--O',
  getNewGiftCard: 'AF--O',
  preDeposit: 'AF--O',
  listGiftCardProducts: 'AFS-O',
  createGiftCardProduct: 'AF--O',
  retireGiftCardProduct: 'AF--O',
  getGiftCardLiability: 'AFS-O',
  listEvents: 'A--IO',
  listWebhooks: 'A--IO',
  createWebhook: 'A--IO',
  getWebhook: 'A--IO',
  changeWebhook: 'A--IO',
  rotateWebhookSecret: 'A--IO',
  testWebhook: 'A--IO',
  listDeliveries: 'A--IO',
  getDelivery: 'A--IO',
  redeliverEvent: 'A--IO',
};

/** What each role can give to a credential. No person of a payee can let a program act as the operator, or send card numbers. */
const GRANTABLE: Readonly<Record<Role, readonly string[] | undefined>> = {
  administrator: [
    ...['tokens:read', 'tokens:write', 'payments', 'accounts', 'gift-cards'],
    ...['payers:read', 'payers:erase', 'events', 'webhooks', 'deliveries'],
  ],
  finance: undefined,
  support: undefined,
  integrator: ['tokens:read', 'events', 'webhooks', 'deliveries'],
  operator: SCOPES,
};

describe('what a page calls the API with', () => {
  test('is told by one table, whose names are all operations of the API', () => {
    const names = apiRoutes.map(({ operationId }) => operationId);
    expect(names).toEqual(expect.arrayContaining(Object.keys(API_ACCESS)));
    expect(Object.keys(API_ACCESS).sort()).toEqual(Object.keys(EXPECTED).sort());
  });

  test.each(ROLES)('lets %s call the operations of the role and no others', async (role) => {
    const { accessToken, hmac } = await credentialsOf(role);
    for (const { method, path, operationId } of apiRoutes) {
      const address = path.replace(':payeeId', kontor.payeeId).replaceAll(/:\w+/g, () => crypto.randomUUID());
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
      const { status } = await kontor.send(method, address, { accessToken, hmac, ...body });
      const letter = role.charAt(0).toUpperCase();
      const isAllowed = EXPECTED[operationId]?.includes(letter) ?? false;
      expect([operationId, status === 403]).toEqual([operationId, !isAllowed]);
    }
  });

  test.each(ROLES)('is told to the page of %s', async (role) => {
    const { apiOperations } = (await browserOf(role).get('/portal/api/session')).body;
    const letter = role.charAt(0).toUpperCase();
    const expected = Object.keys(EXPECTED).filter((name) => EXPECTED[name]?.includes(letter));
    expect(apiOperations).toEqual(expected);
  });
});

/** Who may ask for what in the body of a change of an order, from a page. */
const ORDER_CHANGES: Readonly<Record<string, string>> = {
  UpdateOrder: '-----',
  Abort: 'AFS-O',
  PaymentAttemptAborted: '-----',
  SetInstrument: '-----',
  ExpandInstrument: '-----',
};

describe('a change of an order from a page', () => {
  const operations = ChangeOrderBody.properties.paymentorder.properties.operation.enum as readonly string[];

  test('has each of its operations in the table', () => {
    expect(Object.keys(ORDER_CHANGES)).toEqual(operations);
  });

  test.each(ROLES.flatMap((role) => operations.map((operation) => [role, operation] as const)))(
    'by %s is allowed or refused by what it asks for: %s',
    async (role, operation) => {
      const letter = role.charAt(0).toUpperCase();
      const isAllowed = ORDER_CHANGES[operation]?.includes(letter) ?? false;
      const made = await shop.create({ amount: 10_000 });
      const { id } = made.body.paymentOrder;
      const { accessToken } = await credentialsOf(role);
      const members = { amount: 1, vatAmount: 0, abortReason: 'Test', instrument: 'CreditCard' };
      const change = { body: { paymentorder: { operation: operation.toLowerCase(), ...members } } };
      const answer = await kontor.send('PATCH', id, { accessToken, ...change });
      expect(answer.status).toBe(isAllowed ? 200 : 403);
      // Others have no scope that opens the route.
      if (!isAllowed && ORDER_CHANGES['Abort']?.includes(letter)) expect(answer.body.problems[0].name).toBe('role');
      const { body } = await kontor.send('GET', id);
      expect(body.paymentOrder.amount).toBe(10_000);
      // The control: the program of the payee may.
      if (operation === 'UpdateOrder')
        expect((await kontor.send('PATCH', id, change)).body.paymentOrder.amount).toBe(1);
    },
  );
});

describe('a credential', () => {
  const places = [
    ['access-tokens', 'accessTokens'],
    ['oauth-clients', 'oauthClients'],
  ] as const;

  test.each(ROLES.flatMap((role) => places.map(([place]) => [role, place] as const)))(
    'made by %s in %s has only what its maker has',
    async (role, place) => {
      for (const scope of SCOPES) {
        const { status, body } = await browserOf(role).post(`${here}/${place}`, {
          name: 'Till',
          scopes: ['events', scope],
        });
        const isAllowed = GRANTABLE[role]?.includes(scope) ?? false;
        expect([scope, status]).toEqual([scope, isAllowed ? 200 : 403]);
        const reason = GRANTABLE[role] === undefined ? 'role' : 'scopes';
        if (!isAllowed) expect(body.problems[0].name).toBe(reason);
      }
      const list = await browserOf(role).get(`${here}/${place}`);
      expect([list.status, list.body.scopes]).toEqual(
        GRANTABLE[role] === undefined ? [403, undefined] : [200, [...GRANTABLE[role]]],
      );
    },
  );

  test('that can more than an integrator is not made theirs by rotating it', async () => {
    const wanted = { name: 'Shop', scopes: ['accounts', 'gift-cards', 'events'] };
    const made = await browserOf('administrator').post(`${here}/access-tokens`, wanted);
    const rotate = `${here}/access-tokens/${made.body.accessTokenId}/rotate`;
    const refused = await browserOf('integrator').post(rotate);
    expect([refused.status, refused.body.problems[0].name]).toEqual([403, 'scopes']);
    expect((await browserOf('administrator').get(`${here}/access-tokens`)).body.accessTokens[0].expiresAt).toBe(
      made.body.expiresAt,
    );
    expect((await browserOf('administrator').post(rotate)).status).toBe(200);
  });

  test('goes on beside its successor for 90 days at most', async () => {
    const { user } = (await browserOf('administrator').post(`${here}/hmac-keys`)).body;
    const rotate = (overlap: string) =>
      browserOf('administrator').post(`${here}/hmac-keys/${user}/rotate`, { overlap });
    for (const overlap of ['91d', '2161h', '9999d']) expect((await rotate(overlap)).status).toBe(400);
    expect((await rotate('90d')).status).toBe(200);
  });
});

describe('the ways to money that were open', () => {
  test('an integrator makes no credential for it, so issues no gift card', async () => {
    const wanted = ['accounts', 'gift-cards', 'payments:direct', 'tokens:act-as-operator', 'tokens:act-as-issuer'];
    for (const scope of wanted) {
      const { status } = await browserOf('integrator').post(`${here}/access-tokens`, { name: 'Mine', scopes: [scope] });
      expect([scope, status]).toEqual([scope, 403]);
    }
    const hmac = (await browserOf('integrator').post(`${here}/hmac-keys`)).body;
    const { accessToken } = (
      await browserOf('integrator').post(`${here}/access-tokens`, { name: 'Mine', scopes: ['events'] })
    ).body;
    const { status } = await kontor.send('POST', '/api/payments/gift-card/get-new-gift-card', {
      accessToken,
      hmac,
      body: { amount: 1_000_000 },
    });
    expect(status).toBe(403);
  });

  test.each(['administrator', 'finance', 'support'] as const)('%s does not archive as the operator', async (role) => {
    const { accessToken, scopes } = await credentialsOf(role);
    expect(scopes).not.toContain('tokens:act-as-operator');
    const { status } = await kontor.send('PATCH', `/online/payer/payees/${kontor.payeeId}/payers/anna/archives`, {
      accessToken,
      body: { reason: 'stolen', updatedBy: 'SERVICE_OPERATOR' },
    });
    expect(status).toBe(403);
  });

  test('support issues and loads no gift card', async () => {
    const { accessToken, hmac } = await credentialsOf('support');
    for (const step of ['get-new-gift-card', 'pre-deposit']) {
      const answer = await kontor.send('POST', `/api/payments/gift-card/${step}`, { accessToken, hmac, body: {} });
      expect([step, answer.status]).toEqual([step, 403]);
    }
  });
});
