import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KEY_STEP_ROUNDS } from '../../src/keys/keys.http.ts';
import { prepareKey } from '../../src/keys/prepare-key.ts';
import { OPERATOR, type PayeeId, uuidV7 } from '../../src/kit/ids.ts';
import { KEY_MOVE_ROWS } from '../../src/kit/limits.ts';
import { Secret } from '../../src/kit/secret.ts';
import { storeInstruments } from '../../src/vault/store-instruments.ts';
import { testCardNumber } from '../support/numbers.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, signedIn } from '../support/shop/portal.ts';
import { addUnacknowledged } from '../support/shop/portal-rows.ts';
import { cardLine } from '../support/shop/tokens-lines.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
let operator: Browser;
beforeAll(async () => {
  kontor = await testService();
  operator = await signedIn(kontor, 'operator');
});
afterAll(() => kontor.stop());

const get = async (path: string) => {
  const answer = await operator.get(`/portal/api${path}`);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
  return answer.body;
};

describe('the products of all payees', () => {
  let others: readonly string[];
  beforeAll(async () => {
    const made: string[] = [];
    for (let shop = 0; shop < 2; shop++) made.push((await kontor.addPayee()).payeeId);
    others = made.sort();
    await kontor.database.asAdmin(
      others
        .flatMap((payeeId) =>
          ['autumn', 'spring', 'winter'].map(
            (season) => `
              insert into gift_card_product (payee_id, product_id, name, currency, number_prefix, number_length,
                validity_months, smallest_amount, largest_amount, largest_balance, is_default, retired_at)
              values ('${payeeId}', '${season}', 'Of ${season}', 'NOK', '9578', 16, 24, 100, 1000, 2000,
                ${season === 'spring'}, ${season === 'winter' ? 'kontor_now()' : 'null'});`,
          ),
        )
        .join(''),
    );
  });

  const namesOf = (products: readonly { payeeId: string; productId: string }[]) =>
    products.filter(({ payeeId }) => others.includes(payeeId)).map(({ payeeId, productId }) => [payeeId, productId]);

  test('are in one list, payee by payee, each once, however short the pages are', async () => {
    const whole = await get('/products');
    expect(whole.next).toBeNull();
    expect(namesOf(whole.products)).toEqual(
      others.flatMap((payeeId) => ['autumn', 'spring', 'winter'].map((season) => [payeeId, season])),
    );
    const paged = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await get(`/products?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(page.products.length).toBeLessThanOrEqual(2);
      paged.push(...page.products);
      cursor = page.next;
    }
    expect(paged).toEqual(whole.products);
  });

  test('are narrowed to a payee and to a state, on every page', async () => {
    const [, second = ''] = others;
    const first = await get(`/products?payeeId=${others[0]}&limit=2`);
    const rest = await get(`/products?payeeId=${others[0]}&limit=2&cursor=${first.next}`);
    expect(namesOf([...first.products, ...rest.products])).toEqual(
      ['autumn', 'spring', 'winter'].map((season) => [others[0], season]),
    );
    expect(rest.next).toBeNull();
    expect(namesOf((await get('/products?state=Retired')).products)).toEqual(others.map((id) => [id, 'winter']));
    const [spring] = (await get(`/products?payeeId=${second}&state=OnSale`)).products.slice(1);
    expect(spring).toMatchObject({
      payeeName: 'Another shop',
      productId: 'spring',
      state: 'OnSale',
      isDefault: true,
      largestBalance: 2000,
      allowedProductIds: [],
      retiredAt: null,
    });
    expect((await get(`/products?payeeId=${crypto.randomUUID()}`)).products).toEqual([]);
  });

  test.each(['payeeId=nonsense', 'cursor=nonsense', `cursor=${crypto.randomUUID()}x`, 'limit=0', 'state=Gone'])(
    'cannot be asked for with %s',
    async (query) => {
      expect((await operator.get(`/portal/api/products?${query}`)).status).toBe(400);
    },
  );
});

describe('the issuers', () => {
  const issuersById = async () =>
    Object.fromEntries(
      (await get('/issuers')).issuers.map((issuer: { issuerId: string }) => [issuer.issuerId, issuer]),
    );

  /** Stores questions as they are after so many minutes. */
  const addAttempts = async (state: string, count: number, minutesAgo: number) => {
    for (let index = 0; index < count; index++) {
      const at = Date.now() - minutesAgo * 60_000;
      await kontor.database.asAdmin(`
        insert into issuer_attempt (payee_id, attempt_id, payment_id, issuer, state, due_at, created_at, subject)
        values ('${kontor.payeeId}', '${uuidV7(at)}', '${uuidV7(at)}', 'sandbox', '${state}',
          ${state === 'CALLING' || state === 'REVERSING' ? "kontor_now() + interval '1 hour'" : 'null'},
          '${new Date(at).toISOString()}', 'CardPayment')`);
    }
  };

  test('say which numbers they decide on: our ledger on its own and on gift cards', async () => {
    const { ledger, sandbox } = await issuersById();
    expect(ledger).toMatchObject({ kind: 'Ledger', state: 'Own', issuerName: 'Kontor', answered: 0 });
    const [product] = (await get(`/products?payeeId=${kontor.payeeId}`)).products;
    expect(ledger.prefixes).toEqual(expect.arrayContaining(['957801', product.numberPrefix]));
    expect(sandbox).toMatchObject({ kind: 'Elsewhere', state: 'Idle', acquirerName: 'Sandbox acquirer' });
    expect(sandbox.prefixes).toContain('492500');
    expect(sandbox.prefixes).not.toContain('957801');
  });

  test('say how they answered in the last hours, and what they still owe, however old', async () => {
    await addAttempts('SETTLED', 3, 60);
    await addAttempts('REVERSED', 1, 90);
    await addAttempts('SETTLED', 5, 25 * 60);
    await addAttempts('CALLING', 1, 26 * 60);
    const { sandbox } = await issuersById();
    expect(sandbox).toMatchObject({ state: 'Answering', answered: 3, unanswered: 1, waiting: 1, toTakeBack: 0 });
    expect(Date.now() - Date.parse(sandbox.oldestAt)).toBeGreaterThan(25 * 3_600_000);
    expect(sandbox.latestAnsweredAt > sandbox.latestUnansweredAt).toBe(true);
    await addAttempts('REVERSING', 2, 1);
    expect((await issuersById())['sandbox']).toMatchObject({ state: 'NotAnswering', unanswered: 3, toTakeBack: 2 });
  });
});

describe('the acquirers', () => {
  test('are shown with the lines of the instance that answers, named as its machine names it', async () => {
    const lines = async () => (await get('/acquirers')).acquirers[0].lines;
    await until(async () => (await lines()).every(({ state }: { state: string }) => state === 'Ready'));
    const shown = await get('/acquirers');
    expect(shown).toMatchObject({
      instance: { host: hostname(), processId: process.pid },
      acquirers: [{ acquirerId: 'sandbox', address: null, isTestHost: true, isEncrypted: false }],
      isEveryPayeeAgreed: true,
    });
    const [line] = shown.acquirers[0].lines;
    expect(line).toMatchObject({ state: 'Ready', reason: null, detail: '' });
    expect(Date.parse(line.since)).toBeGreaterThanOrEqual(Date.parse(shown.instance.startedAt));
    expect(await get('/agreements')).toEqual({ agreements: [], next: null });
  });

  test('say what they have not acknowledged, the oldest first, and what to do about it', async () => {
    const open = [
      { attemptId: uuidV7(Date.now()), state: 'REVERSING', tries: 6, minutesAgo: 2 },
      { attemptId: uuidV7(Date.now()), state: 'FORWARDING', tries: 7, minutesAgo: 90 },
    ] as const;
    for (const one of open) await addUnacknowledged(kontor.database, { payeeId: kontor.payeeId, ...one });
    const { exchanges, hasMore } = await get('/exchanges');
    expect(hasMore).toBe(false);
    expect(exchanges).toMatchObject([
      { attemptId: open[1].attemptId, state: 'FORWARDING', operation: 'Cancel', advice: 'AskAcquirer', tries: 7 },
      { attemptId: open[0].attemptId, state: 'REVERSING', operation: 'Authorize', advice: 'Wait' },
    ]);
    expect(exchanges[0]).toMatchObject({
      merchantId: '000000000000001',
      terminalId: 'SANDBOX1',
      payeeName: 'Demo shop',
    });
    const people = await signedIn(kontor);
    for (const path of ['acquirers', 'agreements', 'exchanges']) {
      expect((await people.get(`/portal/api/${path}`)).status).toBe(403);
    }
  });
});

describe('a rotation from the portal', () => {
  interface Key {
    readonly id: string;
    readonly state: string;
    readonly rowsLeft: number | null;
  }
  const keysOf = async (purpose: string): Promise<readonly Key[]> =>
    (await get('/keys')).keys.filter((key: { purpose: string }) => key.purpose === purpose);
  const statesOf = async (purpose: string) =>
    Object.fromEntries((await keysOf(purpose)).map(({ id, state }) => [id, state]));
  const prepare = (purpose: 'card-data' | 'secrets' | 'card-verification') =>
    kontor.service.database.transact((transaction) => prepareKey(transaction, kontor.service, purpose));
  const act = (keyId: string, action: 'activate' | 'move-rows') => operator.post(`/portal/api/keys/${keyId}/${action}`);

  test('begins with a key that was prepared, and never makes one', async () => {
    const ring = () => readFile(kontor.config.keyFile, 'utf8');
    const before = await ring();
    expect((await act('card-data-2', 'activate')).status).toBe(404);
    expect((await act('card-data-1', 'activate')).status).toBe(403);
    expect((await act('card-data-1', 'move-rows')).status).toBe(403);
    expect((await act('nonsense', 'move-rows')).status).toBe(404);
    expect(await ring()).toBe(before);
    expect(await statesOf('card-data')).toEqual({ 'card-data-1': 'Current' });
  });

  test('moves every row in steps, retires the old key, and the audit trail names who did it', async () => {
    const count = KEY_MOVE_ROWS * KEY_STEP_ROUNDS + 20;
    const drafts = Array.from({ length: count }, (_, index) => ({
      kind: 'Card' as const,
      number: new Secret(testCardNumber(index)),
      range: undefined,
    }));
    const payeeId = kontor.payeeId as PayeeId;
    await kontor.service.database.transact((transaction) =>
      storeInstruments(transaction, kontor.service, payeeId, drafts),
    );
    await prepare('card-data');
    expect(await statesOf('card-data')).toEqual({ 'card-data-1': 'Current', 'card-data-2': 'Prepared' });
    const activated = await act('card-data-2', 'activate');
    expect([activated.status, activated.body]).toEqual([200, { from: 'card-data-1', to: 'card-data-2' }]);
    expect((await keysOf('card-data'))[0]).toMatchObject({ id: 'card-data-1', state: 'Previous', rowsLeft: count });
    // The key after the next one has to wait for the rows.
    await prepare('card-data');
    expect((await act('card-data-3', 'activate')).status).toBe(403);

    expect((await act('card-data-1', 'move-rows')).body).toEqual({ moved: count - 20, isDone: false });
    expect((await keysOf('card-data'))[0]?.rowsLeft).toBe(20);
    expect((await act('card-data-1', 'move-rows')).body).toEqual({ moved: 20, isDone: true });
    expect((await act('card-data-1', 'move-rows')).body).toEqual({ moved: 0, isDone: true });
    expect(await statesOf('card-data')).toEqual({
      'card-data-1': 'Retired',
      'card-data-2': 'Current',
      'card-data-3': 'Prepared',
    });
    // The service goes on, with the new key alone.
    await kontor.importLines([cardLine(count), cardLine(0)]);
    const { entries } = await get(`/payees/${OPERATOR}/activity?objectKind=key&objectId=card-data-1`);
    expect(entries[0]).toMatchObject({ action: 'retire-key', actorName: 'Sandbox operator' });
    expect((await get(`/payees/${OPERATOR}/activity?objectKind=key&objectId=card-data-2`)).entries).toMatchObject([
      { action: 'activate-key', actorName: 'Sandbox operator' },
    ]);
  });

  test('leaves rows to those who hold them, and says that it is not done', async () => {
    await prepare('secrets');
    await act('secrets-2', 'activate');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const hasLocked = new Promise<void>((resolve, reject) => {
      kontor.database
        .transact(async (transaction) => {
          await transaction.run({ name: 'test-lock', text: 'select from hmac_key for update' }, []);
          resolve();
          await held;
        })
        .catch(reject);
    });
    await hasLocked;
    while ((await act('secrets-1', 'move-rows')).body.moved > 0);
    expect((await act('secrets-1', 'move-rows')).body).toEqual({ moved: 0, isDone: false });
    release();
    await until(async () => (await act('secrets-1', 'move-rows')).body.isDone === true);
    expect(await statesOf('secrets')).toMatchObject({ 'secrets-1': 'Retired', 'secrets-2': 'Current' });
  });

  test('is not for keys that cannot be rotated', async () => {
    await prepare('card-verification');
    expect((await act('card-verification-2', 'activate')).status).toBe(403);
    expect((await keysOf('card-verification'))[0]).toMatchObject({
      state: 'Current',
      isRotatable: false,
      isDue: false,
    });
  });

  test('begins only with a password that was just given, and goes on without', async () => {
    await kontor.database.asAdmin(
      `update portal_session set authenticated_at = authenticated_at - interval '301 seconds'`,
    );
    const refused = await act('card-data-3', 'activate');
    expect([refused.status, refused.body.problems[0].name]).toEqual([403, 'reauthentication']);
    expect((await act('card-data-1', 'move-rows')).body).toEqual({ moved: 0, isDone: true });
    await operator.post('/portal/api/session/reauthenticate', { password: kontor.portal.operator.password });
    expect((await act('card-data-3', 'activate')).status).toBe(200);
  });

  test('is due once a key is older than 90 days, and shows nothing of what is in it', async () => {
    const dueOf = async () => (await get('/keys')).keys.filter(({ isDue }: { isDue: boolean }) => isDue);
    expect(await dueOf()).toEqual([]);
    await kontor.database.asAdmin(`update key_check set created_at = created_at - interval '91 days'`);
    const due = (await dueOf()).map(({ id }: Key) => id);
    expect(due).toEqual(expect.arrayContaining(['card-data-3', 'card-history-1', 'fingerprint-1', 'secrets-2']));
    expect(due.filter((id: string) => id.startsWith('card-verification'))).toEqual([]);
    const answer = await operator.get('/portal/api/keys');
    for (const { material } of JSON.parse(await readFile(kontor.config.keyFile, 'utf8')).keys) {
      expect(answer.text).not.toContain(material);
    }
  });
});
