import { forbidden } from '../../kit/errors.ts';
import type { Currency } from '../../kit/money.ts';
import {
  DISPUTE_STAGES,
  DISPUTE_STEPS,
  type DisputeCategory,
  type DisputeState,
  type DisputeStep,
  type Standing,
} from './disputes.types.ts';

/** Reason codes of schemes whose codes are four digits. */
const BY_CODE: Readonly<Record<string, DisputeCategory>> = {
  4837: 'Fraud',
  4849: 'Fraud',
  4870: 'Fraud',
  4871: 'Fraud',
  4808: 'Authorization',
  4834: 'Processing',
  4853: 'Consumer',
};
/** What codes begin with at schemes that number their conditions, as in `10.4`. */
const BY_GROUP: Readonly<Record<string, DisputeCategory>> = {
  10: 'Fraud',
  11: 'Authorization',
  12: 'Processing',
  13: 'Consumer',
};

/** What kind of reason a code is; null where it is none that is known. */
export function categoryOf(reasonCode: string | null): DisputeCategory | null {
  const group = /^(1[0-3])(?:\.[0-9]{1,2})?$/.exec(reasonCode?.slice(0, 8) ?? '')?.[1];
  return BY_CODE[reasonCode ?? ''] ?? (group === undefined ? undefined : BY_GROUP[group]) ?? null;
}

/** What a line of a file says of a dispute: `gross` below 0 asks for money, above 0 gives it back. */
export interface DisputeNews {
  readonly type: 'Chargeback' | 'ChargebackReversal';
  readonly gross: number;
  readonly currency: Currency;
  readonly reasonCode: string | null;
  readonly respondBy: string | null;
  /** Whether it is booked; else it differs, and moves nothing. */
  readonly isBooked: boolean;
}

/** A dispute as its first line opens it. Papers that are asked for without money are a retrieval. */
export function openedBy({ gross, currency, reasonCode, respondBy, isBooked }: DisputeNews): Standing {
  const amount = Math.abs(gross);
  return {
    stage: gross === 0 ? 'Retrieval' : 'Chargeback',
    state: 'Open',
    amount,
    currency,
    taken: isBooked ? amount : 0,
    reasonCode,
    category: categoryOf(reasonCode),
    respondBy,
  };
}

/** How a dispute stands, of all that is known of it. */
export function standingOf(standing: Standing): Standing {
  const { stage, state, amount, currency, taken, reasonCode, category, respondBy } = standing;
  return { stage, state, amount, currency, taken, reasonCode, category, respondBy };
}

/** A dispute after a further line of its case. A reversal that differs changes nothing of it. */
export function changedBy(before: Standing, news: DisputeNews): Standing {
  if (news.type === 'Chargeback') return chargedAgain(before, news);
  return news.isBooked ? givenBack(before, news.gross) : before;
}

/** What was contested or won and is asked for again has come a stage further; else the amounts add up. */
function chargedAgain(before: Standing, news: DisputeNews): Standing {
  const { gross, reasonCode, respondBy, isBooked } = news;
  const isContested = before.state === 'Represented' || before.state === 'Won';
  const isFirstMoney = before.stage === 'Retrieval' && gross !== 0;
  const place = DISPUTE_STAGES.indexOf(before.stage);
  return {
    ...amountAfter(before, news, isContested),
    stage: isContested || isFirstMoney ? (DISPUTE_STAGES[place + 1] ?? before.stage) : before.stage,
    state: 'Open',
    taken: isBooked ? before.taken - gross : before.taken,
    reasonCode: reasonCode ?? before.reasonCode,
    category: reasonCode === null ? before.category : categoryOf(reasonCode),
    respondBy: before.state === 'Open' ? earlier(before.respondBy, respondBy) : (respondBy ?? before.respondBy),
  };
}

/** What differs says something of the amount only while nothing was taken. */
function amountAfter(before: Standing, { gross, currency, isBooked }: DisputeNews, isContested: boolean) {
  if (before.taken === 0 && gross !== 0) return { amount: Math.abs(gross), currency };
  const { amount } = before;
  if (!isBooked) return { amount, currency: before.currency };
  return { amount: isContested && gross !== 0 ? -gross : amount - gross, currency: before.currency };
}

/** Of two last days for an answer the first: an answer in time is one to both lines. */
function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function givenBack(before: Standing, gross: number): Standing {
  const taken = before.taken - gross;
  return taken <= 0 ? { ...before, taken, state: 'Won' } : { ...before, taken, amount: Math.min(before.amount, taken) };
}

const STEPS: Readonly<Record<DisputeStep, { readonly from: readonly DisputeState[]; readonly to: DisputeState }>> = {
  accept: { from: ['Open'], to: 'Accepted' },
  represent: { from: ['Open'], to: 'Represented' },
  win: { from: ['Open', 'Represented'], to: 'Won' },
  lose: { from: ['Open', 'Represented', 'Accepted'], to: 'Lost' },
};

/** The steps that a dispute can take now. */
export function stepsFrom(state: DisputeState): readonly DisputeStep[] {
  return DISPUTE_STEPS.filter((step) => STEPS[step].from.includes(state));
}

/** Whether a step lets money go that the payee has not let go before. */
export function letsGo(state: DisputeState, step: DisputeStep): boolean {
  return (step === 'accept' || step === 'lose') && state !== 'Accepted' && stepsFrom(state).includes(step);
}

/**
 * The state of a dispute after a person's step. Twice is as once.
 *
 * @throws Refusal `forbidden`, named `Dispute`, where it has gone another way
 */
export function stateAfter(state: DisputeState, step: DisputeStep): DisputeState {
  const { from, to } = STEPS[step];
  if (state === to) return state;
  if (!from.includes(state)) throw forbidden('Dispute', `The dispute is ${state.toLowerCase()}.`);
  return to;
}
