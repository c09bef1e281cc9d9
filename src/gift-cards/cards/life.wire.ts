import { Type } from 'typebox';
import { REASON_CHARACTERS } from '../../kit/limits.ts';
import { freeText, idLike, links, logged, operations, reference, type Shown } from '../../kit/schemas.wire.ts';

const Instant = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));
const Minor = (description: string) => Type.Integer({ description });

const GiftCard = Type.Object(
  {
    accountId: logged(Type.String({ description: 'The paymentAccountId of addresses' })),
    accountKey: Type.String({ description: 'First six, asterisks, last four' }),
    state: logged(Type.Enum(['Active', 'Inactive', 'Blocked', 'Expired', 'Voided', 'Merged', 'Replaced', 'Swept'])),
    productId: logged(Type.String()),
    currency: logged(Type.String()),
    balance: logged(Minor('What is available: holds are taken off')),
    held: logged(Minor('What authorizations hold')),
    expiryDate: Type.String({ description: 'YYYY-MM-DD, the last day that is printed on it' }),
    goodUntil: Type.Optional(Type.String({ description: 'YYYY-MM-DD, its last day, where it was extended' })),
    issued: Type.String({ format: 'date-time' }),
    imported: Type.Optional(
      Type.Object(
        {
          balance: Minor('What it came with'),
          file: Type.Optional(Type.String({ description: 'The name of the file that it came with' })),
          sha256: Type.Optional(Type.String({ description: 'Of that file, in hexadecimal digits' })),
        },
        { description: 'The card was taken over from another programme' },
      ),
    ),
    replaces: Type.Optional(Type.String({ description: 'The lost card that it is in the place of' })),
    blocked: Instant('Since when it is blocked'),
    blockedUntil: Instant('When the block ends by itself; absent where it has to be ended by a request'),
    ended: Instant('When it was voided, merged, replaced or swept'),
    mergedInto: Type.Optional(Type.String({ description: 'The card that has its money' })),
    replacedBy: Type.Optional(Type.String({ description: 'The card in its place' })),
  },
  { $id: 'GiftCard' },
);

export const CardAnswer = Type.Object({ _links: links, giftCard: GiftCard, operations }, { $id: 'GiftCardAnswer' });
export type CardAnswer = Shown<typeof CardAnswer>;

const Replacement = Type.Object(
  {
    accountId: logged(Type.String({ description: 'The paymentAccountId of addresses' })),
    accountKey: Type.String({ description: 'Its number: shown for 24 hours, then first six, asterisks, last four' }),
    balance: logged(Minor('What is available')),
    cvc: Type.Optional(Type.String({ description: 'Shown for 24 hours' })),
    expiryDate: Type.String({ description: 'YYYY-MM-DD, the last day: that of the lost card' }),
  },
  { $id: 'GiftCardReplacement', description: 'The card in place of the lost one' },
);

export const ReplaceAnswer = Type.Object(
  { _links: links, giftCard: GiftCard, replacement: Replacement, operations },
  { $id: 'GiftCardReplacementAnswer' },
);
export type ReplaceAnswer = Shown<typeof ReplaceAnswer>;

const stepMembers = {
  transactionRef: logged(reference('names this request, once and for ever')),
  reason: logged(Type.Optional(freeText(REASON_CHARACTERS, 'Why; stored with the step'))),
};

export const StepBody = Type.Object(stepMembers, { $id: 'GiftCardStepRequest' });
export type StepBody = Shown<typeof StepBody>;
export const MergeBody = Type.Object(
  { ...stepMembers, into: logged(idLike('^[A-Za-z0-9-]{1,64}$', 'The id of the card that takes the money')) },
  { $id: 'GiftCardMergeRequest' },
);

export const CardParams = Type.Object({
  paymentAccountId: Type.String({ description: 'The card, as balance gives it' }),
});
