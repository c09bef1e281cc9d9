import type { Answer } from '../../engine/leg.types.ts';
import type { CardRules } from '../payments.types.ts';
import type { ShownCard } from './payment-cards.types.ts';

/** What an answer says of the security code and of the billing address, as it is shown. */
export function checksIn(answer: Answer): Pick<ShownCard, 'cvcResult' | 'addressResult'> {
  const { cvcResult, addressResult } = 'responseCode' in answer && answer.outcome !== 'NotUsable' ? answer : NONE;
  return { ...(cvcResult !== undefined && { cvcResult }), ...(addressResult !== undefined && { addressResult }) };
}

const NONE: Pick<ShownCard, 'cvcResult' | 'addressResult'> = {};

/** An answer as its payee takes it: not an approval whose checks have failed, where the payee says so. */
export function takenByPayee(
  answer: Answer,
  { rejectCvcMismatch, rejectAddressMismatch }: Pick<CardRules, 'rejectCvcMismatch' | 'rejectAddressMismatch'>,
): Answer {
  if (answer.outcome !== 'Approved') return answer;
  const isRefused =
    (rejectCvcMismatch === true && answer.cvcResult === 'N') ||
    (rejectAddressMismatch === true && answer.addressResult === 'N');
  return isRefused ? { ...answer, outcome: 'Refused', problem: 'checkfailed' } : answer;
}
