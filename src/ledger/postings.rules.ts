import { assert, unreachable } from '../kit/assert.ts';
import type { AmountMinor, Currency } from '../kit/money.ts';
import type {
  AccountTerms,
  EntryDraft,
  MovementDraft,
  MovementKind,
  PaymentId,
  PaymentOperation,
  Side,
  TransactionId,
} from './ledger.types.ts';

/** What a movement is about. */
export interface Posting {
  readonly kind: PostingKind;
  readonly account: { readonly kind: AccountTerms['kind']; readonly accountId: AccountTerms['accountId'] | null };
  readonly payment: {
    readonly paymentId: PaymentId;
    readonly operation: PaymentOperation;
    readonly currency: Currency;
  };
  readonly amount: AmountMinor;
  /** The capture, cancel or reversal that it belongs to. */
  readonly transactionId?: TransactionId;
}

/** A reversal is the opposite of what the payment did, so the payment says which one it is. */
export type PostingKind = Exclude<
  MovementKind,
  'Sweep' | 'Merge' | 'Opening' | 'Settlement' | 'Dispute' | 'Conversion'
>;

/**
 * The movement that books an amount on an account and on the payee's other side (architecture, "Data"): none for an
 * amount of 0, and none for a hold on an external card, which is the issuer's to keep.
 */
export function post(posting: Posting): MovementDraft[] {
  const { kind, account, payment, amount, transactionId = null } = posting;
  const lines = account.kind === 'StoredValue' ? storedValueLines(kind, payment) : externalLines(kind, payment);
  if (amount === 0 || lines.length === 0) return [];
  const entries = lines.map(([side, sign]): EntryDraft => {
    const isBucket = side === 'Available' || side === 'Held';
    return { side, accountId: isBucket ? account.accountId : null, amount: sign * amount };
  });
  return [{ kind, currency: payment.currency, paymentId: payment.paymentId, transactionId, entries }];
}

/** Moves money that is available from one gift card to another: none for an amount of 0. */
export function postMerge(from: MoneyAccount, into: MoneyAccount, amount: AmountMinor): MovementDraft[] {
  return transfer('Merge', from, { side: 'Available', accountId: into.accountId, amount });
}

/** Books what a reversal gives back to a gift card that has ended: it is the payee's, as what a sweep finds. */
export function postReversalToBreakage({
  payment: { paymentId, currency },
  amount,
  transactionId,
}: Required<Pick<Posting, 'payment' | 'amount' | 'transactionId'>>): MovementDraft {
  const entries: EntryDraft[] = [
    { side: 'Breakage', accountId: null, amount },
    { side: 'Clearing', accountId: null, amount: -amount },
  ];
  return { kind: 'Reversal', currency, paymentId, transactionId, entries };
}

/** Books money that cannot be spent any more to the payee: no movement for an amount of 0. */
export function postSweep(from: MoneyAccount, amount: AmountMinor): MovementDraft[] {
  return transfer('Sweep', from, { side: 'Breakage', accountId: null, amount });
}

/** Gives back to a card what sweeps of it have booked to the payee. */
export function postRestored(to: MoneyAccount, amount: AmountMinor): MovementDraft[] {
  return transfer('Sweep', to, { side: 'Breakage', accountId: null, amount: -amount as AmountMinor });
}

/**
 * Books what an acquirer has paid: what it owes falls by the gross amount, which is below 0 where refunds exceed sales. Where the parts of
 * several agreements come to nothing, what is owed for one falls by what is owed more for another. No movement where nothing changes.
 *
 * @param parts the gross amounts, agreement by agreement
 */
export function postSettlement(currency: Currency, parts: readonly number[]): MovementDraft[] {
  const amount = parts.reduce((sum, part) => sum + part, 0);
  if (amount !== 0) return betweenSides('Settlement', 'Clearing', { currency, amount });
  const entries: EntryDraft[] = parts
    .filter((part) => part !== 0)
    .map((part) => ({ side: 'Issuer', accountId: null, amount: part }));
  if (entries.length === 0) return [];
  return [{ kind: 'Settlement', currency, paymentId: null, transactionId: null, entries }];
}

/** Books what was asked back through a bank, as a refund is: below 0 where it came back. */
export function postDispute(currency: Currency, amount: number): MovementDraft[] {
  return betweenSides('Dispute', 'Clearing', { currency, amount });
}

/**
 * Books in one of two currencies that what an issuer owes is owed in the other one: in that of the sale it falls by the amount, in that of the
 * payout it rises, which is an amount below 0.
 */
export function postConversion(currency: Currency, amount: number): MovementDraft[] {
  return betweenSides('Conversion', 'Conversion', { currency, amount });
}

function betweenSides(
  kind: 'Settlement' | 'Dispute' | 'Conversion',
  side: Side,
  { currency, amount }: { readonly currency: Currency; readonly amount: number },
): MovementDraft[] {
  if (amount === 0) return [];
  const entries: EntryDraft[] = [
    { side, accountId: null, amount: -amount },
    { side: 'Issuer', accountId: null, amount },
  ];
  return [{ kind, currency, paymentId: null, transactionId: null, entries }];
}

/** What a transfer needs to know of an account. */
type MoneyAccount = Pick<AccountTerms, 'accountId' | 'currency'>;

function transfer(kind: 'Merge' | 'Sweep', { accountId, currency }: MoneyAccount, to: EntryDraft): MovementDraft[] {
  if (to.amount === 0) return [];
  assert(currency !== null, 'stored value is in one currency');
  const entries: EntryDraft[] = [{ side: 'Available', accountId, amount: -to.amount }, to];
  return [{ kind, currency, paymentId: null, transactionId: null, entries }];
}

type Line = readonly [side: Side, sign: 1 | -1];

function storedValueLines(kind: PostingKind, { operation }: Posting['payment']): Line[] {
  switch (kind) {
    case 'Authorize':
      return [
        ['Available', -1],
        ['Held', 1],
      ];
    case 'Capture':
      return [
        ['Held', -1],
        ['Clearing', 1],
      ];
    case 'Cancel':
    case 'Expire':
      return [
        ['Held', -1],
        ['Available', 1],
      ];
    case 'Purchase':
      return [
        ['Available', -1],
        ['Clearing', 1],
      ];
    case 'Deposit':
    case 'Credit':
      return [
        ['Available', 1],
        ['Funding', -1],
      ];
    case 'Reversal':
      return operation === 'Deposit' || operation === 'Credit'
        ? [
            ['Available', -1],
            ['Funding', 1],
          ]
        : [
            ['Available', 1],
            ['Clearing', -1],
          ];
    default:
      return unreachable(kind);
  }
}

/** What the issuer owes us, and what we owe the payee. */
function externalLines(kind: PostingKind, { operation }: Posting['payment']): Line[] {
  switch (kind) {
    case 'Authorize':
    case 'Cancel':
    case 'Expire':
      return [];
    case 'Capture':
    case 'Purchase':
      return [
        ['Issuer', -1],
        ['Clearing', 1],
      ];
    case 'Deposit':
    case 'Credit':
      return [
        ['Issuer', 1],
        ['Clearing', -1],
      ];
    case 'Reversal':
      return operation === 'Deposit' || operation === 'Credit'
        ? [
            ['Issuer', -1],
            ['Clearing', 1],
          ]
        : [
            ['Issuer', 1],
            ['Clearing', -1],
          ];
    default:
      return unreachable(kind);
  }
}
