import type { Transaction } from '../db/transaction.types.ts';
import type { KeyRing } from '../keys/keys.types.ts';
import { assert } from '../kit/assert.ts';
import { HELD_CARD_DAYS } from '../kit/cards/card-payment-limits.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { Kontor } from '../kontor.types.ts';
import { findCardRanges } from './find-card-ranges.ts';
import { deleteHolds, insertHold, putOffHolds, touchHold } from './held-cards.store.ts';
import { openCard } from './open-instrument.ts';
import { storeInstruments } from './store-instruments.ts';
import type { CardHold, HeldCard, HoldName } from './vault.types.ts';

/** Seconds after which a new hold is looked after: the payment that it is for is made by then, or it never will be. */
const NEW_HOLD_SECONDS = 600;
/** Seconds after which a hold is looked after that a card was opened of: what it was opened for may be the last. */
const OPENED_HOLD_SECONDS = 120;

/**
 * Seals a card and holds it, whatever becomes of its tokens, until nothing can follow the payment that the attempt makes.
 * See `releaseHeldCards`.
 */
export async function holdCard(
  transaction: Transaction,
  kontor: Kontor,
  { payeeId, attemptId, number, expiryDate }: HoldName & HeldCard,
): Promise<void> {
  const [found] = await findCardRanges(transaction, [number]);
  assert(found !== undefined, 'the look-up answers for every number');
  const draft = { kind: 'Card', number, range: found.range } as const;
  const [instrument] = await storeInstruments(transaction, kontor, payeeId, [draft]);
  assert(instrument !== undefined, 'a card that is sealed is an instrument');
  const { instrumentId } = instrument;
  await insertHold(transaction, { payeeId, attemptId, instrumentId, expiryDate: expiryDate ?? null }, NEW_HOLD_SECONDS);
}

/** Opens a held card, for what follows its payment; undefined where it is held no more. */
export async function openHeldCard(
  transaction: Transaction,
  keyRing: KeyRing,
  name: HoldName,
): Promise<HeldCard | undefined> {
  const hold = await touchHold(transaction, name, { dueSeconds: OPENED_HOLD_SECONDS, mostDays: HELD_CARD_DAYS });
  if (hold === undefined) return undefined;
  const opened = await openCard(transaction, keyRing, hold);
  assert(opened !== undefined, 'a held card is in the vault');
  return { number: opened.number, expiryDate: hold.expiryDate ?? undefined };
}

/** Seconds after which a card is looked after again whose payment is not over: the last follow-up has it looked after sooner. */
const KEPT_HOLD_SECONDS = 24 * 60 * 60;

/** Lets go of held cards of one payee, and has the others among them looked after again a day later. */
export async function endHolds(
  transaction: Transaction,
  payeeId: PayeeId,
  holds: readonly (CardHold & { readonly isNeeded: boolean })[],
): Promise<void> {
  const named = (isNeeded: boolean) =>
    holds.filter((hold) => hold.isNeeded === isNeeded).map(({ attemptId }) => attemptId);
  await deleteHolds(transaction, payeeId, named(false));
  await putOffHolds(transaction, payeeId, { attemptIds: named(true), dueSeconds: KEPT_HOLD_SECONDS });
}
