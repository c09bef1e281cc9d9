import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { PROBLEM_SCHEMA } from '../../http/document/openapi-parts.ts';
import { logged } from '../../kit/schemas.wire.ts';
import type { LoggedForm } from '../../kit/work/finished-call.ts';
import { describeRoutes } from '../../wiring/describe-api.ts';
import { HIDDEN, maskedAddress, maskedBody, maskedHeaders } from './masking.rules.ts';

const nothing = (text: string) => text;
const ID = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
const noDigits = (text: string) => text.replace(/\d{13,}/g, (digits) => '*'.repeat(digits.length));

const routes = describeRoutes().apiRoutes;

function bodyOf(operationId: string): LoggedForm {
  return routes.find((route) => route.operationId === operationId)?.shape.body as LoggedForm;
}

describe('a body', () => {
  test('shows money, states and references, and hides what is a secret or tells who a payer is', () => {
    const body = {
      amount: 100,
      currency: 'NOK',
      paymentTransactionRef: 'ref-1',
      repeat: false,
      accountIdentifier: {
        accountKey: '9578100000000001',
        cvc: '123',
        expiryDate: '12/39',
        track2: 'x',
        accountId: 'a',
      },
      products: [{ productId: 'p', amount: 1 }],
      payerReference: 'anna',
      secret: 's',
    };
    expect(maskedBody(body, bodyOf('purchaseAccountPayment'), nothing)).toEqual({
      amount: 100,
      currency: 'NOK',
      paymentTransactionRef: 'ref-1',
      repeat: false,
      accountIdentifier: { accountKey: HIDDEN, cvc: HIDDEN, expiryDate: HIDDEN, track2: HIDDEN, accountId: 'a' },
      products: [{ productId: 'p', amount: 1 }],
      [HIDDEN]: HIDDEN,
    });
    const payment = { payerReference: 'anna', amount: 100, cardholder: { email: 'anna@example.com', name: 'Anna' } };
    expect(maskedBody({ payment }, bodyOf('createCardPayment'), nothing)).toEqual({
      payment: { payerReference: HIDDEN, amount: 100, cardholder: { [HIDDEN]: HIDDEN } },
    });
  });

  test('hides a number with as many digits as a card has, wherever its point is', () => {
    const shown = (amount: number) => maskedBody({ amount }, bodyOf('purchaseAccountPayment'), nothing);
    const card = 4_925_000_000_000_004;
    for (const amount of [card, -card, card / 1e4, card / 1e16, card * 1e9]) {
      expect(shown(amount)).toEqual({ amount: HIDDEN });
    }
    for (const amount of [0, 12_500, -1, 99.95, 999_999_999_999]) expect(shown(amount)).toEqual({ amount });
  });

  test('shows which member a problem names', () => {
    const problem = { status: 400, instance: 'x', problems: [{ name: 'amount', description: 'is missing' }] };
    expect(maskedBody(problem, PROBLEM_SCHEMA as LoggedForm, nothing)).toEqual({ ...problem, instance: HIDDEN });
  });

  test('hides what its schema does not have, wherever it is, and all of what has no schema', () => {
    const form = bodyOf('createCardPayment');
    expect(maskedBody('text', form, nothing)).toBe(HIDDEN);
    expect(maskedBody([1, 'a', null], form, nothing)).toEqual([HIDDEN, HIDDEN, null]);
    expect(maskedBody({ payment: { metadata: { amount: 42 } }, amount: 1 }, form, nothing)).toEqual({
      payment: { metadata: { [HIDDEN]: HIDDEN } },
      [HIDDEN]: HIDDEN,
    });
    expect(maskedBody({ payment: ['USD', { amount: [['x']] }] }, form, nothing)).toEqual({
      payment: [HIDDEN, { [HIDDEN]: HIDDEN }],
    });
    expect(maskedBody({ amount: 1, constructor: 2 }, undefined, nothing)).toEqual({ [HIDDEN]: HIDDEN });
    expect(maskedBody({ toString: 2, __proto__: { amount: 1 } }, form, nothing)).toEqual({ [HIDDEN]: HIDDEN });
  });

  test('masks card numbers in what is shown, as text, as number and as name', () => {
    const body = { description: 'card 4925000000000004', amount: 4_925_000_000_000_004, '4925000000000004': 1 };
    expect(JSON.stringify(maskedBody(body, bodyOf('purchaseAccountPayment'), noDigits))).not.toMatch(/\d{13}/);
  });

  test('ends where a body has too many parts', () => {
    const products = Array.from({ length: 5000 }, () => ({ amount: 1 }));
    const masked = maskedBody({ products }, bodyOf('purchaseAccountPayment'), nothing);
    expect(JSON.stringify(masked)).toContain(HIDDEN);
    expect((masked as { products: unknown[] }).products.filter((part) => part !== HIDDEN).length).toBeLessThan(300);
  });
});

test('a logged member stays what it was', () => {
  const plain = Type.Object({ a: Type.Optional(Type.String()), b: Type.Integer() });
  const form = Type.Object({ a: logged(Type.Optional(Type.String())), b: logged(Type.Integer()) });
  expect(form.required).toEqual(plain.required);
  expect(JSON.stringify(form).replaceAll(',"logged":true', '')).toBe(JSON.stringify(plain));
});

/**
 * The members whose values may be shown, by name: what is not here holds card data, a credential or who a payer is, or
 * it was not looked at yet. Another one is a decision.
 */
const HARMLESS = new Set(
  `
  accountId acquirer acquirerCode acquirerId acquirerName acquirers acquirersCurrency acquirerStan
  acquirerTerminalId acquirerTransactionTime acquirerTransactionType adjustments agreement amount asOf
  availableInstruments balance batch block cancelledAmount cancelReason cancelRemainingAuth capturedAmount cardBrand
  cardBrands cardType caseId category chargebacks class closedAt created culture currency day description detail
  differenceId disablePaymentMenu disableStoredPaymentDetails discountAmount discountPrice disputeId durationMs
  enablePaymentDetailsConsentCheckbox eventTypes everyDays expandFirstInstrument fee feeAmount fees
  generatePaymentToken generateRecurrenceToken generateTransactionOnFileToken generateUnscheduledToken
  giftCardPurchase gross guestMode hasMore held id implementation importedAt initiatedBy instrument instrumentMode
  integration intent interchange into isDefault isDeleted isOperational issuerId issuerName kind language legId line
  menuElementName merchantId merchantName method name net no3DSecure noCvc number openDifferences openedAt
  openTakeBacks operation orderedBy orderId orderReference otherFees ours paid payeeId payeeName payeeReference paymentCurrency
  paymentId paymentInstrumentType paymentOrderRef paymentTokenGenerated paymentTransactionRef payouts position
  prefill productCategory productId productName quantity reason reasonCode receiptReference reference refunded
  rejectAddressMismatch rejectConsumerCards rejectCorporateCards rejectCreditCards rejectCvcMismatch
  rejectDebitCards rel remainingCancelAmount remainingCancellationAmount remainingCaptureAmount
  remainingReversalAmount repeat reserves respondBy restrictedToInstruments retry retryAfterHours reversedAmount schemeFees
  seen seenAt sequence sessionId settlementId settlementProvided siteId stage state status submittedAmount subsite
  taken terminalId title tokenConsent tokenType transactionId transactionInitiator transactionRef transactionType
  tries type unitOfMeasure unitPrice unmatchedLines until updated updatedAt updatedBy valueDate vatAmount vatPercent
  vatRate webhookId withdrawnAt
  timeZone from to side product opening debit credit closing what since counted difference sales salesAmount salesVat
  refunds refundsAmount refundsVat
`
    .trim()
    .split(/\s+/),
);

test('no route shows a value that is not known to be harmless', () => {
  const shown = [
    ...shownIn(PROBLEM_SCHEMA),
    ...routes.flatMap(({ shape }) => [...shownIn(shape.body), ...shownIn(shape.answer)]),
  ];
  expect([...new Set(shown)].filter((name) => !HARMLESS.has(name))).toEqual([]);
  expect([...HARMLESS].filter((name) => !shown.includes(name))).toEqual([]);
});

/** The names of all members that a schema shows, at every depth and through any keyword. */
function shownIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(shownIn);
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, LoggedForm>> };
  const names = Object.keys(properties).filter((name) => properties[name]?.logged === true);
  return [...names, ...Object.values(schema).flatMap(shownIn)];
}

test('the schema of each member says by itself what it shows: none is put together of several', () => {
  const combined = /"(anyOf|oneOf|allOf|\$ref|prefixItems)":/;
  const shapes = routes.filter(({ shape }) => combined.test(JSON.stringify([shape.body, shape.answer])));
  expect(shapes.map(({ operationId }) => operationId)).toEqual([]);
});

test('an address shows ids of payments, and hides tokens, payers and what is unknown', () => {
  const route = '/online/payer/payees/:payeeId/tokens/:tokenId';
  const address = {
    route,
    params: { payeeId: ID, tokenId: ID },
    query: { $expand: 'prices', limit: 'a secret', key: 'secret' },
  };
  expect(maskedAddress(address)).toBe(`/online/payer/payees/${ID}/tokens/***?$expand=prices&limit=***&***=***`);
});

test('of the headers those are shown that say how, and not by whom', () => {
  const headers = {
    authorization: 'Bearer x',
    hmac: 'y',
    accept: 'application/json; version=3.1',
    'content-type': 'a secret',
  };
  expect(maskedHeaders(headers)).toEqual({ accept: 'application/json; version=3.1', 'content-type': HIDDEN });
});
