import { Type } from 'typebox';
import { Instant } from '../../kit/portal.wire.ts';
import { waiting } from '../approvals/approvals.wire.ts';
import { AccountEntry } from '../ledger/ledger.wire.ts';
import {
  InstantOrNull,
  Minor,
  next,
  objectParams,
  orNull,
  paging,
  searchedTo,
  Text,
  TextOrNull,
} from '../portal.wire.ts';

const State = Type.Enum(['Active', 'Inactive', 'Blocked', 'Expired', 'Voided', 'Merged', 'Replaced', 'Swept']);

export const GiftCardsQuery = Type.Object({
  productId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'cards of this product' })),
  state: Type.Optional(State),
  ...paging,
});

export const GiftCardParams = objectParams('accountId', 'The paymentAccountId of the card');

export const FindGiftCardBody = Type.Object({
  accountKey: Type.String({
    pattern: '^[0-9]{12,19}$',
    unscanned: 'a card number',
    description: 'the whole number of the card: never in an address, which logs keep',
  }),
});

const ListedGiftCard = Type.Object(
  {
    accountId: Text,
    productId: Text,
    productName: Text,
    masked: Type.String({ description: 'First six, asterisks, last four' }),
    state: State,
    currency: Text,
    available: Minor,
    held: Minor,
    expiresOn: TextOrNull,
    issuedAt: Instant,
    blockedAt: InstantOrNull,
    endedAt: InstantOrNull,
    address: Type.String({ description: 'Of the card in the API, where its operations are' }),
  },
  { $id: 'ListedGiftCard' },
);

export const GiftCardsAnswer = Type.Object({ giftCards: Type.Array(ListedGiftCard), next, searchedTo });

export const FoundGiftCardAnswer = Type.Object({
  giftCards: Type.Array(ListedGiftCard, { description: 'One, or none' }),
});

export const GiftCardStoryAnswer = Type.Object({
  giftCard: ListedGiftCard,
  waiting,
  steps: Type.Array(
    Type.Object({
      at: Instant,
      step: Type.Enum([
        ...['Issue', 'Import', 'Sell', 'Replacement', 'Receive'],
        ...['Block', 'Unblock', 'Void', 'Merge', 'Replace', 'Sweep', 'Extend', 'Restore'],
      ]),
      actor: TextOrNull,
      actorName: TextOrNull,
      reason: TextOrNull,
      reference: TextOrNull,
      otherAccountId: TextOrNull,
      otherMasked: TextOrNull,
      amount: orNull(Minor),
      currency: TextOrNull,
      file: TextOrNull,
      digest: orNull(Type.String({ description: 'SHA-256 of the file' })),
      until: orNull(Type.String({ description: 'The last day that it was given, YYYY-MM-DD' })),
    }),
    {
      description:
        'The history of the card beside money, the oldest first. Receive: another card was emptied onto it. Replacement: it came in the place of another one',
    },
  ),
  entries: Type.Array(AccountEntry, { description: 'The latest first' }),
  next,
});
