import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readAuthenticationAnswer, readResultRequest } from './messages.rules.ts';
import { endOf } from './outcome.rules.ts';

// What a message comes to: status by flow, version, and a member that is missing or odd.

const VALUE = 'AAECAwQFBgcICQoLDA0ODxAREhM=';
const COMMON = {
  messageVersion: '2.2.0',
  dsTransID: '11111111-1111-4111-8111-111111111111',
  acsTransID: '22222222-2222-4222-8222-222222222222',
  threeDSServerTransID: '33333333-3333-4333-8333-333333333333',
};
const CHALLENGE = { acsURL: 'https://acs.example/c', acsChallengeMandated: 'Y', authenticationType: '02' };

/** Frictionless: an ARes. Challenge: an RReq behind an ARes that says C. */
const FLOWS = {
  Frictionless: {
    base: { ...COMMON, messageType: 'ARes', acsReferenceNumber: 'ACS', dsReferenceNumber: 'DS' },
    read: readAuthenticationAnswer,
  },
  Challenge: {
    base: { ...COMMON, messageType: 'RReq', messageCategory: '01', interactionCounter: '01', authenticationType: '02' },
    read: readResultRequest,
  },
} as const;

/** Members of each status when all is as it must be. */
const STATUSES: Readonly<Record<string, object>> = {
  Y: { eci: '05', authenticationValue: VALUE },
  A: { eci: '06', authenticationValue: VALUE },
  N: { transStatusReason: '01' },
  R: { transStatusReason: '11' },
  U: { transStatusReason: '06' },
  C: CHALLENGE,
  D: {},
  I: {},
};

/** What is missing or odd, and the verdict of each status in each flow: an end, `Challenge`, or the code of an Erro. */
type Verdicts = Readonly<Record<string, string>>;
const AS_IS = { Y: 'Succeeded', A: 'Attempted', N: 'Failed', R: 'Rejected', U: 'Unavailable' };
const FRICTIONLESS: Verdicts = { ...AS_IS, C: 'Challenge', D: 'Unavailable', I: 'Unavailable' };
const RESULT: Verdicts = { ...AS_IS, C: '203', D: '203', I: '203' };
const all = (of: Verdicts, code: string): Verdicts =>
  Object.fromEntries(Object.keys(of).map((status) => [status, code]));
const NO_VALUE = { Y: 'Unavailable', A: 'Unavailable' };
const BAD_VALUE = { Y: '203', A: '203' };

const ROWS: readonly (readonly [odd: string, members: object, frictionless: Verdicts, result: Verdicts])[] = [
  ['nothing', {}, FRICTIONLESS, RESULT],
  ['no ECI', { eci: undefined }, FRICTIONLESS, RESULT],
  ['an ECI of Mastercard that is not digits', { eci: 'N2' }, FRICTIONLESS, RESULT],
  ['an ECI that is a number', { eci: 5 }, FRICTIONLESS, RESULT],
  ['an empty ECI', { eci: '' }, FRICTIONLESS, RESULT],
  ['no value', { authenticationValue: undefined }, { ...FRICTIONLESS, ...NO_VALUE }, { ...RESULT, ...NO_VALUE }],
  [
    'a value of 19 bytes',
    { authenticationValue: 'AAEC' },
    { ...FRICTIONLESS, ...BAD_VALUE },
    { ...RESULT, ...BAD_VALUE },
  ],
  ['an empty value', { authenticationValue: '' }, { ...FRICTIONLESS, ...BAD_VALUE }, { ...RESULT, ...BAD_VALUE }],
  ['a reason of letters', { transStatusReason: 'xx' }, FRICTIONLESS, RESULT],
  ['no reason', { transStatusReason: undefined }, FRICTIONLESS, RESULT],
  [
    'no type of authentication',
    { authenticationType: undefined },
    { ...FRICTIONLESS, C: '201' },
    { ...RESULT, Y: '201', N: '201' },
  ],
  [
    'an odd type of authentication',
    { authenticationType: 'x' },
    { ...FRICTIONLESS, C: '203' },
    { ...RESULT, Y: '203', N: '203' },
  ],
  ['an odd method of authentication', { authenticationMethod: '123' }, FRICTIONLESS, RESULT],
  ['an odd reason to cancel', { challengeCancel: 'x' }, FRICTIONLESS, RESULT],
  ['a payer who cancels', { challengeCancel: '01' }, FRICTIONLESS, { ...RESULT, N: 'Cancelled', U: 'Cancelled' }],
  ['a text that is too long', { cardholderInfo: 'x'.repeat(129) }, FRICTIONLESS, RESULT],
  ['a challenge in the clear', { acsURL: 'http://acs.example' }, { ...FRICTIONLESS, C: '203' }, RESULT],
  ['a challenge at no address', { acsURL: 'https://]' }, { ...FRICTIONLESS, C: '203' }, RESULT],
  [
    'a name before the address of the challenge',
    { acsURL: 'https://bank.example@acs.example/' },
    { ...FRICTIONLESS, C: '203' },
    RESULT,
  ],
  ['a text with U+0000', { cardholderInfo: 'a\u0000b' }, FRICTIONLESS, RESULT],
  ['no address', { acsURL: undefined }, { ...FRICTIONLESS, C: '201' }, RESULT],
  ['an odd mandate', { acsChallengeMandated: 'x' }, { ...FRICTIONLESS, C: '203' }, RESULT],
  ['no id of the directory server', { dsTransID: undefined }, all(FRICTIONLESS, '201'), all(RESULT, '201')],
  ['an odd id', { acsTransID: 'x' }, all(FRICTIONLESS, '203'), all(RESULT, '203')],
  ['version 2.1.0', { messageVersion: '2.1.0' }, all(FRICTIONLESS, '102'), all(RESULT, '102')],
  ['version 2.3.1', { messageVersion: '2.3.1' }, all(FRICTIONLESS, '102'), all(RESULT, '102')],
  ['no version', { messageVersion: undefined }, all(FRICTIONLESS, '201'), all(RESULT, '201')],
  ['another type', { messageType: 'CRes' }, all(FRICTIONLESS, '101'), all(RESULT, '101')],
];

const CASES = ROWS.flatMap(([odd, members, frictionless, result]) =>
  (['Frictionless', 'Challenge'] as const).flatMap((flow) =>
    Object.entries(flow === 'Frictionless' ? frictionless : result).map(([status, verdict]) => ({
      flow,
      status,
      odd,
      members,
      verdict,
    })),
  ),
);

test.each(CASES)('$flow, $status, with $odd: $verdict', ({ flow, status, members, verdict }) => {
  const { base, read } = FLOWS[flow];
  const message = { ...base, ...STATUSES[status], transStatus: status, ...members };
  const found = read(JSON.stringify(message));
  const came = found.fault === undefined ? (endOf(found.message)?.state ?? 'Challenge') : found.fault.code;
  expect(came).toBe(verdict);
});

/** How verdicts differ from those of a message that is as it should be. */
function difference(of: Verdicts, base: Verdicts): string {
  const verdicts = [...new Set(Object.values(of))];
  const told = (verdict: string) => (/^\d+$/.test(verdict) ? verdict : `\`${verdict}\``);
  const different = (verdict: string) =>
    Object.keys(of).filter((status) => of[status] === verdict && base[status] !== verdict);
  const parts = verdicts.flatMap((verdict) => {
    const statuses = different(verdict);
    if (statuses.length === 0) return [];
    return `${verdicts.length === 1 ? 'all' : statuses.join(', ')}: ${told(verdict)}`;
  });
  return parts.join('; ') || 'as it should be';
}

test('the table of docs/acquirers/scripts.md is this one', () => {
  const page = readFileSync('docs/acquirers/scripts.md', 'utf8');
  const rows = page
    .slice(page.indexOf('| Missing or odd |'))
    .split('\n')
    .slice(2)
    .filter((line) => line !== '');
  expect(rows).toEqual(
    ROWS.map(
      ([odd, , frictionless, result]) =>
        `| ${odd} | ${difference(frictionless, FRICTIONLESS)} | ${difference(result, RESULT)} |`,
    ),
  );
});
