import { describe, expect, test } from 'vitest';
import { names as danish } from '../../locales/portal-names-da-DK.ts';
import { names as english } from '../../locales/portal-names-en-US.ts';
import { names as finnish } from '../../locales/portal-names-fi-FI.ts';
import { names as norwegian } from '../../locales/portal-names-nb-NO.ts';
import { names as swedish } from '../../locales/portal-names-sv-SE.ts';
import type { PaymentState } from '../../src/accounts/account-payments.types.ts';
import type { Delivery, DeliveryFailure, Webhook } from '../../src/events/events.types.ts';
import type { HistoryStep } from '../../src/gift-cards/cards/history/history.types.ts';
import { ACTION_CATALOGUE, type AuditAction, type AuditObject } from '../../src/journal/actions.rules.ts';
import { AUDIT_DETAILS, type AuditDetail } from '../../src/journal/audit-details.rules.ts';
import { EVENT_TYPES, type EventResource, type EventType } from '../../src/journal/events.rules.ts';
import { CARD_PROBLEMS, type CardProblemCode } from '../../src/kit/cards/card-problems.ts';
import type { RefusalReason } from '../../src/kit/refused-caller.ts';
import type { MovementKind, Side } from '../../src/ledger/ledger.types.ts';
import type { HistoryName, OrderLeg, OrderTransaction } from '../../src/orders/orders.types.ts';
import type { CardPayment, CardTransaction } from '../../src/payments/payments.types.ts';
import type { ChangeState } from '../../src/portal/approvals/approvals.types.ts';
import type { ListedTransaction } from '../../src/portal/payments/payments.wire.ts';
import type { Archiver, TokenType } from '../../src/tokens/tokens.types.ts';
import { describeRoutes } from '../../src/wiring/describe-api.ts';

/** The names of a group: one that English lacks is a type error, and so is one of nothing. One that another language lacks is found there. */
const named =
  <Raw extends string>() =>
  <Group extends Readonly<Record<Raw, string>>>(group: Group & Readonly<Record<Exclude<keyof Group, Raw>, never>>) =>
    group;

/** What the service calls things. */
const GROUPS = {
  action: named<AuditAction>()(english.action),
  approval: named<ChangeState>()(english.approval),
  archiver: named<Archiver>()(english.archiver),
  detail: named<AuditDetail>()(english.detail),
  event: named<EventType>()(english.event),
  failure: named<DeliveryFailure>()(english.failure),
  history: named<HistoryName>()(english.history),
  instrument: named<OrderLeg['instrumentType'] | KnownInstrument>()(english.instrument),
  movement: named<MovementKind>()(english.movement),
  object: named<AuditObject | EventResource>()(english.object),
  problem: named<CardProblemCode>()(english.problem),
  refusal: named<RefusalReason>()(english.refusal),
  side: named<Side>()(english.side),
  state: named<StoodState>()(english.state),
  step: named<HistoryStep>()(english.step),
  tokenType: named<TokenType>()(english.tokenType),
  transaction: named<ListedTransaction['type'] | OrderTransaction['type']>()(english.transaction),
};

/** Of those that tokens may have, the ones with a name; any other is shown as the payee has written it. */
type KnownInstrument = 'CreditCard' | 'BankAccount' | 'Invoice';

/** How a transaction, a payment of the API, a delivery or a webhook stands. */
type StoodState = CardTransaction['state'] | PaymentState | Delivery['state'] | Webhook['state'] | CardPayment['state'];

/** Groups of what is no closed list of ours: words of acquirers and schemes, and beginnings of names. Each with where the words are from. */
const OF_OTHERS = {
  actor: 'who did something: the kinds without a name of their own (kit/caller.ts)',
  addressResult: 'acquirers, by the schemes',
  authenticationStatus: 'EMV 3-D Secure, transStatus',
  cvcResult: 'acquirers, by the schemes',
  operation: 'operations that may wait for a second person: compared below',
  schemeReference: 'one word of ours',
};

describe('the names that the portal shows', () => {
  test('are held to the source, group by group', () => {
    expect([...Object.keys(GROUPS), ...Object.keys(OF_OTHERS)].toSorted()).toEqual(Object.keys(english).toSorted());
  });

  test('are of the catalogue, and of nothing else', () => {
    expect(Object.keys(english.action).toSorted()).toEqual(Object.keys(ACTION_CATALOGUE).toSorted());
    expect(Object.keys(english.detail).toSorted()).toEqual(AUDIT_DETAILS.toSorted());
    expect(Object.keys(english.event).toSorted()).toEqual(EVENT_TYPES.toSorted());
    expect(Object.keys(english.problem).toSorted()).toEqual(Object.keys(CARD_PROBLEMS).toSorted());
  });

  test('name each operation that may wait for a second person, and nothing that is no operation', async () => {
    const { apiRoutes, portalRoutes } = describeRoutes();
    const names = Object.keys(english.operation);
    const weighed = apiRoutes.filter(({ gives }) => gives !== undefined).map(({ operationId }) => operationId);
    expect(weighed.length).toBeGreaterThan(0);
    expect(names).toEqual(expect.arrayContaining(weighed));
    const all = [...apiRoutes, ...portalRoutes].map(({ operationId }) => operationId);
    expect(all).toEqual(expect.arrayContaining(names));
  });

  test.each(Object.entries({ danish, finnish, norwegian, swedish }))('are words in %s', (_, others) => {
    expect(Object.keys(others)).toEqual(Object.keys(english));
    for (const [group, texts] of Object.entries(others)) {
      expect(Object.keys(texts)).toEqual(Object.keys(english[group as keyof typeof english]));
      for (const [raw, text] of Object.entries(texts)) {
        expect(text.trim(), `${group} ${raw}`).not.toBe('');
        expect(text, `${group} ${raw}`).not.toMatch(/^[a-z]+-[a-z-]+$/);
      }
    }
  });
});
