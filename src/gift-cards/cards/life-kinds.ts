import { PAYMENTS } from '../../accounts/account-payments.types.ts';
import type { GuardedCall } from '../../db/batch/batch.types.ts';
import type { CommandKind, Reference } from '../../ledger/ledger.types.ts';
import { saveCards } from '../bulk/save-cards.ts';
import { decideChange } from './change-card.rules.ts';
import { extendCards, insertSteps, loadLife, updateCards } from './life.store.ts';
import type { ChangeCardCommand, LifeExtra, LifeRow, StepOutcome } from './life.types.ts';

/** A step in a card's life. */
export const CHANGE_CARD: CommandKind<ChangeCardCommand, StepOutcome, LifeRow, LifeExtra> = {
  name: 'change-gift-card',
  keys: ({ accountId, transactionRef, asked }) => {
    const own: Reference = { scope: 'gift-card', reference: transactionRef, paymentId: null, transactionId: null };
    switch (asked.step) {
      case 'Void': {
        const { depositId, reversalId } = asked;
        if (depositId === null) return { accountIds: [accountId], references: [own] };
        const reversal: Reference = {
          scope: 'payment',
          reference: reversalId,
          paymentId: depositId,
          transactionId: reversalId,
        };
        return { accountIds: [accountId], rows: [{ shelf: PAYMENTS, id: depositId }], references: [own, reversal] };
      }
      case 'Merge':
        return { accountIds: [...new Set([accountId, asked.into])], references: [own] };
      case 'Replace': {
        const { numberDigests } = asked.draft;
        return { accountIds: [accountId], references: [own], numberDigests };
      }
      default:
        return { accountIds: [accountId], references: [own] };
    }
  },
  load: loadLife,
  decide: decideChange,
  save: saveLife,
};

/** The statements that write the steps of a batch: new cards first, because those that they replace point to them. */
function saveLife(extras: readonly LifeExtra[], now: string): readonly GuardedCall[] {
  const added = extras.filter((extra) => extra.kind === 'New');
  const changed = extras.flatMap((extra) => (extra.kind === 'Changed' ? [extra.card] : []));
  const steps = extras.flatMap((extra) => (extra.kind === 'Step' ? [extra.step] : []));
  const extended = extras.flatMap((extra) => (extra.kind === 'Extended' ? [extra.card] : []));
  return [
    ...saveCards(added),
    updateCards(changed),
    ...(extended.length > 0 ? [extendCards(extended)] : []),
    insertSteps(steps, now),
  ];
}
