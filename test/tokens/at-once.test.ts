import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCardNumber } from '../support/numbers.ts';
import type { Answer } from '../support/service.ts';
import { accountLine, cardLine } from '../support/shop/tokens-lines.ts';
import { openShop, operationOf, type Shop } from '../support/shop/tokens-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.stop());

const ROUNDS = 12;
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

describe('archive all at the moment when tokens are made', () => {
  it('leaves no older token active: each import is archived whole, or came later', async () => {
    for (const round of rounds) {
      const payer = `race-${round}`;
      await shop.store(cardLine(round, { payerReference: payer }));
      const makers = [1, 2, 3].map((maker) =>
        shop.store(...[0, 1, 2].map((index) => accountLine(maker * 10 + index, { payerReference: payer }))),
      );
      const archived = shop.archiveAll(payer);
      const [answer] = await Promise.all([archived, ...makers]);
      expect(answer.status).toBe(200);
      const rows = await shop.database.asAdmin(
        `select count(*) filter (where t.state = 'Active' and t.created_at < a.archived_at)::int as late,
           count(*)::int as tokens, count(distinct a.archived_at)::int as moments
         from payer_token t, (select max(archived_at) as archived_at from payer_token where payer_reference = '${payer}') a
         where t.payer_reference = '${payer}'`,
      );
      expect(rows).toEqual([{ late: 0, tokens: 10, moments: 1 }]);
      await expectWholeImports(payer);
    }
  });

  /** The three tokens of one import lie in one transaction: all archived or none. */
  async function expectWholeImports(payer: string): Promise<void> {
    const rows = await shop.database.asAdmin(
      `select count(distinct state)::int as states from payer_token
       where payer_reference = '${payer}' group by date_trunc('milliseconds', created_at)`,
    );
    for (const { states } of rows) expect(states).toBe(1);
  }
});

describe('a walk over the pages while tokens come and go', () => {
  it('sees everything that was there all the time exactly once, in order', async () => {
    for (const round of [0, 1, 2]) {
      const payerReference = `walk-${round}`;
      const guids = await shop.store(...Array.from({ length: 23 }, (_, index) => cardLine(index, { payerReference })));
      const leaving = new Set([guids[20] ?? '', guids[3] ?? '']);
      const seen: string[] = [];
      let step = 0;
      for (
        let href: string | undefined = `${shop.payerPath(payerReference)}/tokens?limit=4`;
        href !== undefined;
        step++
      ) {
        const [{ body }]: [Answer, ...unknown[]] = await Promise.all([
          shop.get(href),
          shop.store(accountLine(step, { payerReference })),
          step === 1 && Promise.all([...leaving].map((guid) => shop.remove('paymentTokens', guid))),
        ]);
        seen.push(...body.tokens.tokenlist.map(({ token }: { token: string }) => token));
        const more: boolean = body.operations.some(({ rel }: { rel: string }) => rel === 'next');
        href = more ? operationOf(body, 'next').href : undefined;
      }
      expect(new Set(seen).size).toBe(seen.length);
      const stayed = guids.filter((guid) => !leaving.has(guid)).reverse();
      expect(seen.filter((guid) => stayed.includes(guid))).toEqual(stayed);
    }
  });
});

describe('changes of one token at once', () => {
  it('are one after the other: no failure, one effect each, one audit row each', async () => {
    for (const round of rounds) {
      const [guid = ''] = await shop.store(cardLine(round, { payerReference: `one-${round}` }));
      const renames = await Promise.all([1, 2, 3, 4].map((name) => shop.rename(guid, `name ${name}`)));
      expect(renames.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const archives = await Promise.all([1, 2, 3, 4].map((name) => shop.archive(guid, { reason: `reason ${name}` })));
      const reasons = new Set(archives.map(({ body }) => body.token.archiveReason));
      expect(reasons.size).toBe(1);
      const deletions = await Promise.all([1, 2, 3].map(() => shop.remove('paymentTokens', guid)));
      expect(deletions.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(new Set(deletions.map(({ text }) => text)).size).toBe(1);
      const actions = (await shop.auditOf(guid)).map(({ action }) => action);
      expect(actions.filter((action) => action === 'archive-token')).toHaveLength(1);
      expect(actions.filter((action) => action === 'delete-token')).toHaveLength(1);
      expect(actions.filter((action) => action === 'rename-token')).toHaveLength(4);
    }
  });

  it('of every kind in one moment: each answers 200 or, once it is deleted, 404', async () => {
    for (const round of rounds) {
      const payer = `mix-${round}`;
      const [guid = ''] = await shop.store(
        cardLine(round, { payerReference: payer }),
        accountLine(round, { payerReference: payer }),
      );
      const answers = await Promise.all([
        shop.rename(guid, 'renamed'),
        shop.archive(guid),
        shop.remove('paymentTokens', guid),
        shop.archiveAll(payer),
        shop.get(shop.tokenPath(guid)),
        shop.remove('payerownedtokens', payer),
        shop.archive(guid, { updatedBy: 'TOKEN_ISSUER' }),
      ]);
      for (const { status } of answers) expect([200, 404]).toContain(status);
      expect(await shop.list(payer)).toEqual([]);
      const actions = (await shop.auditOf(guid)).map(({ action }) => action);
      expect(actions.filter((action) => action === 'delete-token')).toHaveLength(1);
    }
  });

  it('delete a payer`s tokens once: two calls share them out between them', async () => {
    for (const round of rounds) {
      const payer = `shared-${round}`;
      const guids = await shop.store(...[0, 1, 2, 3].map((index) => cardLine(index, { payerReference: payer })));
      const answers = await Promise.all([1, 2, 3].map(() => shop.remove('payerownedtokens', payer)));
      const deleted = answers.flatMap(({ body }) => body.payerOwnedTokens.tokens);
      expect(deleted.map(({ token }: { token: string }) => token).sort()).toEqual([...guids].sort());
    }
  });
});

describe('imports at once', () => {
  it('of the same lines take each of them once', async () => {
    const lines = Array.from({ length: 60 }, (_, index) =>
      cardLine(index, { payerReference: `twin-${index % 7}`, ...(index % 2 === 0 && { token: randomUUID() }) }),
    );
    const runs = await Promise.all([1, 2, 3].map(() => shop.importLines(lines)));
    const imported = runs.flat().filter((outcome) => outcome === 'imported');
    const unchanged = runs.flat().filter((outcome) => outcome === 'unchanged');
    expect([imported.length, unchanged.length]).toEqual([60, 120]);
    const [row] = await shop.database.asAdmin(
      `select count(*)::int as tokens, count(distinct identity_digest)::int as lines from payer_token
       where payer_reference like 'twin-%'`,
    );
    expect(row).toEqual({ tokens: 60, lines: 60 });
  });

  it('with one GUID for different payers take one of them and refuse the others', async () => {
    for (const round of rounds) {
      const token = randomUUID();
      const runs = await Promise.all(
        [1, 2, 3].map((payer) =>
          shop.importLines([cardLine(payer, { token, payerReference: `claim-${round}-${payer}` })]),
        ),
      );
      const outcomes = runs.flat().map((outcome) => (typeof outcome === 'string' ? outcome : outcome.member));
      expect(outcomes.sort()).toEqual(['imported', 'token', 'token']);
    }
  });

  it('and deletions of the same card leave it exactly where a token uses it', async () => {
    for (const round of rounds) {
      const card = 5000 + round;
      const [old = ''] = await shop.store(cardLine(card, { payerReference: `old-${round}` }));
      const [[fresh = '']] = await Promise.all([
        shop.store(cardLine(card, { payerReference: `fresh-${round}` })),
        shop.remove('paymentTokens', old),
      ]);
      const { status, body } = await shop.get(shop.tokenPath(fresh));
      expect([status, body.token.instrumentParameters.lastFourPan]).toEqual([200, testCardNumber(card).slice(-4)]);
      const orphans = await shop.database.asAdmin(
        'select 1 from instrument i where not exists (select from payer_token t where t.instrument_id = i.instrument_id)',
      );
      expect(orphans).toEqual([]);
    }
  });
});
