import { describe, expect, it } from 'vitest';
import { brandOf } from '../kit/cards/brands.ts';
import { Secret } from '../kit/secret.ts';
import { brandName } from './brands.rules.ts';
import { showDraft } from './show-instrument.rules.ts';

const card = (number: string) => showDraft({ kind: 'Card', number: new Secret(number), range: undefined });
const invoice = (fields: { email?: string; msisdn?: string }) => {
  const secret = (value: string | undefined) => (value === undefined ? undefined : new Secret(value));
  const hidden = { email: secret(fields.email), msisdn: secret(fields.msisdn), zipCode: undefined };
  return showDraft({ kind: 'Invoice', instrument: 'Invoice-MonthlyFi', payerReference: 'p', ...hidden }).masked;
};

describe('what is shown of an instrument', () => {
  it('is the first six and the last four digits of a card, and its brand', () => {
    expect(card('4925000000000004')).toEqual({
      brand: 'Visa',
      bin: '492500',
      lastFour: '0004',
      cardType: null,
      holderType: null,
      issuerName: null,
      countryCode: null,
      masked: '492500******0004',
    });
  });

  it('is what the card ranges say, where they say something', () => {
    const range = {
      brand: 'Dankort',
      cardType: 'Debit',
      holderType: 'Consumer',
      issuerName: 'Sundbanken',
      countryCode: '208',
    } as const;
    expect(showDraft({ kind: 'Card', number: new Secret('4925000000000004'), range })).toMatchObject(range);
  });

  it('is only the last four digits of a number that is too short for more', () => {
    expect(card('36148201829798')).toMatchObject({
      bin: null,
      lastFour: '9798',
      masked: '**********9798',
      brand: 'Diners',
    });
    expect(card('377601000000000')).toMatchObject({ bin: '377601', masked: '377601*****0000', brand: 'Amex' });
  });

  it.each([
    ['6406817022', '******7022'],
    ['12345', '*2345'],
    ['1234', '****'],
    ['åäö-😀😀😀😀', '****😀😀😀😀'],
  ])('hides all but the end of the account %s', (accountId, masked) => {
    expect(showDraft({ kind: 'BankAccount', accountId: new Secret(accountId) }).masked).toBe(masked);
  });

  it.each([
    [{ msisdn: '+4742978409', email: 'p9@example.com' }, '*******8409'],
    [{ email: 'p9@example.com' }, 'p***@example.com'],
    [{ email: '😀@example.com' }, '😀***@example.com'],
    [{ email: '"a@b"@example.com' }, '"***@example.com'],
    [{ email: 'no-address' }, 'Invoice-MonthlyFi'],
    [{}, 'Invoice-MonthlyFi'],
  ])('names an invoice by %j', (fields, masked) => {
    expect(invoice(fields)).toBe(masked);
  });
});

describe('a brand', () => {
  it.each([
    ['4925000000000004', 'Visa'],
    ['5226600159865967', 'Mastercard'],
    ['2223', 'Mastercard'],
    ['272099', 'Mastercard'],
    ['2221', 'Mastercard'],
    ['222099', undefined],
    ['2721', undefined],
    ['377601000000000', 'Amex'],
    ['5019994016316467', 'Dankort'],
    ['6764429999947470', 'Maestro'],
    ['3569990010082211', 'JCB'],
    ['36148201829798', 'Diners'],
    ['99', undefined],
  ])('of %s is %s by its first digits', (number, brand) => {
    expect(brandOf(number)).toBe(brand);
  });

  it.each([
    ['MASTERCARD', 'Mastercard'],
    ['american express', 'Amex'],
    ['Diners Club', 'Diners'],
    ['VISA', 'Visa'],
    ['jcb', 'JCB'],
    ['Bank Axept', 'Bank Axept'],
  ])('that a file calls %s is %s', (name, brand) => {
    expect(brandName(name)).toBe(brand);
  });
});
