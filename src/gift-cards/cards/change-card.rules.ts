import type { AuditAction, EventType } from '../../journal/journal.types.ts';
import { forbidden, notFound, Refusal } from '../../kit/errors.ts';
import { filedAs } from '../../kit/imports/filed-as.ts';
import { write } from '../../kit/row-writes.ts';
import type { Decision, LedgerState } from '../../ledger/ledger.types.ts';
import { whyNot } from './life.rules.ts';
import {
  type Asked,
  type CardEnds,
  CHANGED_GIFT_CARD,
  type ChangeCardCommand,
  type LifeRow,
  type LifeStep,
  STEP_OF_GIFT_CARD,
  type StepOutcome,
  type TakenStep,
} from './life.types.ts';
import { effectOf, type StepEffect, type StepSituation } from './steps.rules.ts';

type Changing = Decision<StepOutcome>;

/**
 * Decides on a step in a card's life. A known reference has no effect; what the card's state forbids has none either, and
 * leaves the reference free.
 *
 * @throws Refusal `notfound` where one of the cards does not exist
 * @throws Refusal `referencereused` where the reference is known with other content
 * @throws Refusal `forbidden` whose problem is named like the step
 */
export function decideChange(state: LedgerState<LifeRow>, command: ChangeCardCommand): Changing {
  const { accountId, asked } = command;
  const [card] = state.rows;
  const account = state.account(accountId);
  if (card === undefined || account === undefined) throw notFound();
  if (state.takenIn('gift-card') !== undefined) return known(card, command);
  const situation: StepSituation = { card, account, state, command, now: state.now };
  if (isOutOfDate(situation)) return { answer: () => ({ kind: 'Changed' }) };
  const reason = whyNot(asked.step, situation);
  if (reason !== undefined) throw forbidden(asked.step, reason);
  return done(situation, effectOf(situation, asked));
}

/** Everything but who asks and when is compared: a repetition with other content is another step. */
function known(row: LifeRow, command: ChangeCardCommand): Changing {
  const { accountId, asked, reason } = command;
  const isSame =
    row.stepAccountId === accountId &&
    row.step === asked.step &&
    row.reason === reason &&
    row.stepMergedInto === intoOf(asked) &&
    row.stepUntil === untilOf(asked);
  if (isSame) return { answer: () => ({ kind: 'Known' }) };
  throw new Refusal('referencereused', 'transactionRef stands for something else.', {
    problems: [{ name: 'transactionRef', description: 'must be new, or come with the content that it had' }],
  });
}

function intoOf(asked: Asked): TakenStep['mergedInto'] {
  return asked.step === 'Merge' ? asked.into : null;
}

function untilOf(asked: Asked): TakenStep['until'] {
  return asked.step === 'Extend' || asked.step === 'Restore' ? asked.until : null;
}

/** Whether the caller prepared the step for a card, a key or a number that is another one by now. */
function isOutOfDate({ card, account, state, command: { asked } }: StepSituation): boolean {
  if (asked.step === 'Replace') return card.sealWith !== asked.draft.sealed.sealedWith || state.isNumberTaken;
  if (asked.step === 'Restore') return card.eventSequence !== asked.seen;
  // A deposit earlier in the batch is not in the row.
  if (asked.step !== 'Void' || account.entryCount !== 1) return false;
  return card.firstKind === null || (card.firstKind === 'Deposit' && card.firstPaymentId !== asked.depositId);
}

/** What the step does, with its note, its event and its line in the audit trail. */
function done(situation: StepSituation, { effect, told = [], life = {}, amount, until }: StepEffect): Changing {
  const { card, account, command } = situation;
  const { payeeId, accountId, transactionRef, reason, asked, file } = command;
  const { step } = asked;
  const ends = { ...endsOf(card), ...life };
  const eventSequence = card.eventSequence + 1;
  const { currency } = account;
  const moved = amount === undefined || currency === null ? {} : { amount, currency };
  const event = {
    type: EVENTS[step],
    resourceId: accountId,
    resourceSequence: eventSequence,
    payload: { accountId, ...moved, ...(until !== undefined && { until }), ...othersOf(ends) },
  };
  const note: TakenStep = {
    payeeId,
    transactionRef,
    accountId,
    step,
    reason,
    mergedInto: intoOf(asked),
    until: untilOf(asked),
  };
  return {
    answer: () => ({ kind: 'Done', amount: amount ?? 0 }),
    effect: {
      ...effect,
      accountId,
      action: ACTIONS[step],
      object: {
        objectId: accountId,
        details: { ...moved, ...(until !== undefined && { day: until }), ...filedAs(file) },
      },
      ownEvents: [...told, event, ...(effect.ownEvents ?? [])],
      writes: [
        ...(effect.writes ?? []),
        write(CHANGED_GIFT_CARD, { payeeId, accountId, seen: card.eventSequence, ...ends, eventSequence }),
        write(STEP_OF_GIFT_CARD, note),
      ],
    },
  };
}

const EVENTS: Readonly<Record<LifeStep, EventType>> = {
  Block: 'gift-card.blocked',
  Unblock: 'gift-card.unblocked',
  Void: 'gift-card.voided',
  Merge: 'gift-card.merged',
  Replace: 'gift-card.replaced',
  Sweep: 'gift-card.swept',
  Extend: 'gift-card.extended',
  Restore: 'gift-card.restored',
};

/** Verbs for the audit trail. */
const ACTIONS: Readonly<Record<LifeStep, AuditAction>> = {
  Block: 'block-gift-card',
  Unblock: 'unblock-gift-card',
  Void: 'void-gift-card',
  Merge: 'merge-gift-card',
  Replace: 'replace-gift-card',
  Sweep: 'sweep-gift-card',
  Extend: 'extend-gift-card',
  Restore: 'restore-gift-card',
};

function endsOf({ voidedAt, mergedAt, mergedInto, replacedAt, replacedBy, sweptAt }: CardEnds): CardEnds {
  return { voidedAt, mergedAt, mergedInto, replacedAt, replacedBy, sweptAt };
}

function othersOf({ mergedInto, replacedBy }: CardEnds) {
  return { ...(mergedInto !== null && { mergedInto }), ...(replacedBy !== null && { replacedBy }) };
}
