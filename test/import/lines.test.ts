import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testCardNumber } from '../support/numbers.ts';
import { type ImportEnded, importFile, settingsOf } from '../support/shop/tokens-command.ts';
import { accountLine, cardLine, fileOf, invoiceLine } from '../support/shop/tokens-lines.ts';
import { openShop, type Shop } from '../support/shop/tokens-shop.ts';

let shop: Shop;
let settings: Readonly<Record<string, string>>;
beforeAll(async () => {
  shop = await openShop();
  settings = settingsOf(shop);
});
afterAll(() => shop.stop());

const card = (members: object): object => ({ ...cardLine(100), payerReference: 'lines', ...members });
const archived = { state: 'Archived', archivedBy: 'PAYEE', archiveReason: 'why' };
const number = testCardNumber(101);

/** Lines that are refused, under the member that the refusal names. */
const REFUSED: readonly (readonly [member: string, line: object])[] = [
  ['payerReference', card({ payerReference: null })],
  ['payerReference', card({ payerReference: 'x'.repeat(129) })],
  ['payerReference', card({ payerReference: `x${' '.repeat(200)}` })],
  ['payerReference', card({ payerReference: 'a\nb' })],
  ['payerReference', card({ payerReference: number })],
  ['payerReference', card({ payerReference: 17 })],
  ['tokenType', card({ tokenType: 'Gift' })],
  ['instrument', card({ instrument: 'Cash only' })],
  ['instrument', card({ instrument: '4Cards' })],
  ['instrument', card({ instrument: 'creditcard' })],
  ['instrument', card({ instrument: 'Bank-Account' })],
  ['instrument', card({ instrument: 'x'.repeat(51) })],
  ['instrument', card({ instrument: `Swish-${number}` })],
  ['instrumentParameters', card({ instrument: 'Swish', instrumentParameters: 'x' })],
  ['instrumentParameters', card({ instrument: 'Swish', instrumentParameters: { 'no name': 'x' } })],
  ['instrumentParameters', card({ instrument: 'Swish', instrumentParameters: { [`n${number}`]: 'x' } })],
  ['instrumentParameters.wallet', card({ instrument: 'Swish', instrumentParameters: { wallet: number } })],
  ['instrumentParameters.wallet', card({ instrument: 'Swish', instrumentParameters: { wallet: { id: 'x' } } })],
  ['instrumentParameters.wallet', card({ instrument: 'Swish', instrumentParameters: { wallet: 'x'.repeat(256) } })],
  ['instrument', card({ instrument: 'Invoice-' })],
  ['instrument', card({ instrument: `Invoice-${number}` })],
  ['instrumentDisplayName', card({ instrumentDisplayName: ' ' })],
  ['instrumentDisplayName', card({ instrumentDisplayName: 'x'.repeat(101) })],
  ['instrumentDisplayName', card({ instrumentDisplayName: `card ${number.replace(/(.{4})/g, '$1 ')}` })],
  ['pan', card({ pan: null })],
  ['pan', card({ pan: '4925000000000001' })],
  ['pan', card({ pan: `4${'1'.repeat(15)}` })],
  ['pan', card({ pan: `${number} ` })],
  ['pan', card({ pan: 4925000000000004 })],
  ['expiryDate', card({ expiryDate: null })],
  ['expiryDate', card({ expiryDate: '13/2030' })],
  ['expiryDate', card({ expiryDate: '00/2030' })],
  ['expiryDate', card({ expiryDate: '1/2030' })],
  ['expiryDate', card({ expiryDate: '01/30' })],
  ['accountId', { ...accountLine(1), accountId: null }],
  ['accountId', accountLine(1, { accountId: ' ' })],
  ['accountId', accountLine(1, { accountId: 'x'.repeat(65) })],
  ['email', invoiceLine(1, { email: 'nobody' })],
  ['msisdn', invoiceLine(1, { msisdn: '12' })],
  ['zipCode', invoiceLine(1, { zipCode: 'x'.repeat(17) })],
  ['token', card({ token: 'not-a-guid' })],
  ['state', card({ state: 'Deleted' })],
  ['archivedBy', card({ state: 'Archived', archiveReason: 'why' })],
  ['archivedBy', card({ ...archived, archivedBy: 'ME' })],
  ['archivedBy', card({ archivedBy: 'PAYEE' })],
  ['archiveReason', card({ state: 'Archived', archivedBy: 'PAYEE' })],
  ['archiveReason', card({ archiveReason: 'why' })],
  ['archiveReason', card({ ...archived, archiveReason: 'x'.repeat(256) })],
  ['archiveReason', card({ ...archived, archiveReason: `it was ${number}` })],
  ['lastFourDPan', card({ lastFourDPan: '42' })],
  ['expiryDPan', card({ expiryDPan: '13/2030' })],
];

describe('a line that is refused', () => {
  let ended: ImportEnded;
  beforeAll(async () => {
    ended = await importFile(fileOf(REFUSED.map(([, line]) => line)), settings);
  });

  it.each(REFUSED.map(([member], index) => [index + 1, member] as const))('%d names %s', (line, member) => {
    const refused = ended.rejected.filter((rejection) => rejection.line === line);
    expect(refused).toEqual([{ line, member, reason: expect.stringMatching(/^(is|must|has) .+/) }]);
  });

  it('is counted, makes the command end with status 1, and is imported in no part', async () => {
    const { length } = REFUSED;
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`kontor: ${length} of ${length} lines were refused.`);
    expect(ended.summary).toEqual({ lines: length, imported: 0, unchanged: 0, rejected: length });
    expect(await shop.database.asAdmin('select 1 from payer_token union all select 1 from instrument')).toEqual([]);
  });

  it('repeats no value', () => {
    const values = REFUSED.map(([member, line]) => (line as Record<string, unknown>)[member]);
    const known = ['PAYEE', 'Invoice-', 'why'];
    const texts = values.filter((value): value is string => typeof value === 'string' && value.trim().length > 3);
    for (const value of [...texts, number, '4925000000000004']) {
      if (!known.includes(value)) expect(ended.rejectedText).not.toContain(value);
    }
  });

  it('the refusals lie beside the file as JSON with these three members, for their owner only', () => {
    for (const rejection of ended.rejected) expect(Object.keys(rejection)).toEqual(['line', 'member', 'reason']);
  });
});

describe('a line that is taken', () => {
  const stored = async (line: object) => {
    const { summary, rejected } = await importFile(fileOf([line]), settings);
    expect([summary?.imported, rejected]).toEqual([1, []]);
    const { body } = await shop.get(`${shop.payerPath('taken')}/tokens`);
    await shop.remove('payerownedtokens', 'taken');
    return body.tokens.tokenlist[0];
  };

  it('may have a card that has expired, and unknown members', async () => {
    const token = await stored(card({ payerReference: 'taken', expiryDate: '02/2003', cardholder: { name: 'x' } }));
    expect(token.instrumentParameters.expiryDate).toBe('02/2003');
  });

  it('may be an invoice that says nothing of its recipient', async () => {
    const token = await stored({ payerReference: 'taken', tokenType: 'Payment', instrument: 'Invoice-Plan30' });
    expect(token).toMatchObject({ instrumentDisplayName: 'Invoice-Plan30', instrumentParameters: {} });
  });

  it('may be of any other instrument, whose texts are shown, by their end alone where they look like an account', async () => {
    const nothing = { instrumentDisplayName: '', token: '', state: '', pan: '' };
    const line = { payerReference: 'taken', tokenType: 'Payment', instrument: 'CarPay', ...nothing };
    const instrumentParameters = {
      licensePlate: 'EK 12345',
      msisdn: '+47 400 00 012',
      account: 'NO93 8601 1117 947',
      paired: '2026-11-22',
      empty: '',
    };
    const token = await stored({ ...line, instrumentParameters });
    expect(token).toMatchObject({ instrument: 'CarPay', instrumentDisplayName: '***********7947' });
    expect(token.instrumentParameters).toEqual({
      licensePlate: 'EK 12345',
      msisdn: '*******0012',
      account: '***********7947',
      paired: '2026-11-22',
    });
    const [sealed] = await shop.database.asAdmin(
      `select count(*)::int as n from instrument where kind = 'Other' and masked like '%40000012%'`,
    );
    expect(sealed).toEqual({ n: 0 });
    expect(await stored({ ...line, instrument: 'Swish' })).toMatchObject({
      instrument: 'Swish',
      instrumentDisplayName: 'Swish',
      instrumentParameters: {},
    });
  });

  it('of another instrument is known again, in whatever order its texts stand, and by no other texts', async () => {
    const line = { payerReference: 'again', tokenType: 'Payment', instrument: 'Swish-2' };
    const lines = [
      { ...line, instrumentParameters: { a: 'x', b: 'y' } },
      { ...line, instrumentParameters: { b: 'y', a: 'x' } },
      { ...line, instrumentParameters: { a: 'x', b: 'z' } },
      { ...line, instrument: 'Swish-3', instrumentParameters: { a: 'x', b: 'y' } },
    ];
    const { summary } = await importFile(fileOf(lines), settings);
    expect(summary).toEqual({ lines: 4, imported: 3, unchanged: 1, rejected: 0 });
    await shop.remove('payerownedtokens', 'again');
  });

  it.each(['a@1234567890123.example', `a@${'b'.repeat(60)}.${'c'.repeat(60)}.example`])(
    'may have an e-mail address that makes an unusual name: %s',
    async (email) => {
      const { msisdn: _msisdn, ...line } = invoiceLine(7, { payerReference: 'taken', email });
      expect((await stored(line)).instrumentParameters.email).toBe(email);
    },
  );

  it('may be as long as its members allow', async () => {
    const line = {
      payerReference: 'taken',
      tokenType: 'Unscheduled',
      instrument: 'BankAccount',
      instrumentDisplayName: '🂡'.repeat(100),
      accountId: '9'.repeat(64),
      state: 'Archived',
      archivedBy: 'SERVICE_OPERATOR',
      archiveReason: 'å'.repeat(255),
    };
    expect(await stored(line)).toMatchObject({
      instrumentDisplayName: '🂡'.repeat(100),
      archiveReason: 'å'.repeat(255),
      instrumentParameters: { AccountId: '9'.repeat(64) },
    });
  });
});
