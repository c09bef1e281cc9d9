import { expect, test } from 'vitest';
import { Secret } from '../../kit/secret.ts';
import { lookAtCard } from './look-at-card.ts';
import type { AuthenticationTerms, ThreeDS } from './three-ds.types.ts';

const SERVER = { directoryServers: [{ scheme: 'Visa' }] } as unknown as ThreeDS['server'];
/** A directory server that has told its cards, of which this one is none. */
const read = (async () => ({ rows: [{ isPrepared: true, ranges: [] }], count: 1 })) as never;
const ASKED = { payeeId: '' as never, agreement: {} as never, brand: 'Visa', number: new Secret('4925000000000004') };

test.each([
  { what: 'declines it', withoutShift: 'decline', refusesMandates: true, isMandate: false, is: 'Impossible' },
  { what: 'takes it', withoutShift: 'attempt', refusesMandates: true, isMandate: false, is: 'NotEnrolled' },
  {
    what: 'takes it, but not for later',
    withoutShift: 'attempt',
    refusesMandates: true,
    isMandate: true,
    is: 'Impossible',
  },
  { what: "is a sandbox's", withoutShift: 'attempt', refusesMandates: false, isMandate: true, is: 'NotEnrolled' },
] as const)('a card that does not take part: an acquirer that $what', async ({ isMandate, is, ...terms }) => {
  const threeDS = { termsFor: () => terms as unknown as AuthenticationTerms, server: SERVER };
  const look = await lookAtCard(threeDS, read, { ...ASKED, isMandate });
  expect(look.is).toBe(is);
});
