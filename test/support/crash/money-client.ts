import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { type SigningCredentials, signatureOf } from '../service.ts';
import { newReference } from '../shop/accounts-shop.ts';
import { until } from '../until.ts';
import {
  type Attempt,
  type History,
  type MoneyReply,
  type MoneyVerb,
  type Outcome,
  outcomeType,
} from './money-history.ts';

/** An account that is paid with. */
export interface PayingAccount {
  readonly paymentAccountId: string;
  readonly accountKey: string;
  readonly currency: string;
}

/** Where and as whom the client asks, and with which accounts. */
export interface MoneyTarget {
  readonly baseUrl: string;
  readonly accessToken: string;
  readonly hmac: SigningCredentials;
  readonly accounts: readonly PayingAccount[];
}

/** A payment that can be gone on with. */
interface Known {
  readonly accountId: string;
  readonly paymentId: string;
  readonly orderReference: string;
  readonly amount: number;
}

/** What a sender does next. Numbers are taken modulo what there is. */
interface Wish {
  readonly verb: MoneyVerb;
  readonly account: number;
  readonly payment: number;
  readonly amount: number;
}

const WISHES: fc.Arbitrary<Wish> = fc.record({
  verb: fc.oneof(
    { weight: 5, arbitrary: fc.constant<MoneyVerb>('authorize') },
    { weight: 2, arbitrary: fc.constantFrom<MoneyVerb>('purchase', 'deposit') },
    { weight: 4, arbitrary: fc.constant<MoneyVerb>('capture') },
    { weight: 2, arbitrary: fc.constantFrom<MoneyVerb>('cancel', 'reversal') },
  ),
  account: fc.nat({ max: 1000 }),
  payment: fc.nat({ max: 1000 }),
  amount: fc.integer({ min: 1, max: 2000 }),
});

/** Requests under way at once. */
const SENDERS = 16;
/** Wishes of each sender, over and over. */
const WISHES_EACH = 200;
/** Only the latest payments are gone on with, so that senders meet at them. */
const RECENT = 10;
/** No answer after this: the connection may be to a process that is gone. */
const ANSWER_TIMEOUT_MS = 20_000;
/** How long a repeat may be answered with anything but the outcome. */
const DECIDE_TIMEOUT_MS = 120_000;
const REPEAT_PAUSE_MS = 100;

/** A client that pays: its knowledge outlives whatever is killed. */
export interface MoneyClient {
  /** Sends requests from many senders at once until it is told to stop; resolves when the last one has its outcome. */
  pay(target: MoneyTarget, options: { readonly seed: number; readonly isStopped: () => boolean }): Promise<void>;
  /** Repeats each request whose outcome is not known, with `repeat: true`, until it is. */
  repeat(target: MoneyTarget, unknown: readonly Attempt[]): Promise<void>;
}

/** Makes a client that notes everything in a history. */
export function moneyClient(history: History): MoneyClient {
  const holds: Known[] = [];
  const payments: Known[] = [];
  let processes = 0;
  const remember = (request: Request, { id: paymentId, state, amount }: MoneyReply) => {
    if (request.paymentId !== undefined || state !== 'OK') return;
    const known = { accountId: request.accountId, paymentId, orderReference: request.orderReference, amount };
    payments.push(known);
    if (request.verb === 'authorize') holds.push(known);
  };
  const send = async (target: MoneyTarget, request: Request, process: number): Promise<Outcome> => {
    const index = history.invoke({ ...request, process });
    const answer = await post(target, request).catch(() => undefined);
    const outcome = outcomeOf(index, answer);
    history.done(outcome);
    if (outcome.reply !== undefined) remember(request, outcome.reply);
    return outcome;
  };
  return {
    pay: async (target, { seed, isStopped }) => {
      const wishes = fc.sample(WISHES, { seed, numRuns: SENDERS * WISHES_EACH });
      const sender = async (_: unknown, offset: number) => {
        let process = processes++;
        for (let step = 0; !isStopped(); step++) {
          const wish = wishes[offset * WISHES_EACH + (step % WISHES_EACH)];
          const request = wish && requestOf(wish, { target, holds, payments });
          if (request === undefined) continue;
          const { type, status } = await send(target, request, process);
          if (type !== 'info') continue;
          // The service is down: what was sent from now on would only pad the history.
          if (status === undefined) break;
          process = processes++;
        }
      };
      await Promise.all(Array.from({ length: SENDERS }, sender));
    },
    repeat: async (target, unknown) => {
      const giveUpAt = performance.now() + DECIDE_TIMEOUT_MS;
      const waiting = [...unknown];
      const sender = async () => {
        for (let attempt = waiting.shift(); attempt !== undefined; attempt = waiting.shift()) {
          const { index: _, outcome: __, process: ___, ...request } = attempt;
          const ask = () => send(target, { ...request, isRepeat: true }, processes++);
          while (isOpen(await ask()) && performance.now() < giveUpAt) await pause(REPEAT_PAUSE_MS);
        }
      };
      await Promise.all(Array.from({ length: SENDERS }, sender));
    },
  };
}

/** 409 and 503 say of a repeat that it had no effect, and nothing of the first request. */
function isOpen({ type, status }: Outcome): boolean {
  return type === 'info' || status === 409 || status === 503;
}

function outcomeOf(index: number, answer: SignedAnswer | undefined): Outcome {
  const status = answer?.status;
  const type = outcomeType(status);
  if (answer === undefined) return { index, type, status };
  if (type === 'ok') return { index, type, status, reply: replyOf(answer.text) };
  return { index, type, status, ...(answer.status >= 500 && { body: answer.text }) };
}

type Request = Omit<Attempt, 'index' | 'outcome' | 'process'>;

interface Loaded {
  readonly target: MoneyTarget;
  readonly holds: readonly Known[];
  readonly payments: readonly Known[];
}

/** The request that a wish makes; undefined where there is nothing to go on with yet. */
function requestOf({ verb, account, payment, amount }: Wish, { target, holds, payments }: Loaded): Request | undefined {
  const reference = newReference();
  if (verb === 'authorize' || verb === 'purchase' || verb === 'deposit') {
    const accountId = target.accounts[account % target.accounts.length]?.paymentAccountId ?? '';
    const orderReference = newReference();
    return { verb, accountId, reference, orderReference, amount, paymentId: undefined, isRepeat: false };
  }
  const recent = (verb === 'reversal' ? payments : holds).slice(-RECENT);
  const known = recent[payment % recent.length];
  if (known === undefined) return undefined;
  const { accountId, orderReference, paymentId } = known;
  // Of a part; two of them may be too much, and then the second has to be refused.
  const asked = verb === 'cancel' ? undefined : 1 + (amount % known.amount);
  return { verb, accountId, reference, orderReference, amount: asked, paymentId, isRepeat: false };
}

async function post(target: MoneyTarget, request: Request): Promise<SignedAnswer> {
  const { verb, accountId, reference, orderReference, amount, paymentId, isRepeat } = request;
  const account = target.accounts.find(({ paymentAccountId }) => paymentAccountId === accountId);
  const payment = paymentId === undefined ? '' : `/${paymentId}`;
  return signedPost(target, `${accountId}/payment${payment}/${verb}`, {
    paymentOrderRef: orderReference,
    paymentTransactionRef: reference,
    ...(amount !== undefined && { amount }),
    ...(isRepeat && { repeat: true }),
    ...(paymentId === undefined && {
      accountIdentifier: { accountKey: account?.accountKey },
      currency: account?.currency,
      merchant: { merchantName: 'Kiosk' },
    }),
  });
}

interface SignedAnswer {
  readonly status: number;
  readonly text: string;
}

async function signedPost(
  { baseUrl, accessToken, hmac }: MoneyTarget,
  rest: string,
  value: object,
): Promise<SignedAnswer> {
  const path = `/api/payments/payment-account/${rest}`;
  const body = Buffer.from(JSON.stringify(value));
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${accessToken}`,
      'content-type': 'application/json',
      hmac: signatureOf(hmac, { method: 'POST', path, body }),
    },
    body,
    signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
  });
  return { status: response.status, text: await response.text() };
}

function replyOf(text: string): MoneyReply {
  const { paymentId, transactionId, operationId, state, amount, paymentTransactionRef } = JSON.parse(text);
  return { id: transactionId ?? operationId ?? paymentId, state, amount, reference: paymentTransactionRef };
}

/** How long a service that has just come up may need until it has time, beside whatever else the machine does. */
const COMES_UP_MS = 60_000;

/** What is available on an account, by asking. A service that has just come up may say that it has no time yet, or nothing. */
export async function askBalance(target: MoneyTarget, { accountKey }: PayingAccount): Promise<number> {
  let answer: SignedAnswer | undefined;
  await until(async () => {
    answer = await signedPost(target, 'balance', { accountIdentifier: { accountKey } }).catch(() => undefined);
    return answer !== undefined && answer.status !== 503 && answer.status !== 504;
  }, COMES_UP_MS);
  if (answer?.status !== 200) throw new Error(`The balance was answered with ${answer?.status}: ${answer?.text}`);
  return JSON.parse(answer.text).paymentAccount.accountSummary.balance;
}
