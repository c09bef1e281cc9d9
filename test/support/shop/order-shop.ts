import type { Issuer, Issuers } from '../../../src/issuers/issuers.types.ts';
import type { IssuerAnswer, IssuerHost, IssuerQuestion } from '../../../src/issuers/questions.types.ts';
import { uuidV4, uuidV7 } from '../../../src/kit/ids.ts';
import { amountMinor, type Currency } from '../../../src/kit/money.ts';
import { Secret } from '../../../src/kit/secret.ts';
import type { AccountId } from '../../../src/ledger/ledger.types.ts';
import { followUpOrder } from '../../../src/orders/changes/follow-up-order.flow.ts';
import { composeOrders } from '../../../src/orders/compose.ts';
import { createOrder } from '../../../src/orders/create-order.flow.ts';
import { findOrder } from '../../../src/orders/find-order.ts';
import type { CreateOrderRequest, OrderFollowUpRequest } from '../../../src/orders/order-requests.types.ts';
import type { OrderView } from '../../../src/orders/orders.types.ts';
import type { OrderFlows } from '../../../src/orders/orders-context.types.ts';
import { addGiftCard, payOrder, removeGiftCard } from '../../../src/orders/paying/pay-order.flow.ts';
import { planSplit } from '../../../src/orders/plan.rules.ts';
import { prepareSentCard } from '../../../src/payments/cards/prepare-card.ts';
import { tryCard } from '../../../src/payments/cards/try-card.flow.ts';
import { composePayments } from '../../../src/payments/compose.ts';
import type { SeenSplit } from '../../../src/payments/payment-commands.types.ts';
import type { TestService } from '../service.ts';
import { until } from '../until.ts';
import { openAnAccount } from './accounts-shop.ts';
import { MASTERCARD } from './card-payments-shop.ts';

/** No answer comes. */
export const SILENCE = 'Silence';

/** How an acquirer declines in tests. */
export const DECLINED: IssuerAnswer = {
  outcome: 'Declined',
  responseCode: '116',
  problem: 'acquirerinsufficientfunds',
  retry: { advice: 'NewData' },
} as unknown as IssuerAnswer;

type Kontor = Pick<TestService, 'service' | 'config' | 'payeeId'>;

/** An acquirer that answers as a test says; all that it is not told to decline it approves. */
function scriptedIssuers(issuers: Issuers, own: Partial<Issuer>) {
  const questions: IssuerQuestion[] = [];
  const next: (IssuerAnswer | typeof SILENCE)[] = [];
  /** Runs between the two batches of a try. */
  let during: (() => Promise<unknown>) | undefined;
  const host: IssuerHost = {
    async ask(question) {
      questions.push(question);
      const run = during;
      during = undefined;
      await run?.();
      const { retrievalReference } = question.exchange;
      const answer = next.shift();
      if (answer === SILENCE) throw new Error('no answer');
      const references = { retrievalReference, schemeTransactionId: `SCHEME-${questions.length}` };
      return answer ?? { outcome: 'Approved', responseCode: '000', approvalCode: 'A00001', references };
    },
    reverse: async () => ({ outcome: 'TakenBack' }),
  };
  const scripted = (issuer: Issuer): Issuer => ({ ...issuer, ...own, host, failoverCodes: [] });
  const ofTest: Issuers = {
    ...issuers,
    named: (id) => scripted(issuers.named(id)),
    routesOf: (payee, wanted) =>
      issuers.routesOf(payee, wanted).map((route) => ({ ...route, issuer: scripted(route.issuer) })),
  };
  return {
    issuers: ofTest,
    questions,
    answerNext: (...answers: readonly (IssuerAnswer | typeof SILENCE)[]) => void next.push(...answers),
    meanwhile: (run: () => Promise<unknown>) => {
      during = run;
    },
  };
}

/** Orders and card payments put together anew, over an acquirer of a test and gift cards that need no code. */
function composed({ service, config, payeeId }: Kontor, issuers: Issuers, pause?: Pause) {
  const { cardPayments, database, accounts, ledger } = service;
  const payments = composePayments({
    ...cardPayments,
    ...(pause && { pause }),
    issuers,
    submitOfOrder: (kind, command, orderId) => orders.submitOfOrder(kind, command, orderId),
    config,
    database,
  });
  const newId = () => uuidV7(Date.now());
  const orders: ReturnType<typeof composeOrders> = composeOrders({
    cardPayments: payments.context,
    accounts,
    newId,
    submit: ledger.submit,
    database,
  } as never);
  const found = new Map<string, AccountId>();
  const flows: OrderFlows = {
    transact: database.transact,
    context: {
      ...orders.context,
      judge: async ({ added, entry }) => {
        const accountId = found.get(entry.number) as AccountId;
        const account = await accounts.lookUps.account({ payeeId, accountId });
        if (account === undefined) return { outcome: 'notusable' };
        return added.includes(accountId) ? { outcome: 'alreadyadded' } : { outcome: 'ok', account };
      },
    },
  };
  return { payments, orders, flows, found, newId };
}

/** How a repeat waits for what is under way. */
type Pause = (durationMs: number) => Promise<void>;

/** Payment orders past their routes, whose cards an acquirer decides on that answers as a test says. */
export function orderShop(kontor: Kontor, own: Partial<Issuer> = {}, pause?: Pause) {
  const { issuers, ...acquirer } = scriptedIssuers(kontor.service.cardPayments.issuers, { captures: 'many', ...own });
  const shop = { ...composed(kontor, issuers, pause), kontor };
  return { ...acquirer, ...shop, ...ofPayee(shop), ...ofPayer(shop) };
}

type OrderShop = ReturnType<typeof orderShop>;

/** Asks, and while the acquirer is asked twice more: one repeat waits as long as it does, the other one until it has answered. */
export async function repeated<Answer>(kontor: Kontor, ask: (other: OrderShop) => Promise<Answer>) {
  const waits: number[] = [];
  let untilThen: () => Promise<unknown> = async () => undefined;
  const other = orderShop(kontor, {}, async (durationMs) => {
    waits.push(durationMs);
    await untilThen();
  });
  const repeats: Promise<unknown>[] = [];
  other.meanwhile(async () => {
    repeats.push(ask(other).catch(String));
    await repeats[0];
    untilThen = () => once;
    repeats.push(ask(other).catch(String));
    await until(() => waits.length > 20);
  });
  const once = ask(other);
  const first = await once;
  const [early, late] = await Promise.all(repeats);
  const waitedMs = waits.slice(0, 20).reduce((sum, wait) => sum + wait);
  return { first, early, late, waitedMs, questions: other.questions.length };
}

/** Something happens between what a change has read and its first command. */
export function overtaken(kontor: Kontor, by: () => Promise<unknown>): OrderShop {
  const other = orderShop(kontor);
  const { submit } = other.flows.context;
  let done: Promise<unknown> | undefined;
  Object.assign(other.flows.context, {
    submit: async (...asked: Parameters<typeof submit>) => {
      done ??= by();
      await done;
      return submit(...asked);
    },
  });
  return other;
}

type Shop = ReturnType<typeof composed> & { readonly kontor: Kontor };

const askedBy = ({ kontor: { payeeId } }: Shop) =>
  ({
    payeeId,
    actor: { kind: 'payer', sessionId: undefined },
    initiatedBy: 'Payer',
    idempotencyKey: undefined,
  }) as const;

/** What a payee does. */
function ofPayee(shop: Shop) {
  const { flows, kontor, found, newId } = shop;
  const {
    payeeId,
    service: { accounts },
  } = kontor;
  const by = askedBy(shop);
  const asked = (orderId: string) => ({ ...by, orderId });
  async function create(amount: number, more: Partial<CreateOrderRequest> = {}): Promise<OrderView> {
    const { terms, ...rest } = more;
    return createOrder(flows, {
      ...by,
      initiatedBy: 'Payee',
      operation: 'Purchase',
      intent: 'Authorization',
      currency: 'NOK' as Currency,
      amount: amountMinor(amount),
      vatAmount: amountMinor(Math.floor(amount / 5)),
      madeIn: '3.1',
      instrument: null,
      orderItems: [],
      ...rest,
      terms: {
        description: 'Test',
        language: 'nb-NO',
        generate: [],
        urls: { completeUrl: 'https://shop.example/ok' },
        payeeInfo: { payeeReference: uuidV4().replaceAll('-', '').slice(0, 30) },
        metadata: {},
        cards: { no3DSecure: true },
        ...terms,
      },
    });
  }

  return {
    asked,
    create,
    view: (orderId: string) => findOrder(flows.context, { payeeId, orderId }),
    /** Opens a gift card; its number names it. */
    giftCard: async (balance: number): Promise<{ readonly number: string; readonly accountId: AccountId }> => {
      const account = await openAnAccount(kontor, { balance, newId });
      found.set(account.accountKey, account.paymentAccountId as AccountId);
      return { number: account.accountKey, accountId: account.paymentAccountId as AccountId };
    },
    account: (accountId: AccountId) => accounts.lookUps.account({ payeeId, accountId }),
    followUp: (orderId: string, request: Partial<OrderFollowUpRequest> & Pick<OrderFollowUpRequest, 'type'>) =>
      followUpOrder(flows, {
        ...asked(orderId),
        initiatedBy: 'Payee',
        amount: undefined,
        vatAmount: undefined,
        description: undefined,
        payeeReference: undefined,
        receiptReference: undefined,
        orderItems: undefined,
        legs: undefined,
        ...request,
      }),
  };
}

/** What a payer does on the page. */
function ofPayer(shop: Shop) {
  const { flows, payments, kontor } = shop;
  const {
    payeeId,
    service: { accounts, database },
  } = kontor;
  const by = askedBy(shop);
  const asked = (orderId: string) => ({ ...by, orderId });
  /** What would be paid by what, as a page shows it. */
  async function split(orderId: string): Promise<SeenSplit> {
    const { order, legs } = await findOrder(flows.context, { payeeId, orderId });
    const cards = legs.filter(({ kind }) => kind === 'Account');
    const payers = await Promise.all(
      cards.map(async ({ legId, accountId, amount, state }) => {
        const account = await accounts.lookUps.account({ payeeId, accountId: accountId as AccountId });
        return { legId, available: account?.available ?? 0, held: state === 'Held' ? amount : 0, most: order.amount };
      }),
    );
    const { legs: shares, card } = planSplit(order.amount, payers, 1);
    return { legs: shares.map(({ legId, amount }) => ({ legId, amount })), card };
  }

  const found = (orderId: string) => findOrder(flows.context, { payeeId, orderId });

  return {
    split,
    /** Adds a gift card to an order as it was seen; as it is, without that. */
    add: async (orderId: string, number: string, seen?: OrderView) => {
      const entry = { number, code: '' };
      const guesser = { address: undefined, isFree: true };
      return addGiftCard(flows, { ...asked(orderId), entry, guesser }, seen ?? (await found(orderId)));
    },
    remove: (orderId: string, legId: string) => removeGiftCard(flows, { ...asked(orderId), legId }),
    pay: async (orderId: string, seen?: SeenSplit) =>
      payOrder(flows, { ...asked(orderId), seen: seen ?? (await split(orderId)) }, await found(orderId)),
    payByCard: async (orderId: string, seen?: SeenSplit) => {
      const { card: view } = await findOrder(flows.context, { payeeId, orderId });
      const { payment } = view;
      const sent = {
        number: new Secret(MASTERCARD),
        month: '12',
        year: '39',
        code: { digits: new Secret('123'), cameAsNumber: false },
        holderName: undefined,
      };
      const context = payments.context;
      const card = await database.transact((transaction) => prepareSentCard(transaction, context, { payment, sent }));
      const type = payment.operation === 'Verify' ? ('Verification' as const) : ('Authorization' as const);
      const origin = { channel: 'Page', device: {} } as const;
      return tryCard(
        { context, transact: database.transact },
        { ...by, view, type, card, origin, seen: seen ?? (await split(orderId)) },
      );
    },
  };
}
