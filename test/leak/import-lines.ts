import { passesLuhn } from '../../src/kit/cards/card-number.ts';
import type { Bait } from './bait.ts';
import { disguised } from './disguise-attacks.ts';

/** Lines of a migration file whose tokens can be named afterwards. */
export interface GoodLine {
  readonly token: string;
  readonly [member: string]: string;
}

/** What the vault seals beside card numbers. */
export const ACCOUNT_ID = 'NO93 8601 1117 947 kontor-leak';
/** An account number may look like a card's. It is sealed like every other, and shown as the account that it is. */
export const ACCOUNT_LIKE_CARD = 'account that looks like a card';
export const EMAIL = 'wilhelmine.zauberberg@leak.example';
export const MOBILE = '+4791827364550';

/** A UUID for each number. */
function guid(index: number): string {
  return `5eed0000-0000-4000-8000-${String(index).padStart(12, '0')}`;
}

const TYPES = ['Payment', 'Recurrence', 'Unscheduled', 'TransactionOnFile'] as const;

/** Lines that are taken over: cards of each type and each way of being stored, accounts, invoices. */
export function goodLines(bait: Bait): GoodLine[] {
  const card = { instrument: 'CreditCard', expiryDate: '12/2031' };
  const lines = [
    ...TYPES.map((tokenType) => ({
      ...card,
      payerReference: 'berta',
      tokenType,
      pan: bait.number(`good ${tokenType}`),
    })),
    ...TYPES.map((tokenType) => ({
      ...card,
      payerReference: 'anna',
      tokenType,
      pan: bait.number('good, four tokens'),
    })),
    {
      ...card,
      payerReference: 'anna',
      tokenType: 'Payment',
      pan: bait.number('good and archived'),
      state: 'Archived',
      archivedBy: 'PAYEE',
      archiveReason: 'The card was lost',
    },
    {
      ...card,
      payerReference: 'doris',
      tokenType: 'Payment',
      pan: bait.number('good, with a network token'),
      instrumentDisplayName: 'The blue one',
      lastFourDPan: '4321',
      expiryDPan: '01/2032',
    },
    { payerReference: 'doris', tokenType: 'Payment', instrument: 'BankAccount', accountId: ACCOUNT_ID },
    {
      payerReference: 'doris',
      tokenType: 'Payment',
      instrument: 'BankAccount',
      accountId: bait.number(ACCOUNT_LIKE_CARD),
    },
    { payerReference: 'doris', tokenType: 'Payment', instrument: 'Invoice-Norway', email: EMAIL, msisdn: MOBILE },
  ];
  return lines.map((line, index) => ({ ...line, token: guid(index) }));
}

const TEXT_MEMBERS =
  'payerReference tokenType instrument instrumentDisplayName expiryDate accountId email msisdn zipCode token state archivedBy archiveReason lastFourDPan expiryDPan unknown'.split(
    ' ',
  );

/** Every disguise as every text of a line, as a name in it, and as a text and a name of an instrument of any kind. */
export function disguisedLines(bait: Bait): string[] {
  const good = { payerReference: 'emil', tokenType: 'Payment', instrument: 'CreditCard', expiryDate: '12/2031' };
  const card = { ...good, pan: bait.number('good beside something bad') };
  // An account may look like a card, and is sealed.
  const members = TEXT_MEMBERS.filter((member) => member !== 'accountId');
  return disguised(bait).flatMap(({ text }) =>
    [
      ...members.flatMap((member) => [
        { ...card, [member]: text },
        { ...good, ...invoice({ [member]: text }) },
      ]),
      { ...card, [text]: 1 },
      { ...good, instrument: 'Swish', instrumentParameters: { wallet: text } },
      { ...good, instrument: 'Swish', instrumentParameters: { [`n${text}`]: 'x' } },
    ].map((line) => JSON.stringify(line)),
  );
}

/** Text lines with a card number where none should be. They are refused, or the number is sealed: it stays nowhere. */
export function badLines(bait: Bait): string[] {
  const good = { payerReference: 'emil', tokenType: 'Payment', instrument: 'CreditCard', expiryDate: '12/2031' };
  const line = (name: string, change: (number: string) => object) => {
    const number = bait.number(`import: ${name}`);
    return JSON.stringify({ ...good, pan: bait.number('good beside something bad'), ...change(number) });
  };
  const cut = bait.number('import: cut off');
  return [
    ...TEXT_MEMBERS.map((member) => line(member, (number) => ({ [member]: number }))),
    ...TEXT_MEMBERS.map((member) => line(`${member} of an invoice`, (number) => invoice({ [member]: number }))),
    line('e-mail address', (number) => invoice({ email: `${number}@shop.example` })),
    line('domain of an e-mail address', (number) => invoice({ email: `anna@${number}.example` })),
    line('name of an invoice', (number) => ({ instrument: `Invoice-${number}` })),
    line('text of another instrument', (number) => ({ instrument: 'Swish', instrumentParameters: { wallet: number } })),
    line('name of a text of another instrument', (number) => ({
      instrument: 'Swish',
      instrumentParameters: { [`n${number}`]: 'x' },
    })),
    line('name of another instrument', (number) => ({ instrument: `Swish-${number}` })),
    line('name of an invoice, with letters', (number) => ({ instrument: `Invoice-Card${number}X` })),
    line('name of a member', (number) => ({ [number]: 1 })),
    line('pan with blanks', (number) => ({ pan: number.replace(/(\d{4})/g, '$1 ') })),
    line('pan with a wrong check digit', (number) => ({ pan: number, expiryDate: '13/2031' })),
    line('pan, archived without a name', (number) => ({ pan: number, state: 'Archived' })),
    line('too long', (number) => ({ instrumentDisplayName: number.repeat(2_000) })),
    line('longer than a line may be', (number) => ({ unknown: number.repeat(2_000) })),
    JSON.stringify({ ...good, pan: 0 }).replace(/0(?=\})/, bait.number('import: pan as a number')),
    JSON.stringify({ ...good, pan: outsideOfTestRanges() }),
    `{"pan":"${cut}`,
    `${cut},${cut};not JSON`,
  ];
}

function invoice(change: object): object {
  return { instrument: 'Invoice-Norway', ...change };
}

/** A number outside of all test ranges, which a sandbox must not take. It is made here, so that none stands in this file. */
export function outsideOfTestRanges(): string {
  const body = '411111'.padEnd(15, '7');
  return body + Array.from('0123456789').find((digit) => passesLuhn(body + digit));
}
