import type { Transaction } from '../../db/transaction.types.ts';
import { loadWriteKeys } from '../../keys/ring/load-write-keys.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import { forbidden, inputError, Refusal } from '../../kit/errors.ts';
import type { Given } from '../../kit/given.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { FORGET_ROWS } from '../../kit/limits.ts';
import { Secret } from '../../kit/secret.ts';
import type { Kontor } from '../../kontor.types.ts';
import { findGivingLimits } from '../../merchants/payees/giving-limits.ts';
import { associatedDataOfRequest, referenceOf, weigh } from './approvals.rules.ts';
import {
  deleteOldGivings,
  forgetRequests,
  type Giver,
  insertChange,
  insertGiving,
  lockGiver,
  releaseExpired,
  selectGiven,
} from './approvals.store.ts';
import type { KeptRequest, WaitingChange } from './approvals.types.ts';
import { tellOfChange } from './tell-of-change.ts';

/** Hours over which the amounts that a person gives away by pages are added up: a day. */
const GIVING_HOURS = 24;
/** Hours after which what waits for another person is over, and for which what came of it can be seen. */
const APPROVAL_HOURS = 24;

/** A request of a page that gives money away, with how much. */
export interface Giving extends Giver, Given {
  readonly operationId: string;
  readonly request: KeptRequest;
  readonly isReauthenticated: boolean;
  readonly actor: Actor;
}

/**
 * Weighs what a page gives away: refunds, deposits, gift cards. It is let through and counted, refused until the password is
 * given, or kept for another person.
 *
 * @returns what waits; undefined where it may go on
 * @throws Refusal `forbidden` whose problem is named `reauthentication`
 * @throws Refusal `inputerror` for what would wait and holds a code of a card
 */
export async function weighGiving(
  transaction: Transaction,
  context: Kontor,
  giving: Giving,
): Promise<WaitingChange | undefined> {
  const { amount, currency, isReauthenticated, needsSecondPerson } = giving;
  await lockGiver(transaction, giving);
  const [sum] = (await selectGiven(transaction, giving, GIVING_HOURS)).rows;
  assert(sum !== undefined, 'a sum is one row');
  const limits = (await findGivingLimits(transaction, giving)) ?? context.config.givingLimits;
  const asked = weigh({ amount, givenBefore: sum.given, currency, limits, isReauthenticated, needsSecondPerson });
  if (asked === 'password') {
    throw forbidden('reauthentication', 'Give your password again: this needs one that was given a moment ago.');
  }
  if (asked === 'second-person') return keep(transaction, context, giving);
  const inserted = await insertGiving(transaction, giving, { givingId: context.newId(), amount });
  assert(inserted === 1, 'what a user gives is one row');
  return undefined;
}

/** Whether what always needs another person needs one: the payee, or the installation, has a limit for it at all. */
export async function alwaysNeedsAnother(
  { config, database }: Kontor,
  where: { readonly payeeId: PayeeId; readonly currency: string },
): Promise<boolean> {
  const { secondPersonAbove } = (await findGivingLimits({ run: database.read }, where)) ?? config.givingLimits;
  return secondPersonAbove !== null;
}

async function keep(transaction: Transaction, context: Kontor, giving: Giving): Promise<WaitingChange> {
  const { payeeId, currency, amount, operationId, object, into, cards, way, reason, request, actor } = giving;
  const changeId = context.newId();
  const { secrets: sealedWith } = (await loadWriteKeys(transaction, context.keyRing)).current;
  const text = new Secret(JSON.stringify(request, refuseCode));
  const what = { payeeId, changeId, operationId, currency, amount };
  // The same reference for another object is another change.
  const reference = `${object.id}:${referenceOf(request) ?? changeId}`;
  await releaseExpired(transaction, { payeeId, operationId, askedBy: actor, reference });
  const [saved] = (
    await insertChange(transaction, {
      ...what,
      objectKind: object.kind,
      objectId: object.id,
      intoId: into ?? null,
      cards: cards ?? null,
      way: way ?? null,
      reason: reason ?? null,
      askedBy: actor,
      sealed: context.keyRing.seal(sealedWith, associatedDataOfRequest(what), text),
      sealedWith,
      reference,
      hours: APPROVAL_HOURS,
    })
  ).rows;
  assert(saved !== undefined, 'a change is one row');
  if (saved.amount !== amount || saved.currency !== currency) {
    throw new Refusal(
      'referencereused',
      'What waits under this reference has another amount: ask with a new reference.',
    );
  }
  const told = { ...what, eventSequence: 1, now: saved.askedAt };
  if (saved.isNew) await tellOfChange(transaction, told, { done: 'ask', actor });
  return { changeId: saved.changeId, state: 'Pending', expiresAt: saved.expiresAt, amount, currency };
}

/**
 * Forgets what is not needed any more of what people gave away, of all payees: sealed requests that are over, and
 * amounts that count no more. A bounded number of each, and answers the larger one.
 */
export async function forgetGivings(transaction: Transaction): Promise<number> {
  const [requests, amounts] = [
    await forgetRequests(transaction, { hours: APPROVAL_HOURS, limit: FORGET_ROWS }),
    await deleteOldGivings(transaction, { hours: GIVING_HOURS, limit: FORGET_ROWS }),
  ];
  return Math.max(requests, amounts);
}

const CODES: ReadonlySet<string> = new Set(['cvc', 'securityCode', 'track2', 'encryptedPin']);

/** A code is never stored, in any form (PCI DSS 4.0.1, 3.3.1), and what waits is stored. */
function refuseCode(name: string, value: unknown): unknown {
  if (CODES.has(name))
    throw inputError(name, 'must not be sent: what waits for another person is stored, a code never is');
  return value;
}
