import {
  type Composition,
  compose,
  digitsOf,
  originalAmounts,
  originalField,
} from '../../../src/iso8583/compose.rules.ts';
import type { Dialect } from '../../../src/iso8583/dialects/dialect.types.ts';
import { ISO93 } from '../../../src/iso8583/dialects/iso93.rules.ts';
import type { Message } from '../../../src/iso8583/messages.types.ts';
import { retrievalReferenceOf, timesOf } from '../../../src/iso8583/times.ts';
import { Secret } from '../../../src/kit/secret.ts';

/** One message with what later ones need of it. */
export interface Sent {
  readonly message: Message;
  readonly stan: string;
  readonly sentAt: string;
  readonly attemptId: string;
  readonly amount: number;
  readonly retrievalReference: string;
}

let stans = 0;

/** Composes messages as the service does: each has a STAN and an attempt of its own. */
export function composed(
  kind: Composition['kind'],
  amount: number,
  others: Partial<Composition> & { readonly of?: Sent; readonly dialect?: Dialect } = {},
): Sent {
  const { of: original, dialect = ISO93, ...more } = others;
  const at = new Date();
  stans = (stans % 999_999) + 1;
  const stan = String(stans).padStart(6, '0');
  const times = timesOf(at, dialect.timeZone);
  const attemptId = kind === 'TakeBack' ? (original?.attemptId ?? '') : String(stans).padStart(32, '0');
  const retrievalReference = original?.retrievalReference ?? retrievalReferenceOf(at, stan);
  const isRequest = ['Authorize', 'Verify', 'Purchase', 'Credit'].includes(kind);
  const message = compose(dialect, {
    kind,
    ...more,
    fields: {
      ...times,
      stan,
      acquiringInstitution: '957800',
      forwardingInstitution: '957801',
      amount: digitsOf(amount),
      processingCode: '000000',
      pointOfService: '100050100110',
      merchantCategory: '5732',
      retrievalReference,
      terminalId: 'WEB00001',
      merchantId: '000012345678901',
      merchantPlace: 'Kontor Demo AS\\Storgata 1\\Oslo\\0155         NOR',
      currency: '578',
      actionCode: '000',
      ...(isRequest ? { cardNumber: new Secret('4925000000000004'), expiry: '3912' } : {}),
      ...(original === undefined
        ? {}
        : {
            original: originalField({
              type: original.message.type,
              stan: original.stan,
              sentAt: original.sentAt,
              acquiringInstitution: '957800',
            }),
            originalAmounts: originalAmounts(original.amount),
          }),
      ...more.fields,
    },
    tags: { initiator: 'CNN', partialApproval: '0', attemptId, captureSequence: '0100', ...more.tags },
  });
  return { message, stan, sentAt: times.sentAt, attemptId, amount, retrievalReference };
}
