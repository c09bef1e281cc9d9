import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCardNumber } from '../support/numbers.ts';
import { ARCHIVED, accountLine, cardLine } from '../support/shop/tokens-lines.ts';
import { anotherShop, openShop, type Shop } from '../support/shop/tokens-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const namesOf = (body: { problems: { name: string }[] }) => body.problems.map(({ name }) => name);
const stateOf = async (guid: string) => (await shop.get(shop.tokenPath(guid))).body.token.state;

describe('rename', () => {
  it('changes the display name, trimmed, and nothing else; the answer is what a read then answers', async () => {
    const [guid = ''] = await shop.store(cardLine(0));
    const before = await shop.get(shop.tokenPath(guid));
    const renamed = await shop.rename(`${guid}-Payment`, '  The blue card ');
    expect(renamed.status).toBe(200);
    expect(renamed.body).toEqual({
      ...before.body,
      token: { ...before.body.token, instrumentDisplayName: 'The blue card' },
    });
    expect((await shop.get(shop.tokenPath(guid))).body).toEqual(renamed.body);
  });

  it('works on an archived token', async () => {
    const [guid = ''] = await shop.store(cardLine(1, ARCHIVED));
    const { status, body } = await shop.rename(guid, 'Lost');
    expect([status, body.token.instrumentDisplayName, body.token.state]).toEqual([200, 'Lost', 'Archived']);
  });

  it('takes 1 to 100 characters, counted as people count them', async () => {
    const [guid = ''] = await shop.store(cardLine(2));
    expect((await shop.rename(guid, 'x'.repeat(100))).status).toBe(200);
    expect((await shop.rename(guid, '🂡'.repeat(100))).body.token.instrumentDisplayName).toBe('🂡'.repeat(100));
    for (const wrong of ['', '   ', 'x'.repeat(101)]) {
      const { status, body } = await shop.rename(guid, wrong);
      expect([status, namesOf(body)]).toEqual([400, ['displayName']]);
    }
    const missing = await shop.patch(`${shop.tokenPath(guid)}/displaynames`, { displayName: null });
    expect([missing.status, namesOf(missing.body)]).toEqual([400, ['displayName']]);
  });

  it('is 404 under another type, for an unknown token and for another payee`s, before the body is judged', async () => {
    const other = await anotherShop(shop);
    const [guid = ''] = await shop.store(cardLine(3));
    const [foreign = ''] = await other.store(cardLine(3));
    for (const name of [`${guid}-Unscheduled`, UNKNOWN, foreign]) {
      for (const displayName of ['Mine now', '']) expect((await shop.rename(name, displayName)).status).toBe(404);
    }
    expect((await other.get(other.tokenPath(foreign))).body.token.instrumentDisplayName).not.toBe('Mine now');
  });
});

describe('archive', () => {
  it('answers the token archived, by whom and why', async () => {
    const [guid = ''] = await shop.store(cardLine(10));
    const { status, body } = await shop.archive(guid, { reason: ' it was stolen ' });
    expect(status).toBe(200);
    expect(body.token).toMatchObject({ state: 'Archived', archivedBy: 'PAYEE', archiveReason: 'it was stolen' });
    expect((await shop.get(shop.tokenPath(guid))).body).toEqual(body);
  });

  it('twice keeps the first archiver and reason', async () => {
    const [guid = ''] = await shop.store(cardLine(11));
    const first = await shop.archive(guid);
    const second = await shop.archive(guid, { reason: 'another', updatedBy: 'TOKEN_ISSUER' });
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
  });

  it.each([
    [{ reason: '' }, ['reason']],
    [{ reason: 'x'.repeat(256) }, ['reason']],
    [{ updatedBy: 'payees' }, ['updatedBy']],
    [{ updatedBy: 'NOBODY', reason: ' ' }, ['reason', 'updatedBy']],
  ])('names what is wrong: %j', async (members, names) => {
    const [guid = ''] = await shop.store(cardLine(12, { payerReference: 'wrong' }));
    for (const { status, body } of [await shop.archive(guid, members), await shop.archiveAll('wrong', members)]) {
      expect([status, namesOf(body).sort()]).toEqual([400, names]);
    }
    expect(await stateOf(guid)).toBe('Active');
  });

  it('is 404 under another type, for an unknown token and for another payee`s', async () => {
    const other = await anotherShop(shop);
    const [guid = ''] = await shop.store(cardLine(13));
    const [foreign = ''] = await other.store(cardLine(13));
    for (const name of [`${guid}-Unscheduled`, UNKNOWN, foreign]) {
      expect((await shop.archive(name)).status).toBe(404);
      expect((await shop.archive(name, { updatedBy: 'NOBODY' })).status).toBe(404);
    }
    expect((await other.get(other.tokenPath(foreign))).body.token.state).toBe('Active');
  });
});

describe('archive all', () => {
  it('archives every active token of the payer, and leaves the archived ones as they are', async () => {
    const of = { payerReference: 'mover' };
    const guids = await shop.store(
      cardLine(20, of),
      accountLine(21, { ...of, tokenType: 'Unscheduled' }),
      cardLine(22, { ...of, ...ARCHIVED }),
    );
    const [neighbour = ''] = await shop.store(cardLine(20, { payerReference: 'mover ' }));
    const { status, body } = await shop.archiveAll('mover', { reason: 'moved', updatedBy: 'SERVICE_OPERATOR' });
    expect(status).toBe(200);
    expect(body).toEqual((await shop.get(`${shop.payerPath('mover')}/tokens`)).body);
    expect(body.tokens.id).toBe(`${shop.payerPath('mover')}/tokens`);
    const found = body.tokens.tokenlist.map((token: Record<string, string>) => [
      token['token'],
      token['state'],
      token['archivedBy'],
      token['archiveReason'],
    ]);
    expect(found).toEqual([
      [guids[2], 'Archived', 'TOKEN_ISSUER', 'the card was lost'],
      [guids[1], 'Archived', 'SERVICE_OPERATOR', 'moved'],
      [guids[0], 'Archived', 'SERVICE_OPERATOR', 'moved'],
    ]);
    expect(await stateOf(neighbour)).toBe('Active');
  });

  it('is 200 with an empty list for an unknown payer, also twice', async () => {
    for (let time = 1; time <= 2; time++) {
      const { status, body } = await shop.archiveAll('stranger');
      expect([status, body.tokens.tokenlist, body.tokens.migratedFromConsumerProfile]).toEqual([200, [], false]);
    }
  });

  it('does not touch another payee`s payer of the same name', async () => {
    const other = await anotherShop(shop);
    const [theirs = ''] = await other.store(cardLine(23, { payerReference: 'shared name' }));
    await shop.archiveAll('shared name');
    expect((await other.get(other.tokenPath(theirs))).body.token.state).toBe('Active');
    expect((await shop.patch(`${other.payerPath('shared name')}/archives`, { reason: 'x' })).status).toBe(404);
  });
});

describe('in whose name', () => {
  const SCOPE_OF = {
    PAYEE: 'tokens:write',
    SERVICE_OPERATOR: 'tokens:act-as-operator',
    TOKEN_ISSUER: 'tokens:act-as-issuer',
  };

  it.each(['SERVICE_OPERATOR', 'TOKEN_ISSUER'] as const)('%s needs a scope of its own', async (updatedBy) => {
    const [guid = ''] = await shop.store(cardLine(30, { payerReference: updatedBy }));
    const others = Object.values(SCOPE_OF).filter((scope) => scope !== SCOPE_OF[updatedBy]);
    const accessToken = await shop.addAccessToken(['tokens:read', ...others]);
    for (const refused of [
      await shop.archive(guid, { updatedBy }, { accessToken }),
      await shop.archiveAll(updatedBy, { updatedBy }, { accessToken }),
    ]) {
      expect([refused.status, namesOf(refused.body)]).toEqual([403, ['updatedBy']]);
    }
    expect(await stateOf(guid)).toBe('Active');
    const allowed = await shop.addAccessToken(['tokens:write', SCOPE_OF[updatedBy]]);
    const { status, body } = await shop.archive(guid, { updatedBy }, { accessToken: allowed });
    expect([status, body.token.archivedBy]).toEqual([200, updatedBy]);
  });

  it('is asked after the token was found: an unknown one is 404, also where the scope is missing', async () => {
    const accessToken = await shop.addAccessToken(['tokens:write']);
    expect((await shop.archive(UNKNOWN, { updatedBy: 'TOKEN_ISSUER' }, { accessToken })).status).toBe(404);
  });

  it('is asked of a token that is archived already, too', async () => {
    const [guid = ''] = await shop.store(cardLine(31, ARCHIVED));
    const accessToken = await shop.addAccessToken(['tokens:write']);
    expect((await shop.archive(guid, { updatedBy: 'TOKEN_ISSUER' }, { accessToken })).status).toBe(403);
  });

  it('the endpoint`s own scope comes first: without it nothing is looked up', async () => {
    const accessToken = await shop.addAccessToken(['tokens:read']);
    expect((await shop.rename(UNKNOWN, 'x', { accessToken })).status).toBe(403);
    expect((await shop.archive(UNKNOWN, {}, { accessToken })).status).toBe(403);
    expect((await shop.archiveAll('anna', {}, { accessToken })).status).toBe(403);
    expect((await shop.remove('paymentTokens', UNKNOWN, { accessToken })).status).toBe(403);
    const writer = await shop.addAccessToken(['tokens:write']);
    expect((await shop.get(shop.tokenPath(UNKNOWN), { accessToken: writer })).status).toBe(403);
  });
});

describe('free text', () => {
  const number = testCardNumber(40);
  const hidden = `my card is ${number.replace(/(\d{4})/g, '$1 ')}!`;

  it('with a card number is refused, wherever it stands, and never echoed', async () => {
    const [guid = ''] = await shop.store(cardLine(41, { payerReference: 'talker' }));
    const refused = [
      [await shop.rename(guid, hidden), 'displayName'],
      [await shop.archive(guid, { reason: hidden }), 'reason'],
      [await shop.archiveAll('talker', { reason: hidden }), 'reason'],
      [await shop.patch(`/psp/paymentorders/paymentTokens/${guid}`, { state: 'Deleted', comment: hidden }), 'comment'],
      [await shop.get(`${shop.payerPath(number)}/tokens`), 'payerReference'],
      [await shop.archiveAll(number), 'payerReference'],
    ] as const;
    for (const [{ status, text, body }, name] of refused) {
      expect([name, status, namesOf(body)]).toEqual([name, 400, [name]]);
      expect(text.replaceAll(/\D/g, '')).not.toContain(number);
    }
    expect(await stateOf(guid)).toBe('Active');
  });

  it('with an order number that merely passes Luhn is fine', async () => {
    const [guid = ''] = await shop.store(cardLine(42));
    expect((await shop.rename(guid, 'order 1000000000000008')).status).toBe(200);
  });
});

describe('a payer reference', () => {
  it.each([
    ['x'.repeat(129), 400],
    [`x${' '.repeat(128)}`, 400],
    ['a\u0007b', 400],
    [' ', 400],
    ['x'.repeat(128), 200],
    ['🂡'.repeat(128), 200],
  ])('%j is answered alike by every endpoint of a payer: %d', async (payer, status) => {
    const answers = [
      await shop.get(`${shop.payerPath(payer)}/tokens`),
      await shop.get(`${shop.payerPath(payer)}/archives`),
      await shop.archiveAll(payer),
      await shop.get(`/psp/paymentorders/payerownedtokens/${encodeURIComponent(payer)}`),
      await shop.remove('payerownedtokens', payer),
    ];
    expect(answers.map((answer) => answer.status)).toEqual(Array(5).fill(status));
  });
});
