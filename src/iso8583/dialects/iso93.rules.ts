import type { Dialect, FieldForm, FieldName, MessageForm, MessageKind, TagName } from './dialect.types.ts';
import { ISO93_ACTION_CODES } from './iso93-codes.rules.ts';
import { standardFieldsBeside } from './standard-fields.rules.ts';

const fixed = (number: number, form: FieldForm['form'], length: number): FieldForm => ({ number, form, length });
const upTo = (number: number, form: FieldForm['form'], most: number): FieldForm => ({
  number,
  form,
  lengthDigits: most > 99 ? 3 : 2,
  most,
});

const FIELDS = {
  cardNumber: upTo(2, 'n', 19),
  processingCode: fixed(3, 'n', 6),
  amount: fixed(4, 'n', 12),
  transmittedAt: fixed(7, 'n', 10),
  stan: fixed(11, 'n', 6),
  sentAt: fixed(12, 'n', 12),
  expiry: fixed(14, 'n', 4),
  pointOfService: fixed(22, 'an', 12),
  functionCode: fixed(24, 'n', 3),
  reasonCode: fixed(25, 'n', 4),
  merchantCategory: fixed(26, 'n', 4),
  reconciliationDay: fixed(28, 'n', 6),
  reconciliationNumber: fixed(29, 'n', 3),
  originalAmounts: fixed(30, 'n', 24),
  acquirerReference: upTo(31, 'ans', 99),
  acquiringInstitution: upTo(32, 'n', 11),
  forwardingInstitution: upTo(33, 'n', 11),
  retrievalReference: fixed(37, 'anp', 12),
  approvalCode: fixed(38, 'anp', 6),
  actionCode: fixed(39, 'n', 3),
  terminalId: fixed(41, 'ans', 8),
  merchantId: fixed(42, 'ans', 15),
  merchantPlace: upTo(43, 'ans', 99),
  additionalText: upTo(44, 'ans', 99),
  privateData: upTo(48, 'ans', 999),
  currency: fixed(49, 'n', 3),
  reconciliationCurrency: fixed(50, 'n', 3),
  original: upTo(56, 'n', 35),
  refundsNumber: fixed(74, 'n', 10),
  refundReversalsNumber: fixed(75, 'n', 10),
  salesNumber: fixed(76, 'n', 10),
  saleReversalsNumber: fixed(77, 'n', 10),
  refundsAmount: fixed(86, 'n', 16),
  refundReversalsAmount: fixed(87, 'n', 16),
  salesAmount: fixed(88, 'n', 16),
  saleReversalsAmount: fixed(89, 'n', 16),
  netAmount: fixed(97, 'ans', 17),
} satisfies Dialect['fields'];

const NETWORK: readonly FieldName[] = ['transmittedAt', 'stan', 'sentAt', 'functionCode', 'forwardingInstitution'];
const ALWAYS: readonly FieldName[] = [...NETWORK, 'acquiringInstitution'];
/** Of everything that is about one payment. */
const PAYMENT: readonly FieldName[] = [
  ...ALWAYS,
  'processingCode',
  'amount',
  'retrievalReference',
  'terminalId',
  'merchantId',
  'privateData',
  'currency',
];
const REQUEST: readonly FieldName[] = [
  ...PAYMENT,
  'cardNumber',
  'expiry',
  'pointOfService',
  'merchantCategory',
  'merchantPlace',
];
/** The card is there where the acquirer wants it again. */
const FOLLOW_UP: readonly FieldName[] = [...PAYMENT, 'original', 'cardNumber', 'expiry'];
const ABOUT_SALE: readonly FieldName[] = [
  ...FOLLOW_UP,
  'pointOfService',
  'merchantCategory',
  'originalAmounts',
  'merchantPlace',
];

const REQUEST_TAGS: readonly TagName[] = [
  'eci',
  'authenticationValue',
  'dsTransactionId',
  'threeDSVersion',
  'transStatus',
  'initiator',
  'schemeTransactionId',
  'exemption',
  'billingAddress',
  'partialApproval',
  'attemptId',
  'payerAddress',
  'cvc',
];

const TOTALS: readonly FieldName[] = [
  'refundsNumber',
  'refundReversalsNumber',
  'salesNumber',
  'saleReversalsNumber',
  'refundsAmount',
  'refundReversalsAmount',
  'salesAmount',
  'saleReversalsAmount',
  'netAmount',
];

const SALE = '000000';
const REFUND = '200000';

const MESSAGES: Readonly<Record<MessageKind, MessageForm>> = {
  Authorize: {
    type: '1100',
    functionCode: '100',
    processingCode: SALE,
    fields: REQUEST,
    tags: REQUEST_TAGS,
  },
  Verify: { type: '1100', functionCode: '108', processingCode: '380000', fields: REQUEST, tags: REQUEST_TAGS },
  Purchase: { type: '1200', functionCode: '200', processingCode: SALE, fields: REQUEST, tags: REQUEST_TAGS },
  Credit: { type: '1200', functionCode: '200', processingCode: REFUND, fields: REQUEST, tags: REQUEST_TAGS },
  Reversal: {
    type: '1200',
    functionCode: '200',
    processingCode: REFUND,
    fields: ABOUT_SALE,
    tags: ['schemeTransactionId', 'attemptId'],
  },
  Capture: {
    type: '1220',
    functionCode: '201',
    otherFunctionCode: '202',
    processingCode: SALE,
    fields: [...ABOUT_SALE, 'approvalCode', 'actionCode'],
    tags: ['schemeTransactionId', 'attemptId', 'captureSequence'],
  },
  Cancel: {
    type: '1420',
    functionCode: '400',
    otherFunctionCode: '401',
    processingCode: SALE,
    reasonCode: '4000',
    fields: [...FOLLOW_UP, 'reasonCode', 'originalAmounts', 'approvalCode'],
    tags: ['attemptId'],
  },
  TakeBack: {
    type: '1420',
    functionCode: '400',
    reasonCodes: { Silence: '4021', Late: '4006', Unusable: '4020', Partial: '4007', Refused: '4000' },
    fields: [...PAYMENT, 'reasonCode', 'original'],
    tags: ['attemptId'],
  },
  Reconcile: {
    type: '1520',
    functionCode: '500',
    fields: [...ALWAYS, 'reconciliationDay', 'reconciliationNumber', 'merchantId', 'reconciliationCurrency', ...TOTALS],
    tags: [],
  },
  Network: { type: '1804', fields: [...NETWORK, 'reconciliationDay'], tags: [] },
};

/** ISO 8583:1993 in ASCII with binary bitmaps: the dialect that acquirers are spoken to in where nothing else is agreed. */
export const ISO93 = {
  name: 'iso93',
  characters: 'ascii',
  header: { lengthBytes: 2, countsItself: false, prefix: '', bitmap: 'binary' },
  fields: FIELDS,
  otherFields: standardFieldsBeside({ fields: FIELDS }),
  mustEcho: [],
  f48: {
    tagCharacters: 2,
    lengthDigits: 3,
    tags: {
      eci: { tag: '01', most: 2 },
      authenticationValue: { tag: '02', most: 28 },
      dsTransactionId: { tag: '03', most: 36 },
      threeDSVersion: { tag: '04', most: 8 },
      transStatus: { tag: '05', most: 1 },
      initiator: { tag: '06', most: 3 },
      schemeTransactionId: { tag: '07', most: 40 },
      exemption: { tag: '08', most: 2 },
      cvc: { tag: '09', most: 4 },
      cvcResult: { tag: '10', most: 1 },
      billingAddress: { tag: '11', most: 40 },
      addressResult: { tag: '12', most: 1 },
      partialApproval: { tag: '13', most: 1 },
      schemeCode: { tag: '15', most: 2 },
      adviceCode: { tag: '16', most: 2 },
      attemptId: { tag: '17', most: 32 },
      payerAddress: { tag: '18', most: 45 },
      captureSequence: { tag: '19', most: 4 },
      updateCode: { tag: '20', most: 1 },
      updatedNumber: { tag: '21', most: 19 },
      updatedExpiry: { tag: '22', most: 4 },
    },
  },
  messages: MESSAGES,
  actionCodes: ISO93_ACTION_CODES,
  cardUpdates: { replaced: ['R'], closed: ['C'] },
  networkManagement: {
    signOn: '801',
    signOff: '802',
    echo: '831',
    cutOver: '821',
    accepted: '800',
    refused: '902',
  },
  reconciliation: { inBalance: ['500'], different: ['501', '502', '504'] },
  repeatDigit: '1',
  timeZone: 'UTC',
} satisfies Dialect;
