import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ThreeDS } from '../../src/issuers/authentication/three-ds.types.ts';
import type { Issuer } from '../../src/issuers/issuers.types.ts';
import { type ScriptedIssuer, scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { testCard } from '../support/issuer/three-ds.ts';
import { type Fields, type PayPage, payPage } from '../support/payer/pay-page.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import type { Members } from '../support/shop/card-payments-shop.ts';

// A payer authenticates for the merchant whose agreement charges the card.

/** What the acquirers are now, and under which names the directory server knows the payee there. */
let terms: Record<string, Partial<Issuer>>;
let merchants: Record<string, string>;
/** The questions to the directory server. */
let told: Members[];
let base: TestService;
let issuer: ScriptedIssuer;
beforeAll(async () => {
  base = await serviceWithoutJobs();
  issuer = await scriptedIssuer(base, {
    failoverCodes: ['907'],
    termsOf: (issuerId) => terms[issuerId] ?? {},
    threeDSOf: (threeDS): ThreeDS => ({
      ...threeDS,
      termsFor: (asked) => {
        const known = threeDS.termsFor(asked);
        const merchantId = merchants[asked.agreement.id];
        return known && merchantId === undefined
          ? undefined
          : known && ({ ...known, merchant: { ...known.merchant, merchantId } } as never);
      },
      line: {
        ...threeDS.line,
        ask: (server, message, mostBytes) => {
          if (message['messageType'] === 'AReq') told.push(message);
          return threeDS.line.ask(server, message, mostBytes);
        },
      },
    }),
  });
});
beforeEach(() => {
  terms = {};
  merchants = { sandbox: 'FIRST', second: 'SECOND' };
  told = [];
});
afterAll(async () => {
  await issuer.stop();
  await base.stop();
});

const NOT_SENT = { outcome: 'NotSent', cause: 'NoConnection' } as const;
const REFUSED = {
  outcome: 'Declined',
  problem: 'acquirergatewayerror',
  responseCode: '907',
  retry: { advice: 'Later' },
} as const;
const GONE = { agreementsOf: () => [] };
/** Its issuer asks its holder nothing, unless it is wanted. */
const FRICTIONLESS = { number: testCard('02') };

/** Its issuer wants to see its holder. */
const CHALLENGED = { number: testCard('07') };

const pay = async (card: Fields, members: Members = {}) => {
  const page = await payPage(issuer.kontor, members);
  const before = issuer.questions.length;
  await page.pay(card);
  return { page, asked: () => issuer.questions.slice(before) };
};
const merchantsTold = () => told.map(({ acquirerMerchantID }) => acquirerMerchantID);
const transactionOf = async (page: PayPage) => {
  const { body } = await issuer.kontor.send('GET', `${page.id}/authorizations`);
  return body.authorizations.authorizationList[0];
};
const names = (asked: ScriptedIssuer['questions']) => asked.map(({ agreement }) => agreement.id);

describe('the directory server is told of the merchant', () => {
  it.each([
    ['sandbox', {}],
    ['second', { sandbox: GONE }],
  ])('that charges the card: %s', async (agreement, now: Record<string, Partial<Issuer>>) => {
    terms = now;
    const { asked } = await pay(FRICTIONLESS);
    expect(merchantsTold()).toEqual([merchants[agreement]]);
    expect(names(asked())).toEqual([agreement]);
    expect(asked()[0]).toMatchObject({ authentication: { source: 'Own', transStatus: 'Y' } });
  });

  it('and a card is not authenticated where the agreement that charges it names none', async () => {
    merchants = { second: 'SECOND' };
    const { page, asked } = await pay(FRICTIONLESS);
    expect([told, names(asked())]).toEqual([[], ['sandbox']]);
    expect((await transactionOf(page)).transaction.state).toBe('Completed');
  });
});

describe('while its payer authenticates', () => {
  it('the agreement is kept, whatever routing says by then', async () => {
    terms = { sandbox: GONE };
    const { page, asked } = await pay(CHALLENGED);
    terms = {};
    await page.confirm('Approved');
    expect([merchantsTold(), names(asked())]).toEqual([['SECOND'], ['second']]);
  });

  it('an agreement may end: then another merchant is not paid with it', async () => {
    const { page, asked } = await pay(CHALLENGED);
    terms = { sandbox: GONE };
    await page.post('/authenticate', {});
    expect([merchantsTold(), asked()]).toEqual([['FIRST'], []]);
    const { transaction } = await transactionOf(page);
    expect([transaction.state, transaction.problem.type]).toEqual([
      'Failed',
      expect.stringMatching(/3dsecuredeclined$/),
    ]);
  });
});

describe('where the acquirer was not asked', () => {
  it.each([
    ['not a byte was sent', NOT_SENT],
    ['it says so', REFUSED],
  ])('a payer authenticates anew for the other one: %s', async (_what, answer) => {
    issuer.answerNext(answer);
    const { page, asked } = await pay(FRICTIONLESS);
    expect(merchantsTold()).toEqual(['FIRST', 'SECOND']);
    expect(names(asked())).toEqual(['sandbox', 'second']);
    const [first, second] = asked() as unknown as { authentication: { dsTransactionId: string } }[];
    expect(second?.authentication.dsTransactionId).not.toBe(first?.authentication.dsTransactionId);
    const paid = await transactionOf(page);
    expect(paid).toMatchObject({
      authenticationStatus: 'Y',
      liabilityShift: 'Issuer',
      transaction: { state: 'Completed' },
    });
    const rows = await base.database.asAdmin(
      `select agreement, state from authentication where payment_id = '${page.id.split('/').at(-1)}' order by created_at`,
    );
    expect(rows).toEqual([
      { agreement: 'sandbox', state: 'Succeeded' },
      { agreement: 'second', state: 'Succeeded' },
    ]);
  });

  it('also of one who was challenged before', async () => {
    issuer.answerNext(NOT_SENT);
    const { page, asked } = await pay(CHALLENGED, {
      generateRecurrenceToken: true,
      payerReference: 'anew',
      tokenConsent: 'Optional',
    });
    const answer = await page.confirm('Approved');
    expect(answer.headers.get('location')).toBe(`${page.path}/challenge`);
    const { authenticationStatus, eci, liabilityShift, transaction } = await transactionOf(page);
    expect(transaction.state).toBe('AwaitingActivity');
    expect([authenticationStatus, eci, liabilityShift]).toEqual([undefined, undefined, undefined]);
    await page.confirm('Approved');
    expect([names(asked()), (await transactionOf(page)).transaction.state]).toEqual([
      ['sandbox', 'second'],
      'Completed',
    ]);
  });

  it('the proof goes along where the directory server knows the payee by the same names', async () => {
    merchants = { sandbox: 'SAME', second: 'SAME' };
    issuer.answerNext(NOT_SENT);
    const { page, asked } = await pay(FRICTIONLESS);
    expect([merchantsTold(), names(asked())]).toEqual([['SAME'], ['sandbox', 'second']]);
    expect(asked()[1]).toMatchObject({ authentication: { source: 'Own' } });
    expect((await transactionOf(page)).transaction.state).toBe('Completed');
  });

  it('the try has failed where the other one knows no directory server, and counts for no try', async () => {
    merchants = { sandbox: 'FIRST' };
    issuer.answerNext(NOT_SENT);
    const { page, asked } = await pay(FRICTIONLESS);
    const { transaction } = await transactionOf(page);
    expect([names(asked()), transaction.state]).toEqual([['sandbox'], 'Failed']);
    expect(transaction.problem.type).toMatch(/acquirergatewayerror$/);
  });

  it('two are asked at most', async () => {
    issuer.answerNext(NOT_SENT, NOT_SENT);
    const { page, asked } = await pay(FRICTIONLESS);
    await page.confirm('Approved');
    expect([names(asked()), (await transactionOf(page)).transaction.state]).toEqual([['sandbox', 'second'], 'Failed']);
  });

  it('and a payer who could not be authenticated is charged by the other one, as nothing is proven', async () => {
    issuer.answerNext(NOT_SENT);
    const page = await payPage(issuer.kontor);
    const before = issuer.questions.length;
    await page.pay({ number: testCard('06') });
    expect(names(issuer.questions.slice(before))).toEqual(['sandbox', 'second']);
  });
});
