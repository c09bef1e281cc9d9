import { PAYMENTS, type Payment } from '../accounts/account-payments.types.ts';
import { counted, limitPassed, turnoversIn } from '../accounts/turnover/turnover.rules.ts';
import { Refusal } from '../kit/errors.ts';
import type { Decision, LedgerState } from '../ledger/ledger.types.ts';
import { requireNumber } from '../ledger/numbers.rules.ts';
import { issueCard } from './bulk/issue.rules.ts';
import type { CardDraft, Deposit, NewCardCommand, NewCardResult } from './gift-cards.types.ts';

type Deciding = Decision<NewCardResult>;

/** What a batch loads for a request: the key that new values are to be sealed with. */
export interface CurrentKey {
  readonly sealWith: string;
}

/**
 * Decides on a request for a new card. A known nonce is the very same request; a known key has its card already, and the
 * nonce it came with this time is used up too. Where the number is taken, or was sealed with yesterday's key, nothing is
 * done, and the caller comes again with another draft.
 *
 * @throws Refusal where the request is the first one and cannot have a card, or no number is left
 */
export function decideNewCard(state: LedgerState<CurrentKey>, command: NewCardCommand): Deciding {
  const { card, commandId, paymentId } = command;
  const nonce = state.takenIn('nonce');
  if (nonce !== undefined && nonce.commandId !== commandId) return nothing('NonceKnown');
  const own = state.row(PAYMENTS, paymentId);
  if (own !== undefined) return done(state, own);
  const known = state.row(PAYMENTS, state.takenIn('new-gift-card')?.objectId ?? null);
  if (known !== undefined) return shownAgain(state, known);
  if (card instanceof Refusal) throw card;
  if (state.rows[0]?.sealWith !== card.sealed.sealedWith) return nothing('KeyChanged');
  if (state.isNumberTaken) return nothing('NumberTaken');
  const limit = limitPassed(turnoversIn(state, card.turnovers), 'Loaded', command.amount);
  if (limit !== undefined) return { answer: () => ({ kind: 'Limited', limit }) };
  return issued(state, command, card);
}

function nothing(kind: 'NonceKnown' | 'NumberTaken' | 'KeyChanged'): Deciding {
  return { answer: () => ({ kind }) };
}

/** It ran before, and the answer to its commit was lost. */
function done({ now }: LedgerState<CurrentKey>, payment: Payment): Deciding {
  return { answer: () => ({ kind: 'Issued', payment, now }) };
}

function shownAgain({ now }: LedgerState<CurrentKey>, payment: Payment): Deciding {
  const { accountId } = payment;
  return {
    answer: () => ({ kind: 'Known', payment, now }),
    effect: { accountId, action: 'show-new-gift-card-again' },
  };
}

function issued(state: LedgerState<CurrentKey>, command: NewCardCommand, draft: CardDraft): Deciding {
  const { now } = state;
  const paymentNumber = requireNumber(state.paymentNumber);
  const { paymentId, amount, orderRef, echo } = command;
  const deposit: Deposit = {
    paymentId,
    amount,
    // The request has no reference of its own, and may name no sale.
    paymentOrderRef: orderRef ?? String(paymentNumber),
    paymentTransactionRef: String(paymentNumber),
    echo: { ...echo, paymentNumber },
  };
  const { payment, effect } = issueCard({ draft, deposit, now, orderRef });
  const turnovers = turnoversIn(state, draft.turnovers);
  const rows = [...(effect.rows ?? []), ...counted(turnovers, 'Loaded', amount)];
  return { answer: () => ({ kind: 'Issued', payment, now }), effect: { ...effect, rows } };
}
