import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { AssociatedData, KeyRing } from '../../keys/keys.types.ts';
import { resealing } from '../../keys/resealing.ts';
import { holdKeys } from '../../keys/ring/hold-keys.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import { assert } from '../../kit/assert.ts';
import { equalDigests, type Secret, sha256 } from '../../kit/secret.ts';
import {
  type AuthenticationKey,
  countValuesSealedWith,
  eraseValue,
  insertAuthentication,
  lockAuthenticationNamed,
  lockValuesSealedWith,
  moveAuthentication,
  type NewAuthentication,
  noteLateResult,
  noteShown,
  selectAuthenticationNamed,
  selectAuthenticationOf,
  selectOverdueAuthentications,
  updateSealedValues,
} from './authentications.store.ts';
import type { MessageFault } from './message-form.rules.ts';
import type { AuthenticationAnswer, ResultRequest, ResultsStatus } from './messages.rules.ts';
import { endOf } from './outcome.rules.ts';
import type {
  Authentication,
  AuthenticationEnd,
  AuthenticationState,
  OpenState,
  OverdueAuthentication,
} from './three-ds.types.ts';

/** Seconds from the card to the question: a payer looks for a phone, and comes back. */
const QUESTION_SECONDS = 15 * 60;
/** Seconds in which an answer is stored that has come in time. */
const ANSWER_SECONDS = 10;
/** Seconds from the answer to the end of a challenge: one minute more than the issuer gives its payer. */
const CHALLENGE_SECONDS = 11 * 60;
/** Seconds that an end waits for the page to come and ask the acquirer. */
const END_SECONDS = 11 * 60;

/** Begins the authentication of a payer. */
export async function beginAuthentication(transaction: Transaction, row: NewAuthentication): Promise<Authentication> {
  const inserted = await insertAuthentication(transaction, row, QUESTION_SECONDS);
  assert(inserted !== undefined, 'a new authentication is one row');
  return inserted;
}

/** The last authentication of a transaction; undefined where its payer never had to. */
export async function findAuthentication(
  read: Read,
  of: Pick<Authentication, 'payeeId' | 'transactionId'>,
): Promise<Authentication | undefined> {
  const { rows } = await selectAuthenticationOf(read, of);
  return rows[0];
}

/** The authentication that a message names; undefined where none is known. */
export async function findAuthenticationNamed(
  read: Read,
  serverTransactionId: string,
): Promise<Authentication | undefined> {
  const { rows } = await selectAuthenticationNamed(read, serverTransactionId);
  return rows[0];
}

/**
 * Takes the only question that there may be. Where its process ends before the answer, the payer waits no longer than for that.
 *
 * @returns whether it was this request that took it
 */
export async function claimQuestion(
  transaction: Transaction,
  key: AuthenticationKey,
  answerMs: number,
): Promise<boolean> {
  const moved = await moveAuthentication(transaction, {
    ...namesOf(key),
    from: ['Created', 'Method'],
    to: 'Requested',
    expiresIn: Math.ceil(answerMs / 1000) + ANSWER_SECONDS,
  });
  return moved === 1;
}

/** Stores what the issuer answered: a challenge, or an end. Nothing where it was given up meanwhile. */
export async function noteAnswer(
  transaction: Transaction,
  keyRing: KeyRing,
  { key, answer }: { readonly key: AuthenticationKey; readonly answer: AuthenticationAnswer },
): Promise<void> {
  const { dsTransactionId, acsTransactionId, acsUrl, cardholderInfo } = answer;
  const said = { dsTransactionId, acsTransactionId, ...(cardholderInfo === undefined ? {} : { cardholderInfo }) };
  const end = endOf(answer);
  if (end !== undefined) return await noteEnd(transaction, keyRing, { key, end, from: ['Requested'], said });
  assert(acsUrl !== undefined, 'a challenge has its address');
  await moveAuthentication(transaction, {
    ...namesOf(key),
    ...said,
    from: ['Requested'],
    to: 'Challenge',
    acsUrl,
    transStatus: answer.transStatus,
    expiresIn: CHALLENGE_SECONDS,
  });
}

interface Ending {
  readonly key: AuthenticationKey;
  readonly end: AuthenticationEnd;
  readonly from: readonly OpenState[];
  readonly said?: {
    readonly dsTransactionId?: string;
    readonly acsTransactionId?: string;
    readonly cardholderInfo?: string;
    readonly resultDigest?: Buffer;
  };
}

/** Stores an end. Nothing where there is another one already. */
export async function noteEnd(
  transaction: Transaction,
  keyRing: KeyRing,
  { key, end, from, said = {} }: Ending,
): Promise<void> {
  const { state, transStatus, reason, eci, authenticationValue } = end;
  await moveAuthentication(transaction, {
    ...namesOf(key),
    ...said,
    from,
    to: state,
    transStatus,
    reason,
    eci,
    ...(authenticationValue === undefined ? {} : { value: await seal(transaction, keyRing, key, authenticationValue) }),
    expiresIn: END_SECONDS,
  });
}

async function seal(...[transaction, keyRing, key, value]: [Transaction, KeyRing, AuthenticationKey, Secret]) {
  const { secrets: sealedWith } = (await loadWriteKeys(transaction, keyRing)).current;
  return { sealed: keyRing.seal(sealedWith, associatedDataOf(key), value), sealedWith };
}

/** Notes that a browser is led to the challenge. */
export async function noteChallengeShown(transaction: Transaction, key: AuthenticationKey): Promise<void> {
  await noteShown(transaction, key);
}

/** What a result is answered with. */
export type TakenResult =
  | { readonly status: ResultsStatus; readonly scheme: string }
  /** `scheme`: where it names an authentication that is known. */
  | { readonly fault: MessageFault; readonly scheme?: string };

/**
 * Takes the result of a challenge. The first one counts; the same one again is acknowledged again. One that comes after the
 * payer has given up is acknowledged, and changes nothing but that another one is refused.
 */
export async function takeResult(
  transaction: Transaction,
  keyRing: KeyRing,
  result: ResultRequest,
): Promise<TakenResult> {
  const known = await lockAuthenticationNamed(transaction, result.serverTransactionId);
  if (known === undefined) return { fault: { code: '301', detail: 'threeDSServerTransID' } };
  const { scheme } = known;
  if (known.dsTransactionId !== result.dsTransactionId) return { fault: { code: '301', detail: 'dsTransID' }, scheme };
  if (known.acsTransactionId !== result.acsTransactionId)
    return { fault: { code: '301', detail: 'acsTransID' }, scheme };
  const resultDigest = digestOf(result);
  if (known.resultDigest !== null) {
    if (equalDigests(known.resultDigest, resultDigest)) return { status: '01', scheme };
    return { fault: { code: '305', detail: 'transStatus' }, scheme };
  }
  if (!TAKES_RESULTS.includes(known.state)) return { fault: { code: '305', detail: 'transStatus' }, scheme };
  const end = endOf(known.isChallengeShown ? result : { ...result, transStatus: 'N' });
  assert(end !== undefined, 'a result is an end');
  if (known.state === 'Challenge') {
    await noteEnd(transaction, keyRing, { key: known, end, from: ['Challenge'], said: { resultDigest } });
  } else await noteLateResult(transaction, { ...namesOf(known), resultDigest });
  return { status: known.isChallengeShown ? '01' : '02', scheme };
}

/** Under way, or given up while the payer was at the issuer. */
const TAKES_RESULTS: readonly AuthenticationState[] = ['Challenge', 'Cancelled', 'Expired', 'Failed'];

/** The same for two results that say the same. */
function digestOf({ transStatus, reason, eci, authenticationValue, challengeCancel }: ResultRequest): Buffer {
  return sha256(JSON.stringify([transStatus, reason, eci, authenticationValue?.reveal(), challengeCancel]));
}

/** Some authentications whose time is over, and ends whose proof was not erased. */
export function findOverdue(read: Read, limit: number): Promise<readonly OverdueAuthentication[]> {
  return selectOverdueAuthentications(read, limit);
}

/** What proves an end to the acquirer; undefined where nothing does. */
export async function openValue(keyRing: KeyRing, authentication: Authentication): Promise<Secret | undefined> {
  const { valueSealed } = authentication;
  if (valueSealed === null) return undefined;
  await holdKeys(keyRing, [valueSealed]);
  return keyRing.open(associatedDataOf(authentication), valueSealed);
}

/** Erases what proves it, and lets no job look after it any more. */
export async function forgetValue(transaction: Transaction, key: AuthenticationKey): Promise<void> {
  await eraseValue(transaction, key);
}

function namesOf({ payeeId, serverTransactionId }: AuthenticationKey): AuthenticationKey {
  return { payeeId, serverTransactionId };
}

function associatedDataOf({ payeeId, serverTransactionId }: AuthenticationKey): AssociatedData {
  return { purpose: 'secrets', payeeId, rowId: serverTransactionId, field: 'authentication.value_sealed' };
}

/** How authentication values come to be sealed with another key of the ring when that is rotated. */
export const AUTHENTICATION_VALUE_USE = resealing({
  purpose: 'secrets',
  count: countValuesSealedWith,
  lock: lockValuesSealedWith,
  update: updateSealedValues,
  associatedDataOf,
});
