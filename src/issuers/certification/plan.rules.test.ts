import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { BadJson } from '../../kit/read-json.ts';
import { readPlan } from './plan.rules.ts';

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
const matches = new Ajv2020().compile(read('docs/acquirers/certification-plan.schema.json'));
const EXAMPLE = read('examples/certification.json');

/** A plan of one case with these steps. */
const planOf = (steps: readonly object[], others: object = {}) => ({
  ...EXAMPLE,
  cases: [{ name: 'One', steps }],
  ...others,
});
const AUTHENTICATED = {
  version: '2.2.0',
  transStatus: 'Y',
  eci: '05',
  authenticationValue: 'AAECAwQFBgcICQoLDA0ODxAREhM=',
  dsTransactionId: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
};
const HOLD = { does: 'Authorize', name: 'hold', card: 'visa', amount: 100 };

/** What the reader says is wrong; undefined where nothing is. */
function faultOf(plan: unknown): string | undefined {
  try {
    readPlan(plan);
    return undefined;
  } catch (error) {
    if (error instanceof BadJson) return error.message;
    throw error;
  }
}

test.each([
  ['the example', EXAMPLE],
  [
    'each kind of step',
    planOf([
      { ...HOLD, currency: 'SEK', channel: 'Terminal', stores: 'OnFile', expect: {} },
      { does: 'Verify', card: 'visa', expect: { outcome: 'Approved', actionCode: '00', approvalCode: false } },
      { ...HOLD, name: 'proven', authentication: AUTHENTICATED },
      { does: 'Verify', card: 'visa', authentication: { version: '2.1.0', transStatus: 'U', eci: '07' } },
      { does: 'Purchase', card: 'visa', amount: 1, exemption: 'LowValue' },
      { does: 'Credit', card: 'visa', amount: 1 },
      { does: 'Renew', name: 'next', of: 'hold', amount: 1 },
      { does: 'Cancel', of: 'next', amount: 1 },
      { does: 'TakeBack', of: 'hold', amount: 1, reason: 'Partial', expect: { takenBack: 'Silence' } },
      { does: 'SignOn' },
      { does: 'CutOver', withinSeconds: 600 },
      { does: 'Reconcile', expect: { actionCode: '500' } },
    ]),
  ],
])('the schema and the reader take %s', (_name, plan) => {
  expect(faultOf(plan)).toBeUndefined();
  expect(matches(plan), JSON.stringify(matches.errors)).toBe(true);
});

test.each([
  ['no object', [], 'the file is no object'],
  ['a member too many', { ...EXAMPLE, host: 'a' }, 'host is not known here'],
  ['no cases', { ...EXAMPLE, cases: [] }, 'cases is empty'],
  ['a case without steps', planOf([]), 'cases[0].steps is empty'],
  [
    'no terminal',
    { ...EXAMPLE, terminalId: 'TOO-LONG-1' },
    'terminalId is not a terminal of up to 8 letters and digits',
  ],
  ['another currency', { ...EXAMPLE, currency: 'nok' }, 'currency is no currency of ISO 4217, as in NOK'],
  [
    'a card without expiry',
    planOf([HOLD], { cards: { visa: { number: '4925000000000004' } } }),
    'cards.visa.expiry is missing',
  ],
  [
    'a month that is none',
    planOf([HOLD], { cards: { visa: { number: '4925000000000004', expiry: '13/39' } } }),
    'cards.visa.expiry is not a month as in 12/39',
  ],
  ['an unknown step', planOf([{ does: 'Pay' }]), /^cases\[0\]\.steps\[0\]\.does is none of Authorize/],
  ['a step without its card', planOf([{ does: 'Authorize', amount: 1 }]), 'cases[0].steps[0].card is missing'],
  ['a step without its amount', planOf([{ does: 'Authorize', card: 'visa' }]), 'cases[0].steps[0].amount is missing'],
  ['a renewal without amount', planOf([HOLD, { does: 'Renew', of: 'hold' }]), 'cases[0].steps[1].amount is missing'],
  ['an amount that is none', planOf([{ ...HOLD, amount: 1.5 }]), /^cases\[0\]\.steps\[0\]\.amount is no whole number/],
  [
    'what a step has no use for',
    planOf([{ does: 'Echo', amount: 1 }]),
    'cases[0].steps[0].amount is of no use for Echo',
  ],
  [
    'a verification of an amount',
    planOf([{ does: 'Verify', card: 'visa', amount: 1 }]),
    'cases[0].steps[0].amount is of no use for Verify',
  ],
  [
    'a proof of another length',
    planOf([{ ...HOLD, authentication: { ...AUTHENTICATED, authenticationValue: 'AAEC' } }]),
    'cases[0].steps[0].authentication.authenticationValue is not 20 bytes in Base64',
  ],
  [
    'an authentication without its ECI',
    planOf([{ ...HOLD, authentication: { version: '2.2.0', transStatus: 'Y' } }]),
    'cases[0].steps[0].authentication.eci is missing',
  ],
  [
    'an authenticated credit',
    planOf([{ does: 'Credit', card: 'visa', amount: 1, authentication: AUTHENTICATED }]),
    'cases[0].steps[0].authentication is of no use for Credit',
  ],
  [
    'an exemption beside an authentication',
    planOf([{ ...HOLD, authentication: AUTHENTICATED, exemption: 'LowValue' }]),
    'cases[0].steps[0].exemption must not be there beside authentication',
  ],
  [
    'an outcome that there is not',
    planOf([{ ...HOLD, expect: { outcome: 'Fine' } }]),
    /^cases\[0\]\.steps\[0\]\.expect\.outcome is none of Approved/,
  ],
  [
    'a code that is none',
    planOf([{ ...HOLD, expect: { actionCode: '1' } }]),
    'cases[0].steps[0].expect.actionCode is not an action code',
  ],
])('the schema and the reader refuse %s', (_name, plan, complaint) => {
  expect(faultOf(plan)).toEqual(complaint instanceof RegExp ? expect.stringMatching(complaint) : complaint);
  expect(matches(plan)).toBe(false);
});

test.each([
  [
    'two cases of one name',
    { ...EXAMPLE, cases: [EXAMPLE.cases[0], EXAMPLE.cases[0]] },
    'cases[1].name is there twice',
  ],
  ['two steps of one name', planOf([HOLD, HOLD]), 'cases[0].steps[1].name is there twice'],
  ['a card that is not there', planOf([{ ...HOLD, card: 'other' }]), 'cases[0].steps[0].card names no card of cards'],
  [
    'a step that comes later',
    planOf([{ does: 'Capture', of: 'hold' }, HOLD]),
    'cases[0].steps[0].of names no step before it in its case',
  ],
  [
    'an authentication by telephone',
    planOf([{ ...HOLD, channel: 'Phone', authentication: AUTHENTICATED }]),
    'cases[0].steps[0].authentication is for ECommerce alone',
  ],
  [
    'a check digit',
    planOf([HOLD], { cards: { visa: { number: '4925000000000005', expiry: '12/39' } } }),
    'cards.visa.number has another check digit',
  ],
  [
    'a number in a name',
    { ...EXAMPLE, name: 'With 4925 0000 0000 0004' },
    'name holds a card number, and is written to the log',
  ],
])('the reader refuses %s, which a schema cannot say', (_name, plan, complaint) => {
  expect(faultOf(plan)).toBe(complaint);
});
