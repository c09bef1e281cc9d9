import type { AccountsContext, FollowUp } from '../../../src/accounts/accounts.types.ts';
import { followUpPayment } from '../../../src/accounts/follow-up-payment.flow.ts';
import type {
  FollowUpQuestion,
  IssuerAnswer,
  IssuerHost,
  IssuerQuestion,
} from '../../../src/issuers/questions.types.ts';
import { SERVICE } from '../../../src/kit/caller.ts';
import type { TestService } from '../service.ts';
import { newReference, type Paid } from '../shop/accounts-shop.ts';
import { until } from '../until.ts';

/** An issuer that answers when a test says so, and a second process of the service that asks it. */
export interface TestIssuer {
  readonly context: AccountsContext;
  readonly host: IssuerHost;
  /** What it was asked, in order. */
  readonly questions: readonly IssuerQuestion[];
  /** Attempts that it took back, and those that it was told to before it was ready. */
  readonly takenBack: readonly string[];
  readonly refused: readonly string[];
  /** Advices that the job has sent. It acknowledges the second one of each. */
  readonly repeats: readonly FollowUpQuestion[];
  /** It fails so many times before it takes anything back. */
  refuseToTakeBack(times: number): void;
  /** It answers no take-back until then; attempts that it is told of meanwhile. */
  staySilent(until: Promise<void>): readonly string[];
  /** Asks for a capture, cancel or reversal. */
  followUp(operation: FollowUp['operation'], payment: Paid, members?: Partial<FollowUp>): Followed;
  /** Begins a capture, cancel or reversal, and resolves once the issuer has its question. */
  begin(operation: FollowUp['operation'], payment: Paid, members?: Partial<FollowUp>): Promise<Begun>;
}

/** A capture, cancel or reversal that was asked for. */
export interface Followed {
  readonly reference: string;
  /** What becomes of the request. */
  readonly result: ReturnType<typeof followUpPayment>;
}

/** One whose issuer has not answered yet. */
export interface Begun extends Followed {
  readonly question: IssuerQuestion;
  answer(answer: IssuerAnswer): ReturnType<typeof followUpPayment>;
  /** The line breaks: what the issuer made of it is not known. */
  breakOff(): Promise<unknown>;
}

export const APPROVED: IssuerAnswer = {
  outcome: 'Approved',
  responseCode: '000',
  references: { retrievalReference: '600100000001' },
};
export const DECLINED: IssuerAnswer = {
  outcome: 'Declined',
  problem: 'acquirerpossiblefraud',
  responseCode: '102',
  retry: { advice: 'Never' },
};

/** Makes an issuer for a running service. Its answers have no deadline; the attempts' own is put off by a test that needs it. */
export function testIssuer({ service, payeeId }: Pick<TestService, 'service' | 'payeeId'>): TestIssuer {
  const questions: IssuerQuestion[] = [];
  const takenBack: string[] = [];
  const refused: string[] = [];
  const repeats: FollowUpQuestion[] = [];
  const waiting = new Map<string, PromiseWithResolvers<IssuerAnswer>>();
  const silence: { until?: Promise<void>; told: string[] } = { told: [] };
  let refusals = 0;
  const host: IssuerHost = {
    ask(question, _signal, handedOver) {
      // Only an advice is put by the job.
      if ('sentBefore' in question) {
        repeats.push(question);
        handedOver?.();
        return answerToRepeat(question, repeats);
      }
      const answer = withResolvers<IssuerAnswer>();
      waiting.set(question.attemptId, answer);
      questions.push(question);
      return answer.promise;
    },
    async reverse({ attemptId }) {
      silence.told.push(attemptId);
      await silence.until;
      if (refusals-- > 0) {
        refused.push(attemptId);
        throw new Error('the issuer is not ready');
      }
      takenBack.push(attemptId);
      return { outcome: 'TakenBack' };
    },
  };
  const { issuers } = service.accounts;
  const context: AccountsContext = {
    ...service.accounts,
    issuers: hostedBy(host, issuers),
    withDeadline: (_, work) => work(new AbortController().signal),
  };
  const followUp: TestIssuer['followUp'] = (operation, payment, members = {}) => {
    const reference = newReference();
    const request = { ...requestOf(payment), payeeId, operation, ...members, paymentTransactionRef: reference };
    return { reference, result: followUpPayment(context, request) };
  };
  const begin: TestIssuer['begin'] = async (operation, payment, members) => {
    const before = questions.length;
    const { reference, result } = followUp(operation, payment, members);
    // A test that asks for the result hears of a failure; a test that breaks the request off may not.
    result.catch(() => undefined);
    await Promise.race([until(() => questions.length > before), result]);
    const question = questions[before];
    if (question === undefined) throw new Error('the issuer was not asked');
    const answer = waiting.get(question.attemptId);
    return {
      reference,
      question,
      result,
      answer(given) {
        answer?.resolve(given);
        return result;
      },
      breakOff() {
        answer?.reject(new Error('the line is broken'));
        return result.catch((error: unknown) => error);
      },
    };
  };
  return {
    context,
    host,
    questions,
    takenBack,
    refused,
    repeats,
    refuseToTakeBack(times) {
      refusals = times;
    },
    staySilent(until) {
      silence.until = until;
      silence.told = [];
      return silence.told;
    },
    followUp,
    begin,
  };
}

async function answerToRepeat(
  { attemptId, operation }: FollowUpQuestion,
  repeats: readonly FollowUpQuestion[],
): Promise<IssuerAnswer> {
  if (repeats.filter((one) => one.attemptId === attemptId).length > 1) return APPROVED;
  if (operation === 'Capture') throw new Error('the issuer does not answer');
  return { outcome: 'Forwarded', sent: 'Yes' };
}

/** The lines of the service are none of such an issuer's. */
function hostedBy(host: IssuerHost, issuers: AccountsContext['issuers']): AccountsContext['issuers'] {
  return {
    ...issuers,
    all: issuers.all.map((one) => ({ ...one, isReady: () => true })),
    named: (id) => ({ ...issuers.named(id), host }),
  };
}

/** Node 20 has no `Promise.withResolvers`. */
interface PromiseWithResolvers<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: Error) => void;
}

function withResolvers<Value>(): PromiseWithResolvers<Value> {
  let resolve: PromiseWithResolvers<Value>['resolve'] = () => undefined;
  let reject: PromiseWithResolvers<Value>['reject'] = () => undefined;
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

function requestOf({
  paymentAccountId,
  paymentId,
  paymentOrderRef,
}: Paid): Omit<FollowUp, 'payeeId' | 'operation' | 'paymentTransactionRef'> {
  return {
    actor: SERVICE,
    paymentAccountId,
    paymentId,
    amount: undefined,
    paymentOrderRef,
    repeat: false,
    cancelRemainingAuth: false,
    block: false,
    words: {},
    circumstances: {},
  };
}
