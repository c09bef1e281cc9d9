import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { testCardNumber } from '../support/numbers.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Received, type Receiver, rightSignatures, startReceiver } from '../support/shop/receiver.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
let to: Receiver;
beforeAll(async () => {
  kontor = await testService();
});
afterAll(() => kontor.stop());
beforeEach(async () => {
  to = await startReceiver();
  const { stop } = to;
  onTestFinished(() => stop());
});

async function makeWebhook(members: object = {}) {
  const { status, body } = await kontor.send('POST', '/webhooks', { body: { url: to.url, ...members } });
  expect(status).toBe(200);
  return { secret: body.secret as string, id: body.webhook.id as string, body };
}

const cards = { count: 0 };

/** A token of its own, by import, and its address. */
async function addToken(payeeId = kontor.payeeId): Promise<string> {
  const token = crypto.randomUUID();
  cards.count++;
  await kontor.importLines(
    [
      {
        payerReference: 'anna',
        token,
        tokenType: 'Payment',
        instrument: 'CreditCard',
        pan: testCardNumber(cards.count),
        expiryDate: '01/2030',
      },
    ],
    payeeId,
  );
  return `/online/payer/payees/${payeeId}/tokens/${token}-Payment`;
}

const archive = (token: string) =>
  kontor.send('PATCH', `${token}/archives`, { body: { reason: 'Lost', updatedBy: 'PAYEE' } });
const rename = (token: string, displayName = 'Mine') =>
  kontor.send('PATCH', `${token}/displaynames`, { body: { displayName } });
const typesOf = (taken: readonly Received[]) => taken.map(({ event }) => event.type);

test('what happens to a token is posted in order, signed, and says nothing of the card or the payer', async () => {
  const { secret } = await makeWebhook({ eventTypes: ['token.*'] });
  const token = await addToken();
  await rename(token);
  await archive(token);
  await archive(token);
  const guid = token.split('/').at(-1)?.slice(0, 36);
  await kontor.send('PATCH', `/psp/paymentorders/paymenttokens/${guid}`, { body: { state: 'Deleted' } });
  await until(() => to.taken.length === 3);
  expect(typesOf(to.taken)).toEqual(['token.renamed', 'token.archived', 'token.deleted']);
  for (const [index, received] of to.taken.entries()) {
    expect(rightSignatures(received, secret)).toBe(1);
    expect(received.event.resource).toEqual({ kind: 'token', id: `${guid}-Payment`, sequence: index + 1 });
    expect(received.event.data).toEqual({ token: guid, tokenType: 'Payment' });
  }
});

describe('the feed', () => {
  test('shows the same events page by page, and can be followed', async () => {
    await makeWebhook();
    const { body: end } = await kontor.send('GET', '/events?after=latest');
    const token = await addToken();
    for (let count = 0; count < 5; count++) await rename(token, `Mine ${count}`);
    await until(() => to.taken.length === 5);
    let { href } = end.operations[0];
    const seen: unknown[] = [];
    for (let hasMore = true; hasMore; ) {
      const { body } = await kontor.send('GET', `${href}&limit=2`.replace('&limit=2&limit=2', '&limit=2'));
      seen.push(...body.events.eventList);
      ({ hasMore } = body.events);
      ({ href } = body.operations.find(({ rel }: { rel: string }) => rel === 'next'));
    }
    expect(seen).toEqual(to.taken.map(({ body }) => JSON.parse(body)));
    const positions = seen.map((event) => (event as { position: number }).position);
    expect(positions).toEqual(positions.map((_, index) => (positions[0] ?? 0) + index));
  });

  test("has no other payee's events", async () => {
    const other = await kontor.addPayee();
    const token = await addToken(other.payeeId);
    const { accessToken } = other;
    await kontor.send('PATCH', `${token}/displaynames`, { accessToken, body: { displayName: 'Mine' } });
    const feed = async () => (await kontor.send('GET', '/events', { accessToken })).body.events.eventList;
    await until(async () => (await feed()).length > 0);
    expect(await feed()).toMatchObject([{ position: 1, type: 'token.renamed' }]);
  });
});

describe('a webhook', () => {
  test('is not made for a type of event that there is not, and the refusal lists those that there are', async () => {
    const list = async () => (await kontor.send('GET', '/webhooks')).body.webhooks.webhookList.length;
    const before = await list();
    const eventTypes = ['payment.*', 'payment.catpured'];
    const { status, body, text } = await kontor.send('POST', '/webhooks', { body: { url: to.url, eventTypes } });
    expect([status, body.problems[0].name]).toEqual([400, 'eventTypes[1]']);
    expect(body.problems[0].description).toContain('payment.captured');
    expect(text).not.toContain('catpured');
    expect(await list()).toBe(before);
    const { id } = await makeWebhook();
    expect((await kontor.send('PATCH', id, { body: { eventTypes } })).status).toBe(400);
  });

  test('that was made for such a type before can be changed otherwise', async () => {
    const { id } = await makeWebhook();
    const webhookId = id.split('/').at(-1);
    await kontor.database.asAdmin(
      `update webhook set event_types = '{payment.catpured}' where webhook_id = '${webhookId}'`,
    );
    const { status, body } = await kontor.send('PATCH', id, { body: { state: 'Disabled' } });
    expect([status, body.webhook?.state]).toEqual([200, 'Disabled']);
  });

  test('shows its secret once, and not in the log or the lists', async () => {
    const { secret, id } = await makeWebhook();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    for (const path of [id, '/webhooks', `${id}/deliveries`]) {
      const { status, text } = await kontor.send('GET', path);
      expect(status).toBe(200);
      expect(text).not.toContain('whsec_');
    }
    const rows = await kontor.database.asAdmin('select row_to_json(signing_secret)::text as row from signing_secret');
    const plain = Buffer.from(secret.slice(6), 'base64').toString('hex');
    for (const { row } of rows) for (const text of [secret.slice(6), plain]) expect(row).not.toContain(text);
  });

  test('is made once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const ask = (body: object) => kontor.send('POST', '/webhooks', { headers, body });
    const [first, again] = await Promise.all([ask({ url: to.url }), ask({ url: to.url })]);
    expect(again.body).toEqual(first.body);
    expect([first, again].map((answer) => answer.headers.get('idempotency-replayed')).sort()).toEqual(
      ['true', null].sort(),
    );
    expect((await ask({ url: to.url, description: 'Other' })).status).toBe(422);
    await kontor.send('PATCH', first.body.webhook.id, { body: { state: 'Deleted' } });
    expect((await ask({ url: to.url })).body.webhook.id).not.toBe(first.body.webhook.id);
  });

  test('signs with both secrets while one takes the place of the other', async () => {
    const { secret, id } = await makeWebhook({ eventTypes: ['token.deleted'] });
    const rotated = await kontor.send('POST', `${id}/secrets`, { body: { overlap: '2h' } });
    expect(new Date(rotated.body.oldSecretEnds).getTime() - Date.now()).toBeGreaterThan(7_000_000);
    await kontor.send('POST', `${id}/tests`);
    await until(() => to.taken.length === 1);
    const [received] = to.taken as [Received];
    expect([secret, rotated.body.secret].map((one) => rightSignatures(received, one))).toEqual([1, 1]);
    await kontor.database.asAdmin('update signing_secret set expires_at = kontor_now() where expires_at is not null');
    await kontor.send('POST', `${id}/tests`);
    await until(() => to.taken.length === 2);
    const [, later] = to.taken as [Received, Received];
    expect([secret, rotated.body.secret].map((one) => rightSignatures(later, one))).toEqual([0, 1]);
  });

  test('shows what was sent and what was answered, and sends it once more', async () => {
    const { id } = await makeWebhook({ eventTypes: ['token.deleted'] });
    to.behave((_received, response) => {
      response.writeHead(500).end('out of stock');
      return undefined;
    });
    await kontor.send('POST', `${id}/tests`);
    const list = async () => (await kontor.send('GET', `${id}/deliveries`)).body.deliveries.deliveryList;
    await until(async () => (await list())[0]?.tries === 1 && to.all.length === 1);
    const [delivery] = await list();
    expect(delivery).toMatchObject({ state: 'Waiting', tries: 1, event: { type: 'webhook.test' } });
    await until(async () => (await kontor.send('GET', delivery.id)).body.delivery.tryList.length === 1);
    const { body } = await kontor.send('GET', delivery.id);
    expect(body.delivery).toMatchObject({
      body: to.all[0]?.body,
      tryList: [{ status: 500, failure: 'status', answer: 'out of stock' }],
    });
    to.behave(() => 200);
    const redeliver = body.operations.find(({ rel }: { rel: string }) => rel === 'redeliver');
    expect((await kontor.send(redeliver.method, redeliver.href)).status).toBe(200);
    await until(async () => (await list())[0].state === 'Delivered');
    expect(to.all[1]?.headers['webhook-id']).toBe(to.all[0]?.headers['webhook-id']);
    expect((await kontor.send('GET', `${id}/deliveries?state=GivenUp`)).body.deliveries.deliveryList).toEqual([]);
  });

  test('that is disabled gets nothing, and one that is deleted is gone', async () => {
    const { id } = await makeWebhook();
    const change = (state: string) => kontor.send('PATCH', id, { body: { state } });
    expect((await change('Disabled')).body.webhook.state).toBe('Disabled');
    expect((await kontor.send('POST', `${id}/tests`)).status).toBe(403);
    expect((await change('Enabled')).body.webhook.state).toBe('Enabled');
    expect((await change('Deleted')).body).toMatchObject({ webhook: { state: 'Deleted' }, operations: [] });
    expect((await kontor.send('GET', id)).status).toBe(404);
    const [row] = await kontor.database.asAdmin(
      `select count(*)::int as secrets from signing_secret where webhook_id = '${id.split('/').at(-1)}'`,
    );
    expect(row).toEqual({ secrets: 0 });
  });

  test.each([
    ['ftp://shop.example/', 'https'],
    ['https://user@shop.example/', 'user'],
    ['https://shop.example/#top', 'fragment'],
  ])('does not go to %s', async (url, word) => {
    const { status, body } = await kontor.send('POST', '/webhooks', { body: { url } });
    expect(status).toBe(400);
    expect(body.problems).toEqual([{ name: 'url', description: expect.stringContaining(word) }]);
  });
});
