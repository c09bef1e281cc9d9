import { describe, expect, test } from 'vitest';
import { Secret } from '../../kit/secret.ts';
import { consequenceOf, endOf, resultOf, shownOf } from './outcome.rules.ts';
import type { Authentication, EndState } from './three-ds.types.ts';

const VALUE = new Secret('AAECAwQFBgcICQoLDA0ODxAREhM=');
const proven = { authenticationValue: VALUE };

describe('a status', () => {
  test.each([
    ['Y', proven, 'Succeeded'],
    ['Y', {}, 'Unavailable'],
    ['A', proven, 'Attempted'],
    ['A', {}, 'Unavailable'],
    ['N', {}, 'Failed'],
    ['N', { challengeCancel: '01' }, 'Cancelled'],
    ['N', { challengeCancel: '04' }, 'Failed'],
    ['R', {}, 'Rejected'],
    ['U', {}, 'Unavailable'],
    ['U', { challengeCancel: '01' }, 'Cancelled'],
    ['U', { challengeCancel: '04' }, 'Unavailable'],
    ['Y', { ...proven, challengeCancel: '01' }, 'Succeeded'],
    ['I', proven, 'Unavailable'],
    ['D', {}, 'Unavailable'],
  ] as const)('of %s with %o is the end %s', (transStatus, members, state) => {
    expect(endOf({ transStatus, ...members })?.state).toBe(state);
  });

  test('of C is no end', () => {
    expect(endOf({ transStatus: 'C' })).toBeUndefined();
  });

  test('keeps a value only where it proves something', () => {
    expect(endOf({ transStatus: 'N', ...proven })?.authenticationValue).toBeUndefined();
    expect(endOf({ transStatus: 'I', ...proven })?.authenticationValue).toBeUndefined();
    expect(endOf({ transStatus: 'Y', ...proven })?.authenticationValue).toBe(VALUE);
  });
});

describe('an end', () => {
  test.each([
    ['Succeeded', 'Authorize', 'Authorize', 'Authorize'],
    ['Attempted', 'Authorize', 'Authorize', 'Authorize'],
    ['Failed', '3dsecuredeclined', '3dsecuredeclined', '3dsecuredeclined'],
    ['Rejected', '3dsecuredeclined', '3dsecuredeclined', '3dsecuredeclined'],
    ['Expired', '3dsecuredeclined', '3dsecuredeclined', '3dsecuredeclined'],
    ['Cancelled', '3dsecureusercancelled', '3dsecureusercancelled', '3dsecureusercancelled'],
    ['Unavailable', '3dsecuredeclined', 'Authorize', '3dsecuredeclined'],
  ] as const)(
    '%s leads to %s, where the acquirer takes attempts to %s, after a wanted challenge to %s',
    (state, ...then) => {
      expect(consequenceOf({ state, isChallengeWanted: false }, 'decline')).toBe(then[0]);
      expect(consequenceOf({ state, isChallengeWanted: false }, 'attempt')).toBe(then[1]);
      expect(consequenceOf({ state, isChallengeWanted: true }, 'attempt')).toBe(then[2]);
    },
  );

  test.each([
    ['Visa', 'Succeeded', null, '05', 'Issuer'],
    ['Mastercard', 'Succeeded', null, '02', 'Issuer'],
    ['Maestro', 'Attempted', null, '01', 'Issuer'],
    ['Visa', 'Attempted', null, '06', 'Issuer'],
    ['Visa', 'Succeeded', '06', '06', 'Issuer'],
    ['Visa', 'Succeeded', '02', '05', 'Issuer'],
    ['Visa', 'Unavailable', '05', '07', 'Merchant'],
    ['Mastercard', 'Unavailable', null, '00', 'Merchant'],
    ['Mastercard', 'Unavailable', '04', '04', 'Merchant'],
    ['Mastercard', 'Succeeded', '04', '02', 'Issuer'],
  ] as const)('of %s, %s with its indicator %s, is shown with %s and %s', (...[scheme, state, eci, ...shown]) => {
    expect(shownOf({ scheme, state, eci, ...UNTOLD })).toMatchObject({ eci: shown[0], liabilityShift: shown[1] });
  });

  test.each(['Failed', 'Rejected', 'Cancelled', 'Expired'] as const)('%s shows nothing of liability', (state) => {
    expect(Object.keys(shownOf({ scheme: 'Visa', state, eci: '05', ...UNTOLD }))).toEqual(['authenticationStatus']);
  });
});

const UNTOLD = { reason: null, dsTransactionId: null };

test.each(['Succeeded', 'Unavailable', 'Failed', 'Rejected'] as const)('%s shows what disputes ask for', (state) => {
  const told = { reason: '01', dsTransactionId: '4e6c9a0e-2a3f-4c55-9a43-6a1d6a5d2b11' };
  expect(shownOf({ scheme: 'Visa', state, eci: null, ...told })).toMatchObject({
    transStatusReason: told.reason,
    dsTransactionId: told.dsTransactionId,
  });
});

test('an acquirer is told of a payer who was authenticated, and of what a directory server has said of another one', () => {
  const authentication = (
    state: EndState,
    transStatus: Authentication['transStatus'] = 'Y',
  ): Authentication & { state: EndState } =>
    ({
      scheme: 'Visa',
      version: '2.2.0',
      state,
      transStatus,
      eci: null,
      dsTransactionId: 'ds',
      acsTransactionId: null,
    }) as Authentication & { state: EndState };
  expect(resultOf(authentication('Succeeded'), VALUE)).toEqual({
    version: '2.2.0',
    transStatus: 'Y',
    eci: '05',
    authenticationValue: VALUE,
    dsTransactionId: 'ds',
    source: 'Own',
  });
  for (const transStatus of ['U', 'I'] as const) {
    expect(resultOf(authentication('Unavailable', transStatus), VALUE)).toEqual({
      version: '2.2.0',
      transStatus,
      eci: '07',
      dsTransactionId: 'ds',
      source: 'Own',
    });
  }
  // No answer, one that we did not ask for, one that says more than it proves; and a payer who is not to pay.
  for (const transStatus of [null, 'D', 'Y', 'A'] as const) {
    expect(resultOf(authentication('Unavailable', transStatus), undefined)).toBeUndefined();
  }
  expect(resultOf(authentication('Failed', 'N'), undefined)).toBeUndefined();
});
