import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SentIdentifier } from '../../src/accounts/accounts.types.ts';
import { askBalance } from '../../src/accounts/identifying/ask-balance.flow.ts';
import type { AskBalance } from '../../src/accounts/identifying/ask-balance.ts';
import { UNKNOWN_NUMBERS, UNKNOWN_NUMBERS_OF_PAYEE } from '../../src/accounts/identifying/limit-look-ups.ts';
import { Connection } from '../../src/db/server/connection.ts';
import { type Actor, COMMAND_LINE } from '../../src/kit/caller.ts';
import { Refusal } from '../../src/kit/errors.ts';
import { Secret } from '../../src/kit/secret.ts';
import { wrongCode } from '../support/numbers.ts';
import { type TestService, testService } from '../support/service.ts';
import { ownNumber } from '../support/shop/accounts-shop.ts';
import { type CardSeller, cardSeller, type IssuedCard } from '../support/shop/gift-cards-seller.ts';

let kontor: TestService;
let shop: CardSeller;
beforeAll(async () => {
  kontor = await testService();
  shop = cardSeller(kontor);
});
afterAll(() => kontor.stop());
afterEach(() => vi.restoreAllMocks());

function asking(number: string, cvc: string, actor: Actor = COMMAND_LINE): AskBalance {
  const identifier: SentIdentifier = {
    accountKey: new Secret(number),
    accountId: undefined,
    cvc: { digits: new Secret(cvc), cameAsNumber: false },
    securityCode: undefined,
    encryptedPin: undefined,
    expiryDate: undefined,
    track2: undefined,
  };
  return { payeeId: kontor.payeeId, actor, isLimited: true, identifier };
}

const token = (id: string): Actor => ({ kind: 'access-token', id, sessionId: undefined });

/** Asks as a caller away from the sandbox does, whose look-ups count. */
async function look(question: AskBalance): Promise<boolean> {
  const { database, accounts } = kontor.service;
  const { read, transact } = database;
  try {
    await askBalance({ read, transact, context: accounts }, question);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'notfound') return false;
    throw error;
  }
}

describe('look-ups that find nothing', () => {
  /** By their names; transactions are begun by jobs too. */
  const OF_LOOK_UPS = /^(ledger|merchants|gift-cards|journal|keys)-/;

  /** The statements that some work sends whenever it is done: what one run has more than another is a job's, or a memory's. */
  async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
    const runs: string[][] = [];
    for (let time = 0; time < 5; time++) {
      const names: string[] = [];
      const { fly } = Connection.prototype;
      vi.spyOn(Connection.prototype, 'fly').mockImplementation(function (this: Connection, calls) {
        names.push(...calls.map(({ statement }) => statement.name).filter((name) => OF_LOOK_UPS.test(name)));
        return fly.call(this, calls);
      });
      await work();
      vi.restoreAllMocks();
      runs.push(names);
    }
    const count = (names: readonly string[], name: string) => names.filter((other) => other === name).length;
    return [...new Set(runs.flat())].flatMap((name) =>
      Array<string>(Math.min(...runs.map((names) => count(names, name)))).fill(name),
    );
  }

  /** Where an unknown number is counted a card is: the one difference, and both are one row by its key. */
  const alike = (names: readonly string[]) =>
    names.map((name) => name.replace(/^(merchants-upsert-attempts|ledger-update-accounts)$/, 'one row')).sort();

  it('send as many statements for an unknown number as for a wrong code, and for a card that is closed', async () => {
    const card = await shop.issue(10);
    const closed = await shop.issue(10);
    const caller = () => token(String(Math.random()));
    const unknown = await statementsOf(() => look(asking(ownNumber(), '123', caller())));
    const wrong = await statementsOf(() => look(asking(card.accountKey, wrongCode(card.cvc), caller())));
    await kontor.database.asAdmin(
      `update account set blocked_at = kontor_now() where account_id = '${closed.paymentAccountId}'`,
    );
    const blocked = await statementsOf(() => look(asking(closed.accountKey, closed.cvc, caller())));
    expect(unknown.length).toBeGreaterThan(6);
    expect(alike(wrong).join('\n')).toEqual(alike(unknown).join('\n'));
    expect(alike(blocked)).toEqual(alike(unknown));
  });

  it('send as many for a deposit', async () => {
    const card = await shop.issue(10);
    const unknown = await statementsOf(() => shop.deposit({ accountKey: ownNumber(), cvc: '123' }, { amount: 1 }));
    const wrong = await statementsOf(() => shop.deposit({ ...card, cvc: wrongCode(card.cvc) }, { amount: 1 }));
    const closed = await statementsOf(() => shop.deposit(card, { amount: 1 }));
    expect(unknown.length).toBeGreaterThan(6);
    expect(alike(wrong).join('\n')).toEqual(alike(unknown).join('\n'));
    expect(alike(closed)).toEqual(alike(unknown));
  });

  it('take as long, over HTTP', async () => {
    const cards = await Promise.all(Array.from({ length: 10 }, () => shop.issue(10)));
    const PAIRS = 80;
    for (const path of ['/api/payments/payment-account/balance', 'deposit']) {
      const ask = async (card: { accountKey: string; cvc: string }) => {
        const before = performance.now();
        const answer =
          path === 'deposit'
            ? await shop.deposit(card, { amount: 1 })
            : await kontor.send('POST', path, { body: { accountIdentifier: card } });
        expect(answer.status).toBe(404);
        return performance.now() - before;
      };
      const unknown: number[] = [];
      const wrong: number[] = [];
      for (let pair = 0; pair < PAIRS; pair++) {
        const card = cards[pair % cards.length] as IssuedCard;
        const askUnknown = async () => void unknown.push(await ask({ accountKey: ownNumber(), cvc: '123' }));
        const askWrong = async () =>
          void wrong.push(await ask({ accountKey: card.accountKey, cvc: wrongCode(card.cvc) }));
        // In turns, so that what the machine does meanwhile falls on both.
        for (const one of pair % 2 === 0 ? [askUnknown, askWrong] : [askWrong, askUnknown]) await one();
      }
      // How often an unknown number is quicker (Mann and Whitney): 0.5 where nothing tells them apart, with a deviation of
      // 0.05 for 80 pairs. Two milliseconds of five made it 0.95.
      const quicker = unknown.flatMap((a) => wrong.map((b) => (a < b ? 1 : 0) as number));
      const share = quicker.reduce((sum, one) => sum + one, 0) / quicker.length;
      expect(share, `${path}: ${share}`).toBeGreaterThan(0.2);
      expect(share, `${path}: ${share}`).toBeLessThan(0.8);
    }
  }, 60_000);

  it('are limited for each caller away from the sandbox, unknown numbers and wrong codes alike', async () => {
    const card = await shop.issue(10);
    expect(await look(asking(card.accountKey, wrongCode(card.cvc), token('a')))).toBe(false);
    for (let time = 1; time < UNKNOWN_NUMBERS; time++)
      expect(await look(asking(ownNumber(), '123', token('a')))).toBe(false);
    await expect(look(asking(ownNumber(), '123', token('a')))).rejects.toMatchObject({
      code: 'toomanyrequests',
      detail: expect.stringContaining('unknown numbers'),
    });
    expect(await look(asking(ownNumber(), '123', token('b')))).toBe(false);
  });

  it('are limited for each OAuth client, however many tokens it fetches', async () => {
    const client = 'oauth-client:c';
    for (let time = 0; time < UNKNOWN_NUMBERS; time++) {
      expect(await look(asking(ownNumber(), '123', { ...token(String(time)), client }))).toBe(false);
    }
    const another = asking(ownNumber(), '123', { ...token('one more'), client });
    await expect(look(another)).rejects.toMatchObject({ code: 'toomanyrequests' });
  });

  it('are limited for all credentials of a payee together', async () => {
    await kontor.database.asAdmin(
      `update attempt set count = ${UNKNOWN_NUMBERS_OF_PAYEE} where kind = 'unknown-account-number-payee'`,
    );
    const fresh = asking(ownNumber(), '123', token('fresh'));
    await expect(look(fresh)).rejects.toMatchObject({
      code: 'toomanyrequests',
      detail: expect.stringContaining('payee'),
    });
  });
});

describe('a caller who fetches tokens', () => {
  it('counts as the client, by which an access token was fetched', async () => {
    const { oauth } = JSON.parse(JSON.stringify(kontor)) as { oauth: { clientId: string; clientSecret: string } };
    const fetchToken = async () => {
      const form = { grant_type: 'client_credentials', client_id: oauth.clientId, client_secret: oauth.clientSecret };
      const answer = await fetch(`${kontor.baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
      return ((await answer.json()) as { access_token: string }).access_token;
    };
    const card = await shop.issue(10);
    const body = { accountIdentifier: { accountKey: card.accountKey, cvc: wrongCode(card.cvc) } };
    for (let time = 0; time < 5; time++) {
      await kontor.send('POST', '/api/payments/payment-account/balance', { body, accessToken: await fetchToken() });
    }
    const right = { body: { accountIdentifier: { accountKey: card.accountKey, cvc: card.cvc } } };
    const path = '/api/payments/payment-account/balance';
    expect((await kontor.send('POST', path, { ...right, accessToken: await fetchToken() })).status).toBe(404);
    expect((await kontor.send('POST', path, right)).status).toBe(200);
    const unblock = `/api/payments/gift-card/${card.paymentAccountId}/unblock`;
    expect((await kontor.send('POST', unblock, { body: { transactionRef: 'unblock-1' } })).status).toBe(200);
    expect((await kontor.send('POST', path, { ...right, accessToken: await fetchToken() })).status).toBe(200);
  });
});
