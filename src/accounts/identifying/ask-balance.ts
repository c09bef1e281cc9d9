import type { Read, Transaction } from '../../db/transaction.types.ts';
import { type Actor, countedAs } from '../../kit/caller.ts';
import { brandOf } from '../../kit/cards/brands.ts';
import { maskCardNumber, passesLuhn } from '../../kit/cards/card-number.ts';
import { inputError, notFound, type Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { ZERO_MINOR } from '../../kit/money.ts';
import type { Secret } from '../../kit/secret.ts';
import { currentDigest, findAccountByNumber } from '../../ledger/accounts/account-number.ts';
import { openAccount } from '../../ledger/accounts/open-account.ts';
import type { KnownAccount } from '../../ledger/ledger.types.ts';
import type { AccountsContext, SentIdentifier } from '../accounts.types.ts';
import { NOTE_FAILURE } from '../command-kinds.ts';
import { isWrong as isWrongCard, lacksCode } from './decline.rules.ts';
import { cardOf } from './identifier.rules.ts';
import { compareCard, decoyAccount } from './judge-card.ts';
import { checkLookUps, type LookingUp } from './limit-look-ups.ts';
import { isBlocked, isKeptOff } from './strikes.rules.ts';

/** A question for a balance. */
export interface AskBalance extends LookingUp {
  readonly identifier: SentIdentifier;
}

/**
 * The account of a card whose question is right, by one read that locks nothing: nearly every question is.
 *
 * @returns undefined where anything is wrong with it, it is not known, or its number's digest ends soon: `findForBalance` and
 * `checkBalance` tell what
 * @throws Refusal `toomanyrequests` as `checkLookUps`
 * @throws Refusal `inputerror` where the card is named twice in different ways
 */
export async function readForBalance(
  read: Read,
  context: Pick<AccountsContext, 'keyRing' | 'lookUps' | 'now'>,
  request: AskBalance,
): Promise<KnownAccount | undefined> {
  const { keyRing, lookUps } = context;
  const { payeeId, identifier } = request;
  const { number } = cardOf(identifier);
  await checkLookUps({ run: read }, request);
  const numberDigest = currentDigest(keyRing, { payeeId, number });
  const account = await lookUps.accountByNumber({ payeeId, numberDigest });
  // The transaction puts the end off.
  if (account?.numberEndsSoon) return undefined;
  return judgeQuestion(context, request, account).isRight ? account : undefined;
}

/**
 * The account behind a number; undefined where there is none. The first look at a card of an external issuer makes its
 * account.
 *
 * @throws Refusal `toomanyrequests` as `checkLookUps`
 * @throws Refusal `inputerror` where the card is named twice in different ways
 */
export async function findForBalance(
  transaction: Transaction,
  context: AccountsContext,
  request: AskBalance,
): Promise<KnownAccount | undefined> {
  const { payeeId, actor } = request;
  const { number } = cardOf(request.identifier);
  await checkLookUps(transaction, request);
  return (
    (await findAccountByNumber(transaction, context.keyRing, { payeeId, number })) ??
    (await firstSight(transaction, context, { payeeId, actor, number }))
  );
}

/** Opens the account of a card that an external issuer decides on. */
export async function firstSight(
  transaction: Transaction,
  context: AccountsContext,
  { payeeId, actor, number }: { readonly payeeId: PayeeId; readonly actor: Actor; readonly number: Secret },
): Promise<KnownAccount | undefined> {
  if (!passesLuhn(number.reveal())) return undefined;
  const issuerId = firstIssuerFor(context, payeeId, number);
  if (issuerId === undefined) return undefined;
  const draft = {
    payeeId,
    number,
    kind: 'External',
    instrument: 'creditcard',
    issuer: issuerId,
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
  return openAccount(transaction, context, { draft, actor });
}

/** Who may be asked about a card; each payment of it finds its own way. */
function firstIssuerFor(
  { issuers }: Pick<AccountsContext, 'issuers'>,
  payeeId: PayeeId,
  number: Secret,
): string | undefined {
  const brand = brandOf(number.reveal());
  const operations = ['Authorize', 'Purchase', 'Credit'] as const;
  const [route] = operations.flatMap((operation) => issuers.routesOf(payeeId, { operation, brand, number }));
  return route?.issuer.issuerId;
}

/**
 * Whether the one who asks for a balance has the card: what was sent with the number is checked. What is wrong is written
 * down, a wrong code or expiry against the card, and is for the caller to count and to throw.
 *
 * @returns the account, or: Refusal `notfound` where the account is unknown or blocked, or the cvc or expiry is wrong, which
 * look the same from outside and take the same work; Refusal `inputerror` where `accountId` names another account, or none
 */
export async function checkBalance(
  context: AccountsContext,
  request: AskBalance,
  account: KnownAccount | undefined,
): Promise<KnownAccount | Refusal> {
  const { payeeId, actor, identifier } = request;
  const { isRight, isNamed, isWrong } = judgeQuestion(context, request, account);
  if (account !== undefined && isRight) return account;
  const numberDigest = currentDigest(context.keyRing, { payeeId, number: cardOf(identifier).number });
  const found = { accountId: account?.accountId, isWrong: isWrong && isNamed, numberDigest };
  await context.submit(NOTE_FAILURE, { payeeId, actor, commandId: context.newId(), ...found });
  if (isNamed) return notFound();
  return inputError('accountIdentifier.accountId', 'must be of the account that accountKey names');
}

/** What of a question is as the account has it. An account that is not there is judged all the same: it takes the same work. */
function judgeQuestion(
  { keyRing, now }: Pick<AccountsContext, 'keyRing' | 'now'>,
  { payeeId, actor, identifier }: AskBalance,
  account: KnownAccount | undefined,
): { readonly isRight: boolean; readonly isNamed: boolean; readonly isWrong: boolean } {
  const { accountId: named } = identifier;
  const judged = account ?? decoyAccount(keyRing, payeeId);
  const verdict = compareCard(keyRing, judged, identifier, cardOf(identifier));
  const isNamed = named === undefined || named.toLowerCase() === judged.accountId;
  const isWrong = isWrongCard(verdict, judged);
  const time = now();
  const isClosed = isBlocked(judged, time) || isKeptOff(judged, countedAs(actor), time);
  const isRight = account !== undefined && isNamed && !isWrong && !isClosed && !lacksCode(verdict, account);
  return { isRight, isNamed, isWrong };
}
