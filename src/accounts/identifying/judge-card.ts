import type { KeyRing } from '../../keys/keys.types.ts';
import { inputError } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { ZERO_MINOR } from '../../kit/money.ts';
import { equalDigests, type Secret } from '../../kit/secret.ts';
import { isNumberOf } from '../../ledger/accounts/account-number.ts';
import type { AccountIdentity } from '../../ledger/accounts/ledger-reads.types.ts';
import type { AccountId, KnownAccount } from '../../ledger/ledger.types.ts';
import type { CardVerdict, SentIdentifier } from '../accounts.types.ts';
import { cvcOf } from './cvc.rules.ts';
import { codeText, type SentCard } from './identifier.rules.ts';
import { NO_STRIKES } from './strikes.rules.ts';

/**
 * Compares a card with the account that a request names, as `compareCard`.
 *
 * @throws Refusal `inputerror` where `accountId` and `accountKey` name two accounts
 */
export function judgeCard(
  keyRing: KeyRing,
  account: AccountIdentity,
  sent: SentIdentifier,
  card: SentCard,
): CardVerdict {
  const verdict = compareCard(keyRing, account, sent, card);
  const namesAccount =
    sent.accountId === undefined ? verdict.numberMatches : sent.accountId.toLowerCase() === account.accountId;
  if (namesAccount !== verdict.numberMatches) {
    throw inputError('accountIdentifier.accountId', 'must be of the account that accountKey names');
  }
  return verdict;
}

/**
 * Compares what was sent with what the account is, in constant time, so that only the outcome goes on: neither number nor
 * code enters the queue.
 */
export function compareCard(
  keyRing: KeyRing,
  account: AccountIdentity,
  sent: SentIdentifier,
  card: SentCard,
): CardVerdict {
  const numberMatches = isNumberOf(keyRing, account, card.number);
  return { numberMatches, code: judgeCode(keyRing, account, sent, card.number), expiryMonth: card.expiryMonth };
}

/** What an unknown number is held against, so that it costs the same work: no number and no code is its. */
export function decoyAccount(keyRing: KeyRing, payeeId: PayeeId): KnownAccount {
  return {
    payeeId,
    accountId: 'none' as AccountId,
    kind: 'StoredValue',
    instrument: 'giftcard',
    issuer: 'none',
    currency: null,
    numberMasked: '',
    expiresOn: '2000-01-31',
    expiresAt: null,
    cvcRequired: false,
    cvcKeyId: keyRing.current('card-verification'),
    cvcSequence: 0,
    allowedProductIds: [],
    largestBalance: null,
    available: ZERO_MINOR,
    held: ZERO_MINOR,
    blockedAt: null,
    blockedUntil: null,
    closedAt: null,
    ...NO_STRIKES,
    nextHoldExpiresAt: null,
    entryCount: 0,
    version: 0,
    createdAt: '',
    numberDigest: Buffer.alloc(32),
    numberKeyId: keyRing.current('account-numbers'),
  };
}

/** The code is computed for the number that was sent, so an unknown number costs the same work. */
function judgeCode(
  keyRing: KeyRing,
  account: AccountIdentity,
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
