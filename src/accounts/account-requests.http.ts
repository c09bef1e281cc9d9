import { actorOf, circumstancesOf } from '../http/actor.ts';
import { textOf } from '../http/body/json-number.ts';
import type { EdgeRequest } from '../http/route.types.ts';
import { Secret } from '../kit/secret.ts';
import type { AccountIdentifierBody, FollowUpBody, MerchantBody, NewPaymentBody } from './account-bodies.wire.ts';
import type { FollowUp, Merchant, NewPayment, Product, SentCode, SentIdentifier, Words } from './accounts.types.ts';
import { shortExpiry } from './identifying/identifier.rules.ts';

/** A request with a path below an account. */
type AccountRequest = Pick<
  EdgeRequest,
  'payeeId' | 'caller' | 'sessionId' | 'trace' | 'remoteAddress' | 'userAgent' | 'payerAddress' | 'signature'
>;

/** The identifier of a body: what is secret is wrapped before anything else looks at it. */
export function sentIdentifier(body: AccountIdentifierBody): SentIdentifier {
  return {
    accountId: textOf(body.accountId),
    accountKey: secretOf(body.accountKey),
    cvc: codeOf(body.cvc),
    securityCode: codeOf(body.securityCode),
    encryptedPin: secretOf(body.encryptedPin),
    expiryDate: body.expiryDate === undefined ? undefined : shortExpiry(body.expiryDate),
    track2: secretOf(body.track2),
  };
}

function secretOf(value: string | number | undefined): Secret | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : new Secret(text);
}

function codeOf(value: string | number | undefined): SentCode | undefined {
  const digits = secretOf(value);
  return digits && { digits, cameAsNumber: typeof value !== 'string' };
}

/** An authorize, purchase, deposit or credit as it was asked for. */
export function newPaymentRequest(
  request: AccountRequest & { readonly params: { readonly paymentAccountId: string } },
  operation: NewPayment['operation'],
  body: NewPaymentBody,
): NewPayment {
  return {
    payeeId: request.payeeId,
    actor: actorOf(request),
    paymentAccountId: request.params.paymentAccountId,
    operation,
    amount: body.amount,
    currency: body.currency,
    paymentOrderRef: body.paymentOrderRef,
    paymentTransactionRef: body.paymentTransactionRef,
    repeat: body.repeat ?? false,
    words: { ...wordsOf(body), ...(body.products !== undefined && { products: body.products.map(product) }) },
    circumstances: circumstancesOf(request),
    identifier: sentIdentifier(body.accountIdentifier),
  };
}

/** A capture, cancel or reversal as it was asked for. */
export function followUpRequest(
  request: AccountRequest & { readonly params: { readonly paymentAccountId: string; readonly paymentId: string } },
  operation: FollowUp['operation'],
  body: FollowUpBody,
): FollowUp {
  return {
    payeeId: request.payeeId,
    actor: actorOf(request),
    paymentAccountId: request.params.paymentAccountId,
    paymentId: request.params.paymentId,
    operation,
    amount: body.amount,
    paymentOrderRef: body.paymentOrderRef,
    paymentTransactionRef: body.paymentTransactionRef,
    repeat: body.repeat ?? false,
    cancelRemainingAuth: body.cancelRemainingAuth ?? false,
    block: body.block ?? false,
    words: wordsOf(body),
    circumstances: circumstancesOf(request),
  };
}

function wordsOf({ description, additionalData, merchant }: FollowUpBody): Words {
  return {
    ...(description !== undefined && { description }),
    ...(additionalData !== undefined && { additionalData }),
    ...(merchant !== undefined && { merchant: merchantOf(merchant) }),
  };
}

function merchantOf({ merchantName, terminalId }: MerchantBody): Merchant {
  const terminal = textOf(terminalId);
  return { merchantName, ...(terminal !== undefined && { terminalId: terminal }) };
}

function product(sent: NonNullable<NewPaymentBody['products']>[number]): Product {
  const { productId, amount, quantity, unitOfMeasure, vatAmount, vatRate, description } = sent;
  return {
    productId: textOf(productId) ?? '',
    amount,
    ...(quantity !== undefined && { quantity: Number(textOf(quantity)) }),
    ...(unitOfMeasure !== undefined && { unitOfMeasure }),
    ...(vatAmount !== undefined && { vatAmount }),
    ...(vatRate !== undefined && { vatRate: Number(textOf(vatRate)) }),
    ...(description !== undefined && { description }),
  };
}
