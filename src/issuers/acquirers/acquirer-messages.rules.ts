import {
  billingAddress,
  type Composition,
  captureSequence,
  digitsOf,
  initiatorTag,
  merchantPlace,
  originalAmounts,
  originalField,
  pointOfService,
} from '../../iso8583/compose.rules.ts';
import { currencyNumber } from '../../iso8583/currency.rules.ts';
import type { Dialect } from '../../iso8583/dialects/dialect.types.ts';
import type { MessageTimes } from '../../iso8583/link/link.types.ts';
import { assert } from '../../kit/assert.ts';
import { type CharacterSet, isSpelled, spelled } from '../../kit/characters.ts';
import { decimalsOf } from '../../kit/money.ts';
import type { Secret } from '../../kit/secret.ts';
import { indicatorsOfCard } from '../indicators.rules.ts';
import type {
  ApprovalQuestion,
  AuthenticationResult,
  FollowUpQuestion,
  IssuerQuestion,
  Original,
  TakeBack,
} from '../questions.types.ts';
import type { Acquirer } from './acquirers.types.ts';

/** What a question becomes a message with. */
export interface MessageTerms {
  readonly dialect: Dialect;
  readonly acquirer: Pick<Acquirer, 'acquiringInstitution' | 'forwardingInstitution'>;
  /** Fields 7 and 12 of an instant. */
  readonly timesOf: (instant: string) => MessageTimes;
}

const EXEMPTION_TAGS = { LowValue: 'LV', RiskAnalysis: 'RA', TrustedPayee: 'TP', SecureCorporate: 'SC' } as const;
const REASONS = {
  Silence: 'Silence',
  TooLate: 'Late',
  Partial: 'Partial',
  NotUsable: 'Unusable',
  Refused: 'Refused',
} as const;

/** The message for a payment, or for the look at a card. */
export function requestMessage(question: ApprovalQuestion, terms: MessageTerms): Composition {
  const { operation, card, initiator, authentication, exemption, device, billing } = question;
  const { by, credential } = initiator;
  return {
    kind: operation,
    fields: {
      ...fieldsOf(question, terms),
      ...cardFields(card),
      ...entryFields(pointOfServiceOf(question)),
    },
    tags: {
      eci: eciOf(question),
      authenticationValue: authentication?.authenticationValue,
      dsTransactionId: authentication?.dsTransactionId,
      threeDSVersion: authentication?.version,
      transStatus: authentication?.transStatus,
      initiator: initiatorTag(
        credential === 'None' ? { by, use: 'None', step: 'None' } : { by, use: credential.use, step: credential.step },
      ),
      schemeTransactionId: question.schemeTransactionId,
      exemption: exemption === undefined ? undefined : EXEMPTION_TAGS[exemption],
      cvc: card.cvc,
      billingAddress: billingAddress(billing?.postalCode, billing?.street, terms.dialect.characters),
      billingPostalCode: spelledIn(terms, billing?.postalCode),
      billingStreet: spelledIn(terms, billing?.street),
      partialApproval: '0',
      attemptId: attemptTag(question.attemptId),
      payerAddress: device.address,
    },
  };
}

/** The message about a payment: a capture, cancel or refund. */
export function followUpMessage(question: FollowUpQuestion, terms: MessageTerms): Composition {
  const { operation, amount, original, sequence, card } = question;
  return {
    kind: operation,
    isOther: amount !== original.amount,
    fields: {
      ...fieldsOf(question, terms),
      ...originalFields(original, terms),
      ...(card === undefined ? {} : cardFields(card)),
      ...entryFields(original.pointOfService ?? UNKNOWN_ENTRY),
      // What is left of a hold, where a part of it is released.
      replacementAmount: digitsOf(Math.max(0, original.amount - amount)),
      approvalCode: original.approvalCode,
      actionCode: '000',
    },
    tags: {
      schemeTransactionId: original.schemeTransactionId,
      attemptId: attemptTag(question.attemptId),
      captureSequence: captureSequence(sequence.number, sequence.isLast ? sequence.number : undefined),
    },
  };
}

/** The message that takes another one back. Repeated, it is the same but for its type. */
export function takeBackMessage(takeBack: TakeBack, terms: MessageTerms): Composition {
  const { original, attemptId, card } = takeBack;
  return {
    kind: 'TakeBack',
    reason: REASONS[takeBack.reason],
    fields: {
      ...fieldsOf(takeBack, terms),
      ...originalFields(original, terms),
      ...(card === undefined ? {} : cardFields(card)),
      processingCode: terms.dialect.messages[original.operation]?.processingCode,
      ...entryFields(original.pointOfService ?? UNKNOWN_ENTRY),
      approvalCode: original.approvalCode,
    },
    tags: { attemptId: attemptTag(attemptId), schemeTransactionId: original.schemeTransactionId },
  };
}

type About = Pick<IssuerQuestion, 'agreement' | 'exchange' | 'amount' | 'currency' | 'descriptor'>;

function fieldsOf(
  { agreement, exchange, amount, currency, descriptor }: About,
  terms: MessageTerms,
): Composition['fields'] {
  const { merchant, mcc, merchantId } = agreement;
  const { characters } = terms.dialect;
  const name = nameOf(merchant.name, descriptor, characters);
  return {
    ...terms.timesOf(exchange.sentAt),
    stan: exchange.stan,
    amount: digitsOf(amount),
    acquiringInstitution: terms.acquirer.acquiringInstitution,
    forwardingInstitution: terms.acquirer.forwardingInstitution,
    merchantCategory: mcc,
    retrievalReference: exchange.retrievalReference,
    terminalId: exchange.terminalId,
    merchantId,
    merchantPlace: merchantPlace({ ...merchant, name }, characters),
    merchantName: spelledIn(terms, name),
    merchantStreet: spelledIn(terms, merchant.street),
    merchantCity: spelledIn(terms, merchant.city),
    merchantPostalCode: spelledIn(terms, merchant.postalCode),
    merchantCountry: merchant.country,
    currency: currencyNumber(currency),
    exponent: String(decimalsOf(currency)),
  };
}

/** What the payment wants its payer to read, where the acquirer has characters for it. */
function nameOf(agreed: string, descriptor: string | undefined, characters: CharacterSet): string {
  return descriptor !== undefined && isSpelled(descriptor, characters) ? descriptor : agreed;
}

/** A text by itself, which its field may cut further. */
function spelledIn({ dialect }: MessageTerms, text: string | undefined): string | undefined {
  return text === undefined ? undefined : spelled(text, dialect.characters, LONGEST_TEXT);
}

const LONGEST_TEXT = 99;

function originalFields({ operation, amount, exchange }: Original, terms: MessageTerms): Composition['fields'] {
  const { acquiringInstitution, forwardingInstitution } = terms.acquirer;
  const { sentAt, transmittedAt } = terms.timesOf(exchange.sentAt);
  const type = terms.dialect.messages[operation]?.type;
  assert(type !== undefined, 'what was asked has a message of its own');
  return {
    original: originalField({ type, stan: exchange.stan, sentAt, acquiringInstitution }),
    originalType: type,
    originalStan: exchange.stan,
    originalSentAt: sentAt,
    originalTransmittedAt: transmittedAt,
    originalAcquiringInstitution: acquiringInstitution,
    originalForwardingInstitution: forwardingInstitution,
    originalAmount: digitsOf(amount),
    originalAmounts: originalAmounts(amount),
    retrievalReference: exchange.retrievalReference,
  };
}

/** `MM/YY` as `YYMM`. */
function cardFields({ number, expiryDate }: { number: Secret; expiryDate: string | undefined }): Composition['fields'] {
  const [month, year] = expiryDate?.split('/') ?? [];
  return { cardNumber: number, expiry: month === undefined || year === undefined ? undefined : year + month };
}

/** How a card came, for each field that says so. */
function entryFields(code: string): Composition['fields'] {
  return { pointOfService: code, pointOfServiceCondition: code };
}

/** Of what follows a payment from before it was stored how its card came. */
const UNKNOWN_ENTRY = pointOfService({ entry: 'ECommerce', isStored: true, isAuthenticated: false });

/** How a card came to a payment: what the acquirer is told of it, then and in what follows (ISO 8583, field 22). */
export function pointOfServiceOf({
  initiator,
  authentication,
}: Pick<ApprovalQuestion, 'initiator' | 'authentication'>): string {
  const { by, channel, credential } = initiator;
  const isOrdered = channel === 'Mail' || channel === 'Phone';
  const entry = by === 'Merchant' ? 'Merchant' : isOrdered ? channel : 'ECommerce';
  const isStored = credential !== 'None' && credential.step === 'Subsequent';
  return pointOfService({ entry, isStored, isAuthenticated: hasAuthenticated(authentication) });
}

/** With a value: without one the acquirer has no proof. */
function hasAuthenticated(result: AuthenticationResult | undefined): boolean {
  return result?.authenticationValue !== undefined && ['Y', 'A'].includes(result.transStatus);
}

/** What 3-D Secure came to, or that there was none. */
function eciOf({ authentication, exemption, card }: ApprovalQuestion): string {
  if (authentication !== undefined) return authentication.eci;
  const { none, exempted } = indicatorsOfCard(card.number);
  return exemption === undefined ? none : exempted;
}

/** An attempt's id without its dashes: 32 hexadecimal digits. */
function attemptTag(attemptId: string): string {
  return attemptId.replaceAll('-', '');
}
