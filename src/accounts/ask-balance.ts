import type { Transaction } from '../db/transaction.types.ts';
import type { Actor } from '../kit/caller.ts';
import { maskCardNumber, passesLuhn } from '../kit/card-number.ts';
import { inputError, notFound } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { UNKNOWN_NUMBER_WINDOW_SECONDS, UNKNOWN_NUMBERS } from '../kit/limits.ts';
import { ZERO_MINOR } from '../kit/money.ts';
import { type Secret, sha256 } from '../kit/secret.ts';
import { findAccountByNumber } from '../ledger/account-number.ts';
import type { KnownAccount } from '../ledger/ledger.types.ts';
import { openAccount } from '../ledger/open-account.ts';
import { checkAttempts, countAttempt } from '../merchants/count-attempt.ts';
import type { AccountsWorld, SentIdentifier } from './accounts.types.ts';
import { NOTE_WRONG_CODE } from './command-kinds.ts';
import { isBlocked, isWrong, lacksCode } from './decline.rules.ts';
import { cardOf } from './identifier.rules.ts';
import { judgeCard } from './judge-card.ts';

/** A question for a balance. */
export interface AskBalance {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  readonly identifier: SentIdentifier;
  /** Whether unknown numbers count against a limit of whoever asks. */
  readonly isLimited: boolean;
}

/** How many unknown numbers a credential may try. */
export const UNKNOWN_NUMBER_LIMIT = {
  kind: 'unknown-account-number',
  attempts: UNKNOWN_NUMBERS,
  windowSeconds: UNKNOWN_NUMBER_WINDOW_SECONDS,
  refusal: 'Too many unknown numbers were asked for with this credential.',
};

/**
 * The account behind a number; undefined where there is none, which counts. The first look at a card of an external
 * issuer makes its account.
 *
 * @throws Refusal `toomanyrequests` where the credential has tried too many unknown numbers
 * @throws Refusal `inputerror` where the card is named twice in different ways
 */
export async function findForBalance(
  transaction: Transaction,
  world: AccountsWorld,
  request: AskBalance,
): Promise<KnownAccount | undefined> {
  const { payeeId, actor, isLimited } = request;
  const { number } = cardOf(request.identifier);
  const subject = { payeeId, digest: sha256(actor.name) };
  if (isLimited) await checkAttempts(transaction, subject, UNKNOWN_NUMBER_LIMIT);
  const account =
    (await findAccountByNumber(transaction, world, { payeeId, number })) ??
    (await firstSight(transaction, world, { payeeId, actor, number }));
  if (account === undefined && isLimited) await countAttempt(transaction, subject, UNKNOWN_NUMBER_LIMIT);
  return account;
}

/** Opens the account of a card that an external issuer decides on. */
export async function firstSight(
  transaction: Transaction,
  world: Pick<AccountsWorld, 'issuers' | 'keyRing' | 'newId'>,
  { payeeId, actor, number }: { readonly payeeId: PayeeId; readonly actor: Actor; readonly number: Secret },
): Promise<KnownAccount | undefined> {
  const issuer = world.issuers.forNumber(number);
  if (issuer?.host === undefined || !passesLuhn(number.reveal())) return undefined;
  const draft = {
    payeeId,
    number,
    kind: 'External',
    instrument: 'creditcard',
    issuer: issuer.issuerId,
    currency: null,
    numberMasked: maskCardNumber(number.reveal()),
    expiresOn: null,
    cvcRequired: false,
    cvcKeyId: null,
    cvcSequence: 0,
    allowedProductIds: [],
    largestBalance: null,
    openingBalance: ZERO_MINOR,
  } as const;
  return openAccount(transaction, world, { draft, actor });
}

/**
 * Whether the one who asks for a balance has the card: what was sent with the number is checked, and what is wrong is
 * counted against the card.
 *
 * @throws Refusal `notfound` where the account is unknown or blocked, or the cvc or expiry is wrong: from outside these
 * look the same
 * @throws Refusal `inputerror` where `accountId` names another account
 */
export async function checkBalance(
  world: AccountsWorld,
  { payeeId, actor, identifier }: AskBalance,
  account: KnownAccount | undefined,
): Promise<KnownAccount> {
  if (account === undefined) throw notFound();
  const { accountId } = account;
  if (identifier.accountId !== undefined && identifier.accountId.toLowerCase() !== accountId) {
    throw inputError('accountIdentifier.accountId', 'must be of the account that accountKey names');
  }
  const verdict = judgeCard(world.keyRing, account, identifier, cardOf(identifier));
  if (isBlocked(account, world.now()) || lacksCode(verdict, account)) throw notFound();
  if (!isWrong(verdict, account)) return account;
  await world.submit(NOTE_WRONG_CODE, { payeeId, actor, commandId: world.newId(), accountId });
  throw notFound();
}
