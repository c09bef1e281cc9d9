import type { KeyRing } from '../keys/keys.types.ts';
import { inputError } from '../kit/errors.ts';
import { equalDigests, type Secret } from '../kit/secret.ts';
import { isNumberOf } from '../ledger/account-number.ts';
import type { KnownAccount } from '../ledger/ledger.types.ts';
import type { CardVerdict, SentIdentifier } from './accounts.types.ts';
import { cvcOf } from './cvc.rules.ts';
import { codeText, type SentCard } from './identifier.rules.ts';

/**
 * Compares what was sent with what the account is, in constant time, so that only the outcome goes on: neither number nor
 * code enters the queue.
 *
 * @throws Refusal `inputerror` where `accountId` and `accountKey` name two accounts
 */
export function judgeCard(keyRing: KeyRing, account: KnownAccount, sent: SentIdentifier, card: SentCard): CardVerdict {
  const numberMatches = isNumberOf(keyRing, account, card.number);
  const namesAccount =
    sent.accountId === undefined ? numberMatches : sent.accountId.toLowerCase() === account.accountId;
  if (namesAccount !== numberMatches) {
    throw inputError('accountIdentifier.accountId', 'must be of the account that accountKey names');
  }
  return { numberMatches, code: judgeCode(keyRing, account, sent, card.number), expiryMonth: card.expiryMonth };
}

/** The code is computed for the number that was sent, so an unknown number costs the same work. */
function judgeCode(
  keyRing: KeyRing,
  account: KnownAccount,
  { cvc, securityCode }: SentIdentifier,
  number: Secret,
): CardVerdict['code'] {
  const codes = [cvc, securityCode].filter((code) => code !== undefined);
  if (codes.length === 0) return 'NotSent';
  const { payeeId, cvcKeyId, cvcSequence, expiresOn } = account;
  if (cvcKeyId === null || expiresOn === null) return 'Unchecked';
  const right = cvcOf(keyRing, { payeeId, keyId: cvcKeyId, number, expiresOn, sequence: cvcSequence });
  const matches = codes.map((code) => equalDigests(Buffer.from(codeText(code, number)), Buffer.from(right.reveal())));
  return matches.every((match) => match) ? 'Matches' : 'Wrong';
}
