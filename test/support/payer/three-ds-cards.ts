import { expect } from 'vitest';
import { testCard } from '../issuer/three-ds.ts';
import type { TestService } from '../service.ts';

/** How a payment with a card ends, once its payer has said yes where the bank asked. */
export type Ends = readonly [
  state: 'paid' | 'declined',
  status: string | undefined,
  shift: string | undefined,
  problem?: string,
];

const ISSUER: Ends = ['paid', 'Y', 'Issuer'];
const MERCHANT: Ends = ['paid', 'U', 'Merchant'];
/** The payer was not authenticated. */
export const DECLINED: Ends = ['declined', 'N', undefined, '3dsecuredeclined'];

const ENDS: Readonly<Record<string, Ends>> = {
  '00': ISSUER,
  '01': ISSUER,
  '02': ISSUER,
  '03': ['paid', 'A', 'Issuer'],
  '04': DECLINED,
  '05': ['declined', 'R', undefined, '3dsecuredeclined'],
  '06': MERCHANT,
  '07': ISSUER,
  '08': MERCHANT,
  '09': MERCHANT,
  '10': ISSUER,
  '11': DECLINED,
  '12': DECLINED,
  '13': MERCHANT,
  '14': MERCHANT,
  '15': MERCHANT,
  '16': MERCHANT,
  '17': ISSUER,
  '18': ['paid', undefined, 'Merchant'],
  '19': MERCHANT,
  '20': MERCHANT,
};

/** The cards of the test directory server by their codes: with a script and without they end the same. */
export const CARDS = Object.entries(ENDS)
  .map(([code, ends]) => ({ code, ends, number: code === '00' ? '4761739001010416' : testCard(code) }))
  // As the table of the docs has them: an object puts 10 before 00.
  .toSorted((one, other) => one.code.localeCompare(other.code));

/** What a payee sees of the latest try of a payment, and that it sees nothing secret. */
export async function expectAuthentication(
  kontor: TestService,
  id: string,
  [, status, shift, problem]: Ends,
): Promise<void> {
  const { body } = await kontor.send('GET', `${id}/authorizations`);
  const [item] = body.authorizations.authorizationList;
  expect(item.authenticationStatus).toBe(status);
  expect(item.liabilityShift).toBe(shift);
  expect(item.transaction.problem?.type.split('/').at(-1)).toBe(problem);
  expect(JSON.stringify(body)).not.toMatch(/authenticationValue|cardholderInfo/);
}
