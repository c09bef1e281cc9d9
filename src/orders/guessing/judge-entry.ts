import { decoyAccount, judgeCard } from '../../accounts/identifying/judge-card.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import { noteGuessedAt } from '../../gift-cards/cards/note-guessed-at.ts';
import { writeEvents } from '../../journal/write-events.ts';
import { assert } from '../../kit/assert.ts';
import { groupBy } from '../../kit/group-by.ts';
import { addSeconds } from '../../kit/instants.ts';
import { Secret } from '../../kit/secret.ts';
import { findAccountsByNumber } from '../../ledger/accounts/account-number.ts';
import type { KnownAccount } from '../../ledger/ledger.types.ts';
import { type CounterBook, type Counters, closedBy, isFirst, lockCounters } from './counters.ts';
import { hasPaidWith, saveCounters } from './guesses.store.ts';
import {
  ATTACK_SECONDS,
  afterTelling,
  countEntry,
  countOfPayee,
  isClosed,
  isTold,
  isUnderAttack,
  isWrongAgain,
  OF_ADDRESS,
  OF_CARD,
  OF_PAYER,
  OF_SITE,
  outcomeOf,
  strike,
} from './guessing.rules.ts';
import type { Counter, GiftCardAsked, GuessingParts, Judgement, PlacedEntry } from './guessing.types.ts';

/**
 * Compares entries with the cards that they name, and counts them, one after another. Unknown numbers take the same work:
 * fingerprint, look-up and one code. Nothing is done before all locks are held, so it may be done again.
 */
export async function judgeEntries(
  transaction: Transaction,
  context: Pick<GuessingParts, 'keyRing' | 'newId'>,
  entries: readonly PlacedEntry[],
): Promise<readonly Judgement[]> {
  const named = entries.map(({ order: { payeeId }, entry }) => ({ payeeId, number: new Secret(entry.number) }));
  const [book, accounts] = await Promise.all([
    lockCounters(
      transaction,
      entries.map(({ places }) => places),
    ),
    findAccountsByNumber(transaction, context.keyRing, named),
  ]);
  const judgements = new Map<PlacedEntry, Judgement>();
  const told: KnownAccount[] = [];
  for (const [asked, account] of byPayee(entries.map((one, index) => [one, accounts[index]]))) {
    const one = await judgeEntry(transaction, context, { asked, book, account });
    if (one.told !== undefined) told.push(one.told);
    judgements.set(asked, one.judgement);
  }
  await Promise.all([...book.changed()].map(([payeeId, counters]) => saveCounters(transaction, payeeId, counters)));
  for (const account of told) await noteGuessedAt(transaction, account, book.now);
  return entries.map((asked) => {
    const judgement = judgements.get(asked);
    assert(judgement !== undefined, 'every entry is judged');
    return judgement;
  });
}

type Known = readonly [asked: PlacedEntry, account: KnownAccount | undefined];

/**
 * A payee's entries in their order, one payee after another in one order for all transactions: where payees turn out to be
 * attacked, each has one more lock, and no two transactions may wait for each other's.
 */
function byPayee(entries: readonly Known[]): readonly Known[] {
  const ofPayees = groupBy(entries, ([{ order }]) => order.payeeId);
  return [...ofPayees].sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, known]) => known);
}

interface Judging {
  readonly asked: PlacedEntry;
  readonly book: CounterBook;
  readonly account: KnownAccount | undefined;
}

async function judgeEntry(
  transaction: Transaction,
  { keyRing, newId }: Pick<GuessingParts, 'keyRing' | 'newId'>,
  { asked, book, account }: Judging,
): Promise<{ readonly judgement: Judgement; readonly told?: KnownAccount | undefined }> {
  const { order, added, entry, places } = asked;
  const { payeeId } = order;
  const counters = book.of(places);
  const { now } = counters;
  const isShut = closedBy(counters);
  if (isShut !== undefined) return { judgement: { judged: isShut, isNews: false } };
  const number = new Secret(entry.number);
  const verdict = judgeCard(keyRing, account ?? decoyAccount(keyRing, payeeId), sentAs(entry, number), {
    number,
    expiryMonth: undefined,
  });
  const isPaused = counters.card !== undefined && isClosed(counters.card, now);
  const isFriend = isPaused && (await isKnownPayer(transaction, counters, { order, account }));
  const outcome = outcomeOf({ order, added, account, verdict, isPaused: isPaused && !isFriend }, now);
  const counted = countAll(counters, {
    wasWrong: outcome.outcome === 'notusable',
    isCodeWrong: verdict.code !== 'Matches' || account === undefined,
    isPaused,
    isFriend,
    orderEndsAt: order.expiresAt,
  });
  const isNews = counted.isNewAttack && (await isFirst(transaction, places));
  book.note(payeeId, counters, counted.counters);
  if (isNews) {
    const happened = { payeeId, resourceId: newId(), resourceSequence: 1, happenedAt: now };
    await writeEvents(transaction, [{ ...happened, type: 'gift-card.guessing', payload: {} }]);
  }
  return { judgement: { judged: outcome, isNews }, told: counted.isTold ? account : undefined };
}

function sentAs({ code }: GiftCardAsked['entry'], number: Secret) {
  return {
    accountId: undefined,
    accountKey: number,
    cvc: { digits: new Secret(code), cameAsNumber: false },
    securityCode: undefined,
    encryptedPin: undefined,
    expiryDate: undefined,
    track2: undefined,
  };
}

/** Whether a payer is compared all the same while a card is closed for others: one who has paid with it, a few times a day. */
async function isKnownPayer(
  transaction: Transaction,
  { payer, now }: Counters,
  { order, account }: { readonly order: GiftCardAsked['order']; readonly account: KnownAccount | undefined },
): Promise<boolean> {
  const { payeeId, orderId, terms } = order;
  const { payerReference } = terms;
  if (payerReference === undefined) return false;
  const accountId = account?.accountId ?? null;
  const hasPaid = await hasPaidWith(transaction, { payeeId, orderId, accountId, payerReference });
  return hasPaid && payer !== undefined && !isClosed(payer, now);
}

interface Judged {
  readonly wasWrong: boolean;
  readonly isCodeWrong: boolean;
  readonly isPaused: boolean;
  readonly isFriend: boolean;
  readonly orderEndsAt: string;
}

/** The limits of `Counters.networks`. */
const OF_NETWORKS = [OF_ADDRESS, OF_SITE];

/** What is counted of an entry. A card that pages compare no code of counts none: a pause cannot be drawn out. */
function countAll(
  counters: Counters,
  { wasWrong, isCodeWrong, isPaused, isFriend, orderEndsAt }: Judged,
): { readonly counters: readonly Counter[]; readonly isTold: boolean; readonly isNewAttack: boolean } {
  const { now, networks, payee, payeeParts, attack, card, payer } = counters;
  const changed: Counter[] = [countEntry(counters.order, wasWrong, orderEndsAt)];
  if (payee === undefined || attack === undefined) return { counters: changed, isTold: false, isNewAttack: false };
  // The same card again tells a guesser of no other one, and is counted with the card.
  const isNewCard = card === undefined || !isWrongAgain(card, now);
  const ofPayee = countOfPayee(payee, wasWrong && isNewCard, now);
  changed.push(ofPayee);
  if (!wasWrong) return { counters: changed, isTold: false, isNewAttack: false };
  if (isNewCard) changed.push(...networks.map((network, index) => strike(network, OF_NETWORKS[index] ?? OF_SITE, now)));
  const struck = card === undefined || isPaused || !isCodeWrong ? card : strike(card, OF_CARD, now);
  const isToldNow = card !== undefined && struck !== undefined && isTold(card, struck);
  if (struck !== undefined && struck !== card) changed.push(isToldNow ? afterTelling(struck) : struck);
  if (payer !== undefined && isFriend && isCodeWrong) changed.push(strike(payer, OF_PAYER, now));
  const isAttacked = isUnderAttack(
    payeeParts.map((part) => (part === payee ? ofPayee : part)),
    now,
  );
  if (!isAttacked) return { counters: changed, isTold: isToldNow, isNewAttack: false };
  const closedUntil = addSeconds(now, ATTACK_SECONDS);
  changed.push({ ...attack, closedUntil, forgetAt: closedUntil });
  return { counters: changed, isTold: isToldNow, isNewAttack: !isClosed(attack, now) };
}
