import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type ScriptedIssuer, scriptedIssuer } from '../support/issuer/card-payments-issuer.ts';
import { externalAuthentication } from '../support/issuer/three-ds.ts';
import { pageAt } from '../support/payer/pay-page.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';
import {
  AMEX,
  type CardPaymentsShop,
  cardPaymentsShop,
  MASTERCARD,
  type Members,
  VISA,
  VISA_WITH_3D_SECURE,
} from '../support/shop/card-payments-shop.ts';

// Payers who do not authenticate here: by 3-D Secure elsewhere, or by an exemption.

let base: TestService;
let issuer: ScriptedIssuer;
/** Asks the scripted issuer, and the test acquirer over its socket. */
let scripted: CardPaymentsShop;
let shop: CardPaymentsShop;
beforeAll(async () => {
  base = await testService();
  issuer = await scriptedIssuer(base, { failoverCodes: ['907'] });
  scripted = cardPaymentsShop(issuer.kontor);
  shop = cardPaymentsShop(base);
});
afterAll(async () => {
  await issuer.stop();
  await base.stop();
});

const ENROLLED = { cardNumber: VISA_WITH_3D_SECURE };
const authentication = externalAuthentication();
const DECLINED = {
  outcome: 'Declined',
  problem: 'carddeclined',
  responseCode: '116',
  retry: { advice: 'Later' },
} as const;
const failures = ({ body }: Answer) => body.problems.map(({ name, description }: Members) => `${name} ${description}`);

/** Proofs of payers who differ: each is for one authorization. */
const proven = (members: Members = {}) => ({
  ...ENROLLED,
  authentication: { ...externalAuthentication(), ...members },
});

async function authorize(card: Members, at = scripted, members: Members = {}, amount = 1500) {
  const id = await at.purchase(amount, members);
  const before = issuer.questions.length;
  const answer = await at.authorize(id, card);
  return { id, answer, shown: answer.body.authorization, questions: issuer.questions.slice(before) };
}

describe('3-D Secure elsewhere', () => {
  it('is told to the acquirer with its proof, and the payer is not asked again', async () => {
    const { shown, questions } = await authorize({ ...ENROLLED, authentication });
    expect(shown).toMatchObject({ authenticationStatus: 'Y', eci: '05', liabilityShift: 'Issuer' });
    expect(shown.transaction.state).toBe('Completed');
    expect(questions).toHaveLength(1);
    const [{ authentication: told, exemption } = {}] = questions as unknown as Members[];
    expect(told).toMatchObject({ version: '2.2.0', transStatus: 'Y', eci: '05', source: 'External' });
    expect(told).toMatchObject({ dsTransactionId: authentication.dsTransactionId });
    expect((told as { authenticationValue: { reveal(): string } }).authenticationValue.reveal()).toBe(
      authentication.authenticationValue,
    );
    expect(exemption).toBeUndefined();
  });

  test.each([
    ['an attempt', ENROLLED, { transStatus: 'A', eci: '06' }],
    ['of Mastercard', { cardNumber: MASTERCARD }, { eci: '02' }],
    ['an attempt of Mastercard', { cardNumber: MASTERCARD }, { transStatus: 'A', eci: '01' }],
    ['of an older version', ENROLLED, { version: '2.1.0' }],
    ['of a newer version', ENROLLED, { version: '2.3.1' }],
  ])('%s is approved by the test acquirer, which looks at the proof', async (_what, card, members) => {
    const { shown } = await authorize({ ...proven(members), ...card }, shop);
    expect(shown.transaction.state).toBe('Completed');
    const { transStatus, eci } = { ...authentication, ...members };
    expect(shown).toMatchObject({ authenticationStatus: transStatus, eci, liabilityShift: 'Issuer' });
  });

  it('with a proof of another authentication is declined by the acquirer', async () => {
    const dsTransactionId = externalAuthentication().dsTransactionId;
    const { shown } = await authorize({ ...ENROLLED, authentication: { ...authentication, dsTransactionId } }, shop);
    expect(shown.transaction).toMatchObject({ state: 'Failed', problem: { acquirerCode: '129' } });
  });

  it('of a card without a directory server counts too', async () => {
    const { shown, questions } = await authorize({
      cardNumber: AMEX,
      cardVerificationCode: '1234',
      authentication: externalAuthentication(),
    });
    expect(shown).toMatchObject({ eci: '05', liabilityShift: 'Issuer' });
    expect(questions[0]).toMatchObject({ authentication: { source: 'External' } });
  });

  it('is not asked for again by a step to 3-D Secure: an issuer that wants it declines', async () => {
    issuer.answerNext({ outcome: 'AuthenticationRequired', responseCode: '180' });
    const { shown } = await authorize(proven());
    expect(shown.transaction.state).toBe('Failed');
    expect(shown.transaction.problem.type).toMatch(/carddeclined$/);
  });

  it('goes along to another acquirer where the first one was not asked', async () => {
    issuer.answerNext({ outcome: 'NotSent', cause: 'NoConnection' });
    const { questions } = await authorize(proven());
    expect(questions.map(({ exchange }) => exchange.acquirerId)).toEqual(['sandbox', 'second']);
    expect(questions[1]).toMatchObject({ authentication: { source: 'External' } });
  });

  it('a key that is known stands for the same indicator', async () => {
    const id = await scripted.purchase(1500);
    const options = { headers: { 'idempotency-key': 'vouched-1' } };
    const card = proven();
    const first = await scripted.authorize(id, card, options);
    const again = await scripted.authorize(id, card, options);
    expect(again.body).toEqual(first.body);
    const other = { ...card.authentication, transStatus: 'A', eci: '06' };
    const refused = await scripted.authorize(id, { ...ENROLLED, authentication: other }, options);
    expect(refused.body.type).toMatch(/referencereused$/);
  });

  it('is for one authorization: another try with it is refused, at the same time and after a decline too', async () => {
    const card = proven();
    const [id, other] = [await scripted.purchase(1500), await scripted.purchase(1500)];
    const before = issuer.questions.length;
    issuer.answerNext(DECLINED);
    const answers = await Promise.all([scripted.authorize(id, card), scripted.authorize(other, card)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const capitals = card.authentication.dsTransactionId.toUpperCase();
    const written = { ...card, authentication: { ...card.authentication, dsTransactionId: capitals } };
    const options = { headers: { 'idempotency-key': 'vouched-twice' } };
    for (const again of [id, other]) {
      const refused = await scripted.authorize(again, written, options);
      expect(refused.status).toBe(400);
      expect(failures(refused)).toEqual([
        expect.stringMatching(/^transaction\.authentication must not have been sent/),
      ]);
    }
    expect(issuer.questions).toHaveLength(before + 1);
    // The key that was refused stands for nothing, and both payments can be paid.
    const paid = await scripted.authorize(id, proven(), options);
    expect(paid.body.authorization.transaction.state).toBe('Completed');
  });

  it('leaves neither its value nor its id in the database', async () => {
    await authorize({ ...ENROLLED, authentication });
    const tables = await base.database.asAdmin(
      `select table_schema || '.' || quote_ident(table_name) as name from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(20);
    const { authenticationValue, dsTransactionId } = authentication;
    for (const { name } of tables) {
      const found = await base.database.asAdmin(
        `select 1 from ${name} t where t::text like '%${authenticationValue}%' or t::text like '%${dsTransactionId}%'`,
      );
      expect([name, found]).toEqual([name, []]);
    }
  });
});

describe('an exemption', () => {
  it('is asked of the acquirer, and the payer is not authenticated', async () => {
    const { shown, questions } = await authorize({ ...ENROLLED, exemption: 'LowValue' });
    expect(shown).toMatchObject({ eci: '07', liabilityShift: 'Merchant', transaction: { state: 'Completed' } });
    expect(shown.authenticationStatus).toBeUndefined();
    expect(questions[0]).toMatchObject({ exemption: 'LowValue', authentication: undefined });
  });

  it('has an indicator of its own with Mastercard, and the test acquirer approves', async () => {
    const { shown } = await authorize({ cardNumber: MASTERCARD, exemption: 'RiskAnalysis' }, shop);
    expect(shown).toMatchObject({ eci: '06', liabilityShift: 'Merchant', transaction: { state: 'Completed' } });
  });

  test.each([
    ['at most 300 SEK', 'LowValue', 300_00, 'SEK', 200],
    ['not above', 'LowValue', 300_01, 'SEK', 400],
    ['at most 30 EUR, as the law says', 'LowValue', 30_00, 'EUR', 200],
    ['not above', 'LowValue', 30_01, 'EUR', 400],
    ['more by an analysis of the risk', 'RiskAnalysis', 500_00, 'EUR', 200],
    ['not above', 'RiskAnalysis', 500_01, 'EUR', 400],
    ['nothing in a currency without a limit', 'LowValue', 1, 'CHF', 400],
    ['any amount at a trusted payee', 'TrustedPayee', 90_000_00, 'CHF', 200],
  ])('is for %s: %s of %i %s', async (_what, ...[exemption, amount, currency, status]) => {
    const { answer, questions } = await authorize({ ...ENROLLED, exemption }, scripted, { currency }, amount);
    expect([answer.status, questions.length]).toEqual([status, status === 200 ? 1 : 0]);
    if (status === 400) expect(failures(answer)).toEqual([expect.stringMatching(/exemption must be for an amount/)]);
  });

  test.each([
    ['generateRecurrenceToken', ENROLLED],
    ['generateUnscheduledToken', ENROLLED],
    ['generateTransactionOnFileToken', ENROLLED],
    ['generateRecurrenceToken', { cardNumber: VISA }],
    ['generateUnscheduledToken', { cardNumber: AMEX, cardVerificationCode: '1234' }],
  ])('is refused beside %s, whatever the card', async (generates, card) => {
    const members = { [generates]: true, payerReference: 'mandate' };
    const { answer, questions, id } = await authorize({ ...card, exemption: 'LowValue' }, scripted, members);
    expect([answer.status, questions]).toEqual([400, []]);
    expect(failures(answer)).toEqual([
      expect.stringMatching(/exemption must not be there if the payment makes a token/),
    ]);
    const paid = await scripted.authorize(id, { cardNumber: VISA });
    expect(paid.body.authorization.transaction.state).toBe('Completed');
  });

  it('that the issuer does not take leads to 3-D Secure, and is not asked for any more', async () => {
    issuer.answerNext({ outcome: 'AuthenticationRequired', responseCode: '180' });
    const { id, shown } = await authorize({ ...ENROLLED, exemption: 'TrustedPayee' });
    const { state, operations } = shown.transaction;
    expect(state).toBe('AwaitingActivity');
    expect(shown.liabilityShift).toBeUndefined();
    const page = pageAt(issuer.kontor, operations[0].href.replace(/\/challenge$/, ''));
    await page.post('/authenticate', {});
    await page.confirm('Approved');
    const { body } = await issuer.kontor.send('GET', `${id}/authorizations`);
    const [one] = body.authorizations.authorizationList;
    expect(one).toMatchObject({ authenticationStatus: 'Y', eci: '05', liabilityShift: 'Issuer' });
    expect(issuer.questions.at(-1)).toMatchObject({ exemption: undefined, authentication: { source: 'Own' } });
  });
});

describe('refused, with no effect', () => {
  const wrong = (members: Members) => ({ ...ENROLLED, authentication: { ...authentication, ...members } });
  const nineteen = Buffer.alloc(19, 7).toString('base64');
  const twentyOne = Buffer.alloc(21, 7).toString('base64');
  const unused = `${authentication.authenticationValue.slice(0, -2)}B=`;
  test.each([
    ['a value of 19 bytes', wrong({ authenticationValue: nineteen }), /authenticationValue .*20 bytes in Base64/],
    ['a value of 21 bytes', wrong({ authenticationValue: twentyOne }), /authenticationValue .*20 bytes in Base64/],
    ['a value with bits too many', wrong({ authenticationValue: unused }), /authenticationValue .*20 bytes in Base64/],
    ['an id that is no UUID', wrong({ dsTransactionId: 'f25084f0' }), /dsTransactionId .*UUID/],
    [
      'a version of before',
      wrong({ version: '1.0.2' }),
      /authentication\.version must be one of 2\.1\.0, 2\.2\.0, 2\.3\.1/,
    ],
    ['a payer who was not authenticated', wrong({ transStatus: 'N' }), /transStatus must be one of Y, A/],
    ['no indicator at all', wrong({ eci: undefined }), /authentication\.eci is required/],
    ['the indicator of an attempt', wrong({ eci: '06' }), /authentication\.eci must be 05/],
    ['the indicator of another scheme', { ...wrong({}), cardNumber: MASTERCARD }, /authentication\.eci must be 02/],
    ['that of another scheme, of an attempt', wrong({ transStatus: 'A', eci: '01' }), /authentication\.eci must be 06/],
    ['an exemption of the lists that is not agreed', { exemption: 'SecureCorporate' }, /exemption must be one that/],
    ['an exemption that there is not', { exemption: 'OneLegOut' }, /transaction\.exemption must be one of LowValue/],
    ['both', { ...wrong({}), exemption: 'LowValue' }, /transaction\.exemption must not be there beside/],
  ])('%s', async (_what, card, problem) => {
    const { id, answer, questions } = await authorize(card);
    expect(answer.status).toBe(400);
    expect(answer.body.type).toMatch(/inputerror$/);
    expect(failures(answer)).toEqual([expect.stringMatching(problem)]);
    expect(answer.text).not.toContain(authentication.authenticationValue);
    expect(questions).toEqual([]);
    const { body } = await issuer.kontor.send('GET', `${id}/authorizations`);
    expect(body.authorizations.authorizationList).toEqual([]);
  });
});
