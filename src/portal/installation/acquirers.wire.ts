import { Type } from 'typebox';
import { Instant } from '../../kit/portal.wire.ts';
import type { Shown } from '../../kit/schemas.wire.ts';
import { InstantOrNull, Minor, next, paging, Text, TextOrNull, Whole } from '../portal.wire.ts';

const Texts = Type.Array(Text);
const Operation = Type.Enum(['Authorize', 'Purchase', 'Verify', 'Credit', 'Capture', 'Cancel', 'Reversal']);

const Reason = Type.Enum(
  [
    'NothingListens',
    'NameUnknown',
    'NoWay',
    'NotOpened',
    'CertificateExpired',
    'CertificateNotYetValid',
    'CertificateName',
    'CertificateAuthority',
    'NoTls',
    'OursRefused',
    'SignOnRefused',
    'OtherHost',
    'NotReadable',
    'NoEcho',
    'SignedOff',
    'Ended',
    'Unknown',
  ],
  { description: 'Why it is not signed on' },
);

export const ListedLine = Type.Object(
  {
    site: Type.String({ description: 'Where it goes, as in h2h.example.com:9100' }),
    state: Type.Enum(['Down', 'Connecting', 'SigningOn', 'Ready', 'Draining']),
    since: Type.String({
      format: 'date-time',
      description: 'Since when it has been signed on; where it is not, since when it has not been',
    }),
    echoedAt: InstantOrNull,
    reason: Type.Union([Reason, Type.Null()]),
    detail: Type.String({ description: 'The word of the socket, or what the host said; mostly empty' }),
  },
  { $id: 'AcquirerLine' },
);
export type ListedLine = Shown<typeof ListedLine>;

export const Instance = Type.Object(
  { host: Text, processId: Whole, startedAt: Instant },
  { description: 'Who answers: its lines are shown, and each instance has lines of its own' },
);
export type Instance = Shown<typeof Instance>;

export const ListedAcquirer = Type.Object(
  {
    acquirerId: Text,
    acquirerName: Text,
    address: TextOrNull,
    isEncrypted: Type.Boolean(),
    isTestHost: Type.Boolean({ description: 'It charges no cards' }),
    echoSeconds: Type.Integer({ description: 'Seconds without a byte before an echo is asked for' }),
    operations: Type.Array(Operation),
    lines: Type.Array(ListedLine),
  },
  { $id: 'ListedAcquirer' },
);
export type ListedAcquirer = Shown<typeof ListedAcquirer>;

export const AcquirersAnswer = Type.Object({
  instance: Instance,
  acquirers: Type.Array(ListedAcquirer),
  isEveryPayeeAgreed: Type.Boolean({ description: 'In the sandbox: every payee has an agreement with its acquirer' }),
});

export const AgreementsQuery = Type.Object({
  payeeId: Type.Optional(Type.String({ maxLength: 36, description: 'agreements of this payee' })),
  ...paging,
});

export const ListedAgreement = Type.Object(
  {
    agreementId: Text,
    payeeId: Text,
    payeeName: TextOrNull,
    acquirerId: Text,
    merchantId: Type.String({ description: "The payee's number at the acquirer" }),
    terminalIds: Texts,
    currencies: Texts,
    brands: Texts,
    bins: Type.Array(Text, { description: 'First digits of numbers; none: of every number' }),
    priority: Whole,
    state: Type.Enum(['Open', 'Closed']),
  },
  { $id: 'ListedAgreement' },
);
export type ListedAgreement = Shown<typeof ListedAgreement>;
export const AgreementsAnswer = Type.Object({ agreements: Type.Array(ListedAgreement), next });

export const ListedExchange = Type.Object(
  {
    payeeId: Text,
    payeeName: Text,
    paymentId: Text,
    attemptId: Text,
    acquirerId: Text,
    agreementId: Text,
    operation: Operation,
    amount: Minor,
    currency: Text,
    state: Type.Enum(['REVERSING', 'FORWARDING']),
    tries: Whole,
    createdAt: Instant,
    dueAt: Type.String({ format: 'date-time', description: 'When it is told again' }),
    merchantId: Text,
    terminalId: Text,
    stan: Text,
    sentAt: Instant,
    retrievalReference: Text,
    advice: Type.Enum(['Wait', 'MendLine', 'AskAcquirer']),
  },
  { $id: 'ListedExchange' },
);
export type ListedExchange = Shown<typeof ListedExchange>;
export const ExchangesAnswer = Type.Object({
  exchanges: Type.Array(ListedExchange),
  hasMore: Type.Boolean({ description: 'There are younger ones, which are not shown' }),
});
