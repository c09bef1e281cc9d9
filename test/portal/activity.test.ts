import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR } from '../../src/kit/ids.ts';
import { type TestService, testService } from '../support/service.ts';
import { type Browser, signedIn } from '../support/shop/portal.ts';

let kontor: TestService;
let browser: Browser;
let operator: Browser;
let here: string;
beforeAll(async () => {
  kontor = await testService();
  browser = await signedIn(kontor);
  operator = await signedIn(kontor, 'operator');
  here = `/portal/api/payees/${kontor.payeeId}`;
});
afterAll(() => kontor.stop());

interface Entry {
  readonly activityId: string;
  readonly actor: string;
  readonly action: string;
  readonly objectId: string;
}
const actionsOf = (entries: readonly Entry[]) => entries.map(({ action }) => action);

describe('the activity', () => {
  test('says who did what, by name, the newest first', async () => {
    const { accessTokenId } = (await browser.post(`${here}/access-tokens`, { name: 'Shop', scopes: ['events'] })).body;
    const { body } = await browser.get(`${here}/activity`);
    expect(body.entries[0]).toMatchObject({
      actor: expect.stringMatching(/^portal-user:/),
      actorName: 'Demo administrator',
      action: 'create-access-token',
      objectKind: 'access-token',
      objectId: accessTokenId,
      sessionId: expect.any(String),
      details: { scopes: 'events' },
    });
    const times = body.entries.map((entry: { happenedAt: string }) => entry.happenedAt);
    expect(times).toEqual([...times].sort().reverse());
  });

  test('names operators and access tokens too, and can leave out what programs did', async () => {
    expect((await browser.post(`${here}/session-credentials`)).status).toBe(200);
    const made = (await operator.post(`${here}/access-tokens`, { name: 'Till 7', scopes: ['webhooks'] })).body;
    const hook = { accessToken: made.accessToken, body: { url: 'https://example.com/hook' } };
    expect((await kontor.send('POST', '/webhooks', hook)).status).toBe(200);
    const all = (await browser.get(`${here}/activity`)).body.entries;
    expect(actionsOf(all)).toContain('create-portal-credentials');
    expect(all[0]).toMatchObject({ action: 'create-webhook', actorName: 'Till 7' });
    expect(all[1]).toMatchObject({ action: 'create-access-token', actorName: 'Sandbox operator' });
    const people = (await browser.get(`${here}/activity?only=people`)).body.entries;
    expect(actionsOf(people)).not.toContain('create-webhook');
    expect(actionsOf(people)).not.toContain('create-portal-credentials');
    expect(people.every(({ actor }: Entry) => actor.startsWith('portal-user:'))).toBe(true);
    const object = await browser.get(`${here}/activity?objectKind=webhook&objectId=${all[0].objectId}`);
    expect(actionsOf(object.body.entries)).toEqual(['create-webhook']);
    expect((await browser.get(`${here}/activity?objectKind=webhook`)).status).toBe(400);
    expect((await browser.get(`${here}/activity?cursor=nonsense`)).status).toBe(400);
  });

  test('is asked for by period, in the list and in the table, and an end that is none is refused', async () => {
    const all = (await browser.get(`${here}/activity`)).body.entries;
    const [newest, ...older] = all.filter(({ action }: Entry) => action !== 'list-activity');
    const before = `to=${newest.happenedAt}`;
    const listed = (await browser.get(`${here}/activity?${before}`)).body.entries;
    expect(listed.map(({ activityId }: Entry) => activityId)).not.toContain(newest.activityId);
    expect(listed.map(({ activityId }: Entry) => activityId)).toContain(older.at(-1).activityId);
    const table = (await browser.get(`${here}/activity.csv?from=${newest.happenedAt}`)).text.trimEnd().split('\n');
    expect(table.some((line) => line.includes(newest.action))).toBe(true);
    expect(table.slice(1).every((line) => line.slice(0, 24) >= newest.happenedAt)).toBe(true);
    expect((await browser.get(`${here}/activity.csv?from=yesterday`)).status).toBe(400);
  });

  test('comes in pages, and as a table that is written down', async () => {
    await kontor.database.asAdmin(
      `insert into audit (payee_id, audit_id, actor_kind, action, object_kind, object_id, details)
       select '${kontor.payeeId}', gen_random_uuid(), 'service', 'count', 'number', n::text, '{"formula": "=1+1"}'
       from generate_series(1, 350) n`,
    );
    const seen = new Set<string>();
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null; pages++) {
      expect(pages).toBeLessThan(10);
      const answer: { next: string | null; entries: Entry[] } = (
        await browser.get(`${here}/activity${cursor && `?cursor=${cursor}`}`)
      ).body;
      // That they were looked at is written down meanwhile.
      for (const { activityId, action } of answer.entries) if (action !== 'list-activity') seen.add(activityId);
      cursor = answer.next;
    }
    const { rows } = await kontor.database.read<{ count: number; all: number }>(
      {
        name: 'test-count-audit',
        text: `
          select count(*) filter (where action <> 'list-activity') as count, count(*) as all
          from audit
          where payee_id = $1::uuid`,
      },
      [kontor.payeeId],
    );
    const [written] = rows;
    expect(seen.size).toBe(written?.count);
    expect(written?.all).toBeGreaterThan(seen.size);

    const table = await browser.get(`${here}/activity.csv`);
    expect(table.status).toBe(200);
    expect(table.headers.get('content-disposition')).toBe('attachment; filename="activity.csv"');
    expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    // With its heading, and the line about itself.
    expect(table.text.trimEnd().split('\n')).toHaveLength((written?.all ?? 0) + 2);
    expect(table.text).toMatch(/,export-activity,payee,/);
  });

  test("shows nothing of another payee's, and takes the operators' own", async () => {
    const other = await kontor.addPayee();
    const { body } = await operator.get(`/portal/api/payees/${other.payeeId}/activity`);
    expect(new Set(actionsOf(body.entries))).toEqual(
      new Set(['create-payee', 'create-hmac-key', 'create-access-token', 'visit-payee']),
    );
    const own = await operator.get(`/portal/api/payees/${OPERATOR}/activity`);
    expect(actionsOf(own.body.entries)).toContain('sign-in');
  });
});

describe('the installation, as operators see it', () => {
  test('has payees, of which they make more', async () => {
    const { payeeId } = (await operator.post('/portal/api/payees', { name: 'New shop' })).body;
    const { payees } = (await operator.get('/portal/api/payees')).body;
    expect(payees).toContainEqual({
      payeeId,
      name: 'New shop',
      createdAt: expect.any(String),
      timeZone: expect.any(String),
      state: 'Active',
      stateReason: null,
    });
    expect((await operator.get(`/portal/api/payees/${payeeId}/users`)).body).toEqual({ users: [] });
    expect((await operator.post('/portal/api/payees', { name: '4925000000000004' })).status).toBe(400);
  });

  test('has card ranges, from any digits on', async () => {
    const first = (await operator.get('/portal/api/card-ranges')).body;
    expect(first.cardRanges[0]).toMatchObject({
      prefix: expect.any(String),
      source: 'sandbox',
      brand: expect.any(String),
    });
    const from = (await operator.get('/portal/api/card-ranges?prefix=5')).body.cardRanges;
    expect(from.every(({ prefix }: { prefix: string }) => prefix >= '5')).toBe(true);
    const last = first.cardRanges.at(-2);
    const rest = (await operator.get(`/portal/api/card-ranges?cursor=${last.prefix}-${last.source}`)).body.cardRanges;
    expect(rest[0]).toEqual(first.cardRanges.at(-1));
  });

  test('has keys, without what is in them', async () => {
    const { keys } = (await operator.get('/portal/api/keys')).body;
    expect(keys).toContainEqual({
      id: 'secrets-1',
      purpose: 'secrets',
      state: 'Current',
      stateSince: expect.any(String),
      usedSince: expect.any(String),
      isHeld: true,
      isRotatable: true,
      isDue: false,
      rowsLeft: null,
    });
    await kontor.database.asAdmin(`update key_check set state = 'Previous' where key_id = 'secrets-1'`);
    const rotating = (await operator.get('/portal/api/keys')).body.keys;
    const left = rotating.find(({ id }: { id: string }) => id === 'secrets-1');
    // The addresses of the sandbox's two users are among them.
    expect(left).toMatchObject({ state: 'Previous', rowsLeft: expect.any(Number) });
    expect(left.rowsLeft).toBeGreaterThanOrEqual(3);
  });
});
