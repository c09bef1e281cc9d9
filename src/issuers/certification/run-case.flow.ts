import { AssertionFailure, assert } from '../../kit/assert.ts';
import { type AmountMinor, amountMinor, type Currency } from '../../kit/money.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { pointOfServiceOf } from '../acquirers/acquirer-messages.rules.ts';
import type { Agreement } from '../acquirers/acquirers.types.ts';
import { channelOf } from '../exchanges.rules.ts';
import type { Asker } from '../issuers.types.ts';
import type {
  ApprovalQuestion,
  FollowUpQuestion,
  IssuerAnswer,
  IssuerQuestion,
  Original,
  Sent,
  StoredCredential,
  TakeBack,
  TakeBackReason,
} from '../questions.types.ts';
import { differencesOf } from './certification.rules.ts';
import type { CaseReport, StepOutcome, StepReport, Totals } from './certification.types.ts';
import type { FollowingStep, NetworkStep, OpeningStep, PlanCard, PlanCase, PlanStep } from './plan.types.ts';
import { counted, countedBack, NO_TOTALS } from './tally.rules.ts';
import { type TellingContext, tellTotals } from './tell-totals.flow.ts';

/** What a case is carried out with. */
export interface CaseContext extends TellingContext, Pick<Asker, 'withDeadline'> {
  /** What the run has carried out on each business day, in the plan's currency. */
  readonly totals: Map<string, Totals>;
  readonly currency: Currency;
  readonly newId: () => string;
}

/** A payment that a step has opened, as later steps find it. */
interface Opened {
  readonly original: Original;
  readonly currency: Currency;
  readonly card: PlanCard;
  readonly use: StoredCredential['use'];
  held: number;
  captured: number;
  captures: number;
}

/** How often a take-back is told where it is not acknowledged. */
const TAKE_BACK_TRIES = 3;
const CHANNELS = { ECommerce: 'Page', Mail: 'Mail', Phone: 'Phone', Terminal: 'Terminal' } as const;
const SILENCE = { outcome: 'Silence' } as const;

/** Carries a case out, step by step: what one step shows does not end the case. */
export async function runCase(context: CaseContext, { name, steps }: PlanCase): Promise<CaseReport> {
  const opened = new Map<string, Opened>();
  const reports: StepReport[] = [];
  for (const step of steps) {
    const came = await perform(context, step, opened);
    reports.push({
      does: step.does,
      ...(step.name !== undefined && { name: step.name }),
      expected: step.expect,
      came,
      differences: differencesOf(step.expect, came),
      messages: context.bench.take(),
    });
  }
  return { name, isAsExpected: reports.every(({ differences }) => differences.length === 0), steps: reports };
}

function perform(context: CaseContext, step: PlanStep, opened: Map<string, Opened>): Promise<StepOutcome> {
  if ('withinSeconds' in step) return onLine(context, step);
  if ('card' in step) return openPayment(context, step, opened);
  const before = opened.get(step.of);
  assert(before !== undefined, 'the plan names a step before it');
  if (step.does === 'Renew') return renew(context, step, { before, opened });
  return step.does === 'TakeBack' ? takeBackLater(context, step, before) : follow(context, step, before);
}

async function onLine(context: CaseContext, { does, withinSeconds }: NetworkStep): Promise<StepOutcome> {
  const { bench, totals, currency } = context;
  const day = bench.day();
  if (does === 'Reconcile') return tellTotals(context, { day, currency, totals: totals.get(day) ?? NO_TOTALS });
  const isDone = {
    SignOn: () => bench.signOn().then(() => true, refusedSignOn),
    Echo: () => bench.echo(),
    CutOver: () => bench.dayBegan(withinSeconds * 1_000),
  }[does];
  return { outcome: (await isDone()) ? 'Answered' : 'Silence' };
}

/** A case may be about a sign-on that is not taken; the line goes on trying. */
function refusedSignOn(error: unknown): false {
  if (error instanceof Trouble) return false;
  throw error;
}

async function openPayment(context: CaseContext, step: OpeningStep, opened: Map<string, Opened>): Promise<StepOutcome> {
  const { does, card, amount, currency, channel, stores, authentication, exemption } = step;
  const question = await approvalQuestion(context, {
    operation: does,
    card,
    amount,
    currency,
    initiator: {
      by: 'Customer',
      channel: CHANNELS[channel],
      credential: stores === undefined ? 'None' : { use: stores, step: 'First' },
    },
    schemeTransactionId: undefined,
    authentication,
    exemption,
  });
  return askFor(context, question, { name: step.name, card, use: stores ?? 'Recurring', opened });
}

async function renew(
  context: CaseContext,
  { name, amount }: FollowingStep,
  { before, opened }: { readonly before: Opened; readonly opened: Map<string, Opened> },
): Promise<StepOutcome> {
  // A code is never stored.
  const { cvc: _, ...card } = before.card;
  const question = await approvalQuestion(context, {
    operation: 'Authorize',
    card,
    amount: amount ?? before.original.amount,
    currency: before.currency,
    initiator: { by: 'Merchant', channel: 'Api', credential: { use: before.use, step: 'Subsequent' } },
    schemeTransactionId: before.original.schemeTransactionId,
    authentication: undefined,
    exemption: undefined,
  });
  return askFor(context, question, { name, card, use: before.use, opened });
}

interface Asking
  extends Pick<
    ApprovalQuestion,
    'operation' | 'initiator' | 'schemeTransactionId' | 'amount' | 'authentication' | 'exemption'
  > {
  readonly card: PlanCard;
  readonly currency: Currency;
}

async function approvalQuestion(
  { agreement, newExchange, newId }: CaseContext,
  { card, ...asking }: Asking,
): Promise<ApprovalQuestion> {
  return {
    ...asking,
    ...commonOf(agreement),
    attemptId: newId(),
    exchange: await newExchange(agreement, { channel: channelOf(asking.initiator) }),
    card: { number: card.number, expiryDate: card.expiry, cvc: card.cvc, track2: undefined, encryptedPin: undefined },
    device: {},
  };
}

function commonOf(agreement: Agreement) {
  return { payeeId: agreement.payeeId, agreement, descriptor: undefined, traceparent: undefined };
}

interface Named {
  readonly name: string | undefined;
  readonly card: PlanCard;
  readonly use: StoredCredential['use'];
  readonly opened: Map<string, Opened>;
}

async function askFor(
  context: CaseContext,
  question: ApprovalQuestion,
  { name, card, use, opened }: Named,
): Promise<StepOutcome> {
  const answer = await ask(context, question);
  const original = originalOf(question, answer);
  if (name !== undefined) {
    const isSale = question.operation === 'Purchase';
    const { amount, currency } = question;
    const sums = { held: isSale ? 0 : amount, captured: isSale ? amount : 0, captures: 0 };
    opened.set(name, { original, currency, card, use, ...sums });
  }
  const came = await outcomeOf(context, answer, { original, currency: question.currency, card });
  count(context, question, (totals) => counted(totals, question, came));
  return came;
}

/** What a message changes in the totals of the day on which it was answered. */
function count(
  { bench, totals, currency }: CaseContext,
  about: { readonly currency: Currency },
  change: (before: Totals) => Totals,
): void {
  const day = bench.day();
  if (about.currency === currency) totals.set(day, change(totals.get(day) ?? NO_TOTALS));
}

async function follow(
  context: CaseContext,
  { does, amount: asked }: FollowingStep,
  before: Opened,
): Promise<StepOutcome> {
  assert(does !== 'Renew' && does !== 'TakeBack', 'these are no questions about a payment');
  const { agreement, newExchange, newId, acquirer } = context;
  const { original, currency, card } = before;
  const amount = asked ?? amountMinor(does === 'Reversal' ? before.captured : before.held);
  const isCapture = does === 'Capture';
  const left = Math.max(0, before.held - amount);
  const releases = isCapture && acquirer.captures === 'one';
  const question: FollowUpQuestion = {
    ...commonOf(agreement),
    attemptId: newId(),
    operation: does,
    amount,
    currency,
    exchange: await newExchange(agreement, original.exchange),
    original,
    releasedAmount: amountMinor(releases ? left : 0),
    sequence: { number: before.captures + (isCapture ? 1 : 0), isLast: releases || left === 0 },
    ...(acquirer.needCard.includes(does) && { card: { number: card.number, expiryDate: card.expiry } }),
  };
  const answer = await ask(context, question);
  if (answer.outcome === 'Approved') {
    if (isCapture) before.captures++;
    before.held = releases || does === 'Cancel' ? 0 : isCapture ? left : before.held;
    before.captured = Math.max(0, before.captured + (isCapture ? amount : does === 'Reversal' ? -amount : 0));
  }
  const own: Original = { attemptId: question.attemptId, operation: does, amount, exchange: question.exchange };
  // A cancel is told again by itself, and never taken back.
  if (does === 'Cancel') return plainOutcome(answer);
  const came = await outcomeOf(context, answer, { original: { ...original, ...own }, currency, card });
  count(context, question, (totals) => counted(totals, question, came));
  return came;
}

/** What the acquirer answers, and silence where nothing can be concluded from it. */
async function ask(
  { bench, acquirer, withDeadline }: CaseContext,
  question: IssuerQuestion,
): Promise<IssuerAnswer | typeof SILENCE> {
  try {
    return await withDeadline(acquirer.sendMs + acquirer.answerMs, (signal) => bench.host().ask(question, signal));
  } catch (error) {
    refuseOurs(error);
    return SILENCE;
  }
}

/** What a host throws means silence; a mistake of ours does not. */
function refuseOurs(error: unknown): void {
  if (error instanceof AssertionFailure || error instanceof Trouble) throw error;
}

function originalOf(question: ApprovalQuestion, answer: IssuerAnswer | typeof SILENCE): Original {
  const { attemptId, operation, amount, exchange } = question;
  const isApproved = answer.outcome === 'Approved' || answer.outcome === 'PartiallyApproved';
  const { approvalCode } = isApproved ? answer : {};
  const { schemeTransactionId = question.schemeTransactionId } = isApproved ? answer.references : {};
  return {
    attemptId,
    operation,
    amount,
    exchange,
    pointOfService: pointOfServiceOf(question),
    ...(approvalCode !== undefined && { approvalCode }),
    ...(schemeTransactionId !== undefined && { schemeTransactionId }),
  };
}

type About = Pick<Opened, 'original' | 'currency' | 'card'>;

/** What came, and what is taken back of it as the service would. */
async function outcomeOf(
  context: CaseContext,
  answer: IssuerAnswer | typeof SILENCE,
  about: About,
): Promise<StepOutcome> {
  const came = plainOutcome(answer);
  const reason = takeBackReasonOf(answer);
  if (reason === undefined) return came;
  const amount = answer.outcome === 'PartiallyApproved' ? answer.approvedAmount : about.original.amount;
  const { outcome } = await takeBack(context, about, { reason, amount });
  return { ...came, takenBack: outcome };
}

function takeBackReasonOf(answer: IssuerAnswer | typeof SILENCE): TakeBackReason | undefined {
  switch (answer.outcome) {
    case 'Silence':
      return 'Silence';
    case 'PartiallyApproved':
      return 'Partial';
    case 'NotUsable':
      return 'NotUsable';
    default:
      return answer.outcome === 'Declined' && answer.takeBack ? 'NotUsable' : undefined;
  }
}

function plainOutcome(answer: IssuerAnswer | typeof SILENCE): StepOutcome {
  const actionCode = 'responseCode' in answer ? answer.responseCode : undefined;
  return {
    outcome: answer.outcome,
    ...(actionCode !== undefined && actionCode !== '' && { actionCode }),
    ...('approvalCode' in answer && { hasApprovalCode: answer.approvalCode !== undefined }),
  };
}

async function takeBackLater(
  context: CaseContext,
  { amount, reason }: FollowingStep,
  before: Opened,
): Promise<StepOutcome> {
  const done = await takeBack(context, before, { reason, amount: amount ?? before.original.amount });
  if (done.outcome !== 'TakenBack') return done;
  before.held = 0;
  count(context, before, (totals) => countedBack(totals, before.original));
  return done;
}

async function takeBack(
  { bench, acquirer, agreement, newExchange, withDeadline }: CaseContext,
  { original, currency, card }: About,
  { reason, amount }: { readonly reason: TakeBackReason; readonly amount: AmountMinor },
) {
  const told: Omit<TakeBack, 'sentBefore'> = {
    payeeId: agreement.payeeId,
    attemptId: original.attemptId,
    currency,
    agreement,
    descriptor: undefined,
    amount,
    original,
    exchange: await newExchange(agreement, original.exchange),
    reason,
    ...(acquirer.needCard.includes('TakeBack') && { card: { number: card.number, expiryDate: card.expiry } }),
  };
  let sentBefore: Sent = 'No';
  const handedOver = () => {
    sentBefore = 'Yes';
  };
  for (let tries = 0; tries < TAKE_BACK_TRIES; tries++) {
    try {
      const { outcome, responseCode } = await withDeadline(acquirer.sendMs + acquirer.answerMs, (signal) =>
        bench.host().reverse({ ...told, sentBefore }, signal, handedOver),
      );
      return { outcome, ...(responseCode !== undefined && { actionCode: responseCode }) };
    } catch (error) {
      refuseOurs(error);
    }
  }
  return SILENCE;
}
