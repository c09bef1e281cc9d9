import { maskCardNumber } from '../kit/cards/card-number.ts';
import { maskCardNumbersIn } from '../kit/cards/find-card-numbers.ts';
import { Secret } from '../kit/secret.ts';
import { answerTypeOf } from './compose.rules.ts';
import type { Dialect, ValueName } from './dialects/dialect.types.ts';
import { placeOf } from './dialects/places.rules.ts';
import type { PassedMessage, TracedField, TracedMessage, Value } from './messages.types.ts';

/** What stands for a value that is not shown, however long it is. */
export const NOT_SHOWN = '***';

/** Characters of a value that is shown. */
const MOST_CHARACTERS = 100;

/**
 * The values that are shown. What is new is not here, and so hidden: a card's number is masked; a new number, expiry, security code, authentication value,
 * the payer's addresses and what the acquirer writes as it likes (field 44) are not shown at all.
 */
const SHOWN: ReadonlySet<ValueName> = new Set<ValueName>([
  'processingCode',
  'amount',
  'transmittedAt',
  'stan',
  'sentAt',
  'pointOfService',
  'functionCode',
  'reasonCode',
  'merchantCategory',
  'reconciliationDay',
  'reconciliationNumber',
  'originalAmounts',
  'acquirerReference',
  'acquiringInstitution',
  'forwardingInstitution',
  'retrievalReference',
  'approvalCode',
  'actionCode',
  'terminalId',
  'merchantId',
  'merchantPlace',
  'currency',
  'reconciliationCurrency',
  'original',
  'refundsNumber',
  'refundReversalsNumber',
  'salesNumber',
  'saleReversalsNumber',
  'refundsAmount',
  'refundReversalsAmount',
  'salesAmount',
  'saleReversalsAmount',
  'netAmount',
  'sentDate',
  'sentTime',
  'settlementDate',
  'pointOfServiceCondition',
  'exponent',
  'merchantName',
  'merchantStreet',
  'merchantCity',
  'merchantPostalCode',
  'merchantCountry',
  'originalType',
  'originalStan',
  'originalTransmittedAt',
  'originalSentAt',
  'originalAcquiringInstitution',
  'originalForwardingInstitution',
  'originalAmount',
  'replacementAmount',
  'eci',
  'dsTransactionId',
  'threeDSVersion',
  'transStatus',
  'initiator',
  'schemeTransactionId',
  'exemption',
  'cvcResult',
  'addressResult',
  'partialApproval',
  'schemeCode',
  'adviceCode',
  'attemptId',
  'captureSequence',
  'updateCode',
]);

/** What of our own messages an acquirer has said before. */
const SAID_BEFORE: ReadonlySet<ValueName> = new Set<ValueName>([
  'acquirerReference',
  'approvalCode',
  'retrievalReference',
  'schemeTransactionId',
]);

/** A message without what must not be seen of it: a value that is not known to be harmless is `***`. */
export function traced(dialect: Dialect, { message, isOurs, isRepeat = false }: PassedMessage): TracedMessage {
  const { type, fields, tags, notes } = message;
  const values = Object.entries({ ...fields, ...tags }) as (readonly [ValueName, Value])[];
  const named = values.map(([name, value]): TracedField => {
    const shown = shownOf(name, value, { isNetwork: isNetwork(dialect, type) });
    return [placeOf(dialect, name)?.number ?? 0, name, isOurs && !SAID_BEFORE.has(name) ? shown : harmless(shown)];
  });
  const unnamed = [...(notes?.others ?? []), ...(notes?.unreadable ?? [])].map(
    (number): TracedField => [number, '', NOT_SHOWN],
  );
  return {
    type: isRepeat ? type.slice(0, -1) + dialect.repeatDigit : type,
    fields: [...named, ...unnamed].sort(([one], [other]) => one - other),
  };
}

/** The text of a value that a trace shows by name; undefined where it has none. */
export function tracedValue({ fields }: TracedMessage, name: ValueName): string | undefined {
  return fields.find(([, known]) => known === name)?.[2];
}

function shownOf(name: ValueName, value: Value, { isNetwork }: { readonly isNetwork: boolean }): string {
  if (name === 'cardNumber') return value instanceof Secret ? maskCardNumber(value.reveal()) : NOT_SHOWN;
  // Messages of the line itself have no card: there the host says who it is.
  const isShown = SHOWN.has(name) || (isNetwork && name === 'additionalText');
  return isShown && typeof value === 'string' ? value.slice(0, MOST_CHARACTERS) : NOT_SHOWN;
}

/** What an acquirer may write where it likes: a card's number that it puts elsewhere is masked there. */
function harmless(text: string): string {
  return maskCardNumbersIn(text);
}

function isNetwork({ messages }: Dialect, type: string): boolean {
  return type === messages.Network.type || type === answerTypeOf(messages.Network.type);
}
