import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountLine, cardLine, invoiceLine, type Line } from '../support/shop/tokens-lines.ts';
import { anotherShop, KIND_OF, openShop, type Shop } from '../support/shop/tokens-shop.ts';
import { type ModelToken, type Step, TokenModel } from './tokens-model.ts';

/** Two payees with payers of the same names: what one does must not show at the other. */
let shops: Shop[];
beforeAll(async () => {
  const shop = await openShop();
  shops = [shop, await anotherShop(shop)];
});
afterAll(() => shops[0]?.stop());

const TYPES = ['Payment', 'Recurrence', 'TransactionOnFile', 'Unscheduled'];
const DELETABLE = ['Payment', 'Recurrence', 'Unscheduled'];
const ARCHIVERS = ['PAYEE', 'SERVICE_OPERATOR', 'TOKEN_ISSUER'];
const MAKERS = [cardLine, accountLine, invoiceLine];
const text = fc
  .string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(...'abcåß 🂡"\\<') })
  .filter((it) => it.trim() !== '');

const newLine = fc.record({ shop: fc.nat(1), payer: fc.nat(2), type: fc.nat(3), kind: fc.nat(2), index: fc.nat(3) });
const at = fc.nat(11);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('rename' as const), at, text }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('archive' as const), at, by: fc.constantFrom(...ARCHIVERS), text }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('delete' as const), at, as: fc.constantFrom(...DELETABLE) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('archiveAll' as const), at, by: fc.constantFrom(...ARCHIVERS), text }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteAll' as const), at }) },
);

/** A payee's shop, and what we expect it to answer. */
interface Both {
  readonly shop: Shop;
  readonly model: TokenModel;
}

let run = 0;

it('answers as a model of the specification does, whatever the order of changes', { timeout: 120_000 }, async () => {
  const changes = fc.array(step, { minLength: 1, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(fc.array(newLine, { minLength: 4, maxLength: 12 }), changes, async (lines, steps) => {
      run++;
      const both = shops.map((shop): Both => ({ shop, model: new TokenModel() }));
      const stored = await storeAll(both, lines);
      for (const next of steps) {
        const target = stored[next.at % stored.length];
        if (target !== undefined) await take(target.both, target.token, next);
      }
      for (const one of both) await compare(one);
    }),
    { numRuns: 20 },
  );
});

async function storeAll(both: readonly Both[], lines: readonly { shop: number; [part: string]: number }[]) {
  const stored: { readonly both: Both; readonly token: ModelToken }[] = [];
  for (const { shop, payer = 0, type = 0, kind = 0, index = 0 } of lines) {
    const target = both[shop];
    const make = MAKERS[kind];
    if (target === undefined || make === undefined) throw new Error('the test makes lines that it has');
    const line: Line = make(index, {
      payerReference: `payer-${payer}/${run}`,
      tokenType: TYPES[type] ?? '',
      instrumentDisplayName: `number ${stored.length}`,
    });
    const [guid = ''] = await target.shop.store(line);
    await millisecondIsOver();
    target.model.add(guid, line);
    const token = target.model.find(guid);
    if (token !== undefined) stored.push({ both: target, token });
  }
  return stored;
}

/** Of those that are stored in one millisecond none is the newest: they are listed in any order. */
async function millisecondIsOver(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await new Promise((resolve) => setImmediate(resolve));
}

/** Takes one step with the service and with the model, and compares the answers. */
async function take({ shop, model }: Both, token: ModelToken, next: Step): Promise<void> {
  switch (next.do) {
    case 'rename': {
      const { status, body } = await shop.rename(token.guid, next.text);
      expect(status).toBe(model.rename(token, next.text.trim()));
      if (status === 200) expect(shown(body.token)).toEqual(expected(token));
      return;
    }
    case 'archive': {
      const { status, body } = await shop.archive(token.guid, { updatedBy: next.by, reason: next.text });
      expect(status).toBe(model.archive(token, next.by, next.text.trim()));
      if (status === 200) expect(shown(body.token)).toEqual(expected(token));
      return;
    }
    case 'delete': {
      const { status, body } = await shop.remove(KIND_OF[next.as] ?? 'paymentTokens', token.guid);
      const wasThere = token.state !== 'Deleted';
      expect(status).toBe(model.delete(token, next.as));
      if (status !== 200 || next.as === 'Recurrence') return;
      const isShown = token.personal && !wasThere ? 0 : expect.any(Number);
      expect(Object.keys(body.instrumentParameters).length).toEqual(isShown);
      return;
    }
    case 'archiveAll': {
      const { body } = await shop.archiveAll(token.payer, { updatedBy: next.by, reason: next.text });
      model.archiveAll(token.payer, next.by, next.text.trim());
      expect(body.tokens.tokenlist.map(shown)).toEqual(model.list(token.payer).map(expected));
      return;
    }
    case 'deleteAll': {
      const { body } = await shop.remove('payerownedtokens', token.payer);
      const guids = body.payerOwnedTokens.tokens.map((deleted: { token: string }) => deleted.token);
      expect(guids).toEqual(model.deleteAll(token.payer));
    }
  }
}

/** All lists against the model, and each list against the union of the single reads. */
async function compare({ shop, model }: Both): Promise<void> {
  for (const payer of new Set(model.tokens.map((token) => token.payer))) {
    const all = (await shop.get(`${shop.payerPath(payer)}/tokens`)).body.tokens;
    const archived = (await shop.get(`${shop.payerPath(payer)}/archives`)).body.tokens;
    const owned = (await shop.get(`/psp/paymentorders/payerownedtokens/${encodeURIComponent(payer)}`)).body;
    expect(all.tokenlist.map(shown)).toEqual(model.list(payer).map(expected));
    expect(archived.tokenlist.map(shown)).toEqual(model.list(payer, ['Archived']).map(expected));
    expect(owned.payerOwnedTokens.tokens.map((token: { token: string }) => token.token)).toEqual(
      model.list(payer, ['Active']).map(({ guid }) => guid),
    );
    expect(all.migratedFromConsumerProfile).toBe(model.list(payer).length > 0);
  }
  for (const token of model.tokens) {
    const { status, body } = await shop.get(shop.tokenPath(token.guid));
    expect(status).toBe(token.state === 'Deleted' ? 404 : 200);
    if (status === 200) expect(shown(body.token)).toEqual(expected(token));
  }
}

function shown(token: Record<string, unknown>) {
  const { token: guid, tokenType, payerReference, instrument, instrumentDisplayName, state } = token;
  const { archivedBy, archiveReason } = token;
  return { guid, tokenType, payerReference, instrument, instrumentDisplayName, state, archivedBy, archiveReason };
}

function expected({ guid, type, payer, instrument, name, state, archivedBy, reason }: ModelToken) {
  const named = { guid, tokenType: type, payerReference: payer, instrument, instrumentDisplayName: name };
  return { ...named, state, archivedBy, archiveReason: reason };
}
