import { PAYMENTS } from '../../accounts/account-payments.types.ts';
import type { CommandKind, Reference } from '../../ledger/ledger.types.ts';
import { decideChange } from './change-card.rules.ts';
import { loadLife } from './life.store.ts';
import type { ChangeCardCommand, LifeRow, StepOutcome } from './life.types.ts';

/** A step in a card's life. */
export const CHANGE_CARD: CommandKind<ChangeCardCommand, StepOutcome, LifeRow> = {
  name: 'change-gift-card',
  keys: ({ accountId, transactionRef, asked }) => {
    const own: Reference = { scope: 'gift-card', reference: transactionRef, objectId: null, transactionId: null };
    switch (asked.step) {
      case 'Void': {
        const { depositId, reversalId } = asked;
        if (depositId === null) return { accountIds: [accountId], references: [own] };
        const reversal: Reference = {
          scope: 'payment',
          reference: reversalId,
          objectId: depositId,
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
};
