import { createHash } from 'node:crypto';
import type { Transact, Transaction } from '../../src/db/transaction.types.ts';
import { ISO93 } from '../../src/iso8583/dialects/iso93.rules.ts';
import type { Link } from '../../src/iso8583/link/link.types.ts';
import type { Acquirer, Agreement } from '../../src/issuers/acquirers/acquirers.types.ts';
import { SERVICE } from '../../src/kit/caller.ts';
import { type PayeeId, uuidV7 } from '../../src/kit/ids.ts';
import { instantOf } from '../../src/kit/instants.ts';
import type { Kontor } from '../../src/kontor.types.ts';
import { collect } from '../../src/settlements/days/close-day.ts';
import type { DaysAsked, OpenDay } from '../../src/settlements/days/days.types.ts';
import { selectOpenDays } from '../../src/settlements/days/marks.store.ts';
import type { ImportedFile } from '../../src/settlements/files/files.types.ts';
import { importFile } from '../../src/settlements/files/import-file.flow.ts';
import { selectNamed } from '../../src/settlements/files/rests-on-batch.store.ts';
import type { SettlementContext } from '../../src/settlements/settlements.types.ts';
import type { TestDatabase } from './database/database.ts';

export const MERCHANT_ID = '000012345678901';

/** The business day that sales are of where nothing else is said. It stays the same when a run goes past midnight. */
export const TODAY = instantOf(Date.now()).slice(0, 10);

/** An acquirer of no place: its days begin at midnight in UTC. */
export const NORTH: Acquirer = {
  id: 'north',
  name: 'North',
  dialect: 'iso93',
  host: '127.0.0.1',
  port: 1,
  connections: 1,
  otherSites: [],
  acquiringInstitution: '957800',
  forwardingInstitution: '957801',
  tls: 'none',
  sendMs: 1_000,
  answerMs: 2_000,
  echoSeconds: 30,
  forwardHours: 24,
  holdSeconds: 604_800,
  operations: [],
  captures: 'many',
  needCard: [],
  withoutSchemeReference: 'refuse',
  failoverCodes: [],
  withoutShift: 'decline',
  exemptions: [],
  exemptionLimits: {},
  cutOver: '00:00',
  timeZone: 'UTC',
  reconciliation: true,
  settlementFile: { format: 'standard' },
  testHost: true,
};

/** An agreement of a payee at that acquirer. */
export function agreementOf(payeeId: PayeeId, merchantId = MERCHANT_ID): Agreement {
  return {
    id: 'demo-nok',
    payeeId,
    acquirer: 'north',
    priority: 1,
    merchantId,
    terminalIds: ['WEB00001'],
    mcc: '5732',
    merchant: { name: 'Demo', street: 'Storgata 1', city: 'Oslo', postalCode: '0155', country: 'NOR' },
    currencies: ['NOK'],
    brands: ['Visa'],
    bins: [],
    closed: false,
    threeDS: {},
    allowNo3DSecure: false,
  };
}

/** What verbs of settlement are given, of these agreements. */
export function settling(agreements: readonly Agreement[], link?: Pick<Link, 'ask'>): SettlementContext {
  let stan = 0;
  return {
    // Its verbs take no more of what all slices share.
    ...({ newId: () => uuidV7(Date.now()) } as Kontor),
    hosts: {
      acquirers: [NORTH],
      agreement: (payeeId, id) => agreements.find((one) => one.payeeId === payeeId && one.id === id),
      withMerchantId: (_, merchantId) => agreements.filter((one) => one.merchantId === merchantId),
      acquirersOf: (payeeId) => (agreements.some((one) => one.payeeId === payeeId) ? [NORTH] : []),
      dialect: () => ISO93,
      link: () => link,
      newExchange: async ({ terminalIds }) => {
        stan += 1;
        return {
          acquirerId: 'north',
          terminalId: terminalIds[0] ?? '',
          stan: String(stan).padStart(6, '0'),
          sentAt: `${new Date().toISOString().slice(0, 19)}Z`,
          retrievalReference: '000000000000',
        };
      },
    },
  };
}

/** The days of an acquirer that have something and are open, with what was answered lately. */
export async function findOpenDays(
  transaction: Transaction,
  context: SettlementContext,
  acquirer: Acquirer,
  asked: DaysAsked,
): Promise<readonly OpenDay[]> {
  await collect(transaction, context, acquirer);
  return selectOpenDays(transaction, acquirer.id, asked);
}

/** A sale or refund that the acquirer has answered. */
export interface Charged {
  readonly attemptId: string;
  readonly paymentId: string;
  readonly retrievalReference: string;
  readonly acquirerReference: string;
  readonly amount: number;
  readonly type: 'Sale' | 'Refund';
}

/** How it was. */
export interface ChargeOptions {
  readonly amount: number;
  readonly type?: 'Sale' | 'Refund';
  readonly day?: string;
  readonly agreement?: string;
  /** Of an earlier sale: the same payment. */
  readonly of?: Charged;
  readonly isBooked?: boolean;
  /** A purchase from an account whose card is another issuer's, in place of a card payment. */
  readonly ofAccount?: true;
  readonly currency?: string;
  /** As the message to an acquirer had them. */
  readonly names?: { readonly attemptId: string; readonly retrievalReference: string };
  /** Where, and by which number of the payee's; the first acquirer's where it is not said. */
  readonly acquirer?: string;
  readonly merchantId?: string;
  /** When it was answered and booked; ISO 8601. Now, where it is not said. */
  readonly at?: string;
  /** The acquirer has not answered, and has taken it back. */
  readonly takenBack?: 'Known' | 'Unknown';
}

let stans = 0;

/** Stores a sale or refund as the service would have: payment, transaction, attempt, exchange and movement. */
export async function charge(
  database: TestDatabase,
  payeeId: PayeeId,
  {
    amount,
    type = 'Sale',
    day = TODAY,
    agreement = 'demo-nok',
    of,
    isBooked = true,
    currency = 'NOK',
    takenBack,
    names,
    ofAccount,
    at,
    acquirer = 'north',
    merchantId = MERCHANT_ID,
  }: ChargeOptions,
): Promise<Charged> {
  stans += 1;
  const paymentId = of?.paymentId ?? uuidV7(Date.now());
  // Lists of movements are walked by ids, which begin with the time.
  const [transactionId, movementId] = [uuidV7(Date.now()), uuidV7(at === undefined ? Date.now() : Date.parse(at))];
  const attemptId = names?.attemptId ?? uuidV7(Date.now());
  const retrievalReference = names?.retrievalReference ?? of?.retrievalReference ?? String(600_000_000_000 + stans);
  const acquirerReference = `7495780606${String(stans).padStart(13, '0')}`;
  const isSale = type === 'Sale';
  const when = at === undefined ? 'kontor_now()' : `'${at}'`;
  const sign = isSale ? 1 : -1;
  const exchange = (kind: string, operation: string, code: string) => `
    insert into acquirer_exchange (payee_id, attempt_id, kind, acquirer, agreement, merchant_id, terminal_id, operation,
      stan, sent_at, retrieval_reference, amount, currency, state, action_code, acquirer_reference, business_day, answered_at)
    values ('${payeeId}', '${attemptId}', '${kind}', '${acquirer}', '${agreement}', '${merchantId}', 'WEB00001', '${operation}',
      lpad('${stans + (kind === 'Ask' ? 0 : 500_000)}', 6, '0'), kontor_now(), '${retrievalReference}', ${amount}, '${currency}',
      '${kind === 'Ask' && takenBack ? 'Silent' : 'Answered'}', '${code}', ${kind === 'Ask' && !takenBack ? `'${acquirerReference}'` : 'null'},
      ${kind === 'Ask' && takenBack ? 'null' : `'${day}'`},
      ${kind === 'Ask' && takenBack ? 'null' : when});`;
  const payment = ofAccount
    ? accountPayment({ payeeId, paymentId, amount, currency })
    : `
    insert into card_payment (payee_id, payment_id, number, operation, intent, state, currency, amount, captured, paid_by,
      terms, expires_at, created_at, updated_at, event_sequence)
    values ('${payeeId}', '${paymentId}', ${stans}, 'Purchase', 'Authorization', 'Ready', '${currency}', ${amount},
      ${amount}, '${transactionId}', '{}', kontor_now(), kontor_now(), kontor_now(), 0)
    on conflict do nothing;
    insert into card_transaction (payee_id, transaction_id, payment_id, number, type, state, amount, vat_amount, attempt_id,
      issuer, problem, created_at, updated_at)
    values ('${payeeId}', '${transactionId}', '${paymentId}', ${stans}, '${isSale ? 'Capture' : 'Reversal'}',
      '${takenBack ? 'Failed' : 'Completed'}', ${amount}, 0, '${attemptId}', '${acquirer}',
      ${takenBack ? "'acquirergatewaytimeout'" : 'null'}, kontor_now(), kontor_now());`;
  await database.asAdmin(`
    ${payment}
    insert into issuer_attempt (payee_id, attempt_id, payment_id, transaction_id, account_id, issuer, state, subject, created_at)
    values ('${payeeId}', '${attemptId}', '${paymentId}', ${ofAccount ? `null, '${paymentId}'` : `'${transactionId}', null`}, '${acquirer}',
      '${takenBack ? 'REVERSED' : 'SETTLED'}', '${ofAccount ? 'AccountPayment' : 'CardPayment'}', kontor_now());
    ${exchange('Ask', ofAccount ? 'Purchase' : isSale ? 'Capture' : 'Reversal', takenBack ? '' : '000')}
    ${takenBack ? exchange('TakeBack', isSale ? 'Capture' : 'Reversal', takenBack === 'Known' ? '400' : '914') : ''}
    ${
      isBooked && !takenBack
        ? `insert into movement (payee_id, movement_id, kind, currency, payment_id, transaction_id, happened_at)
           values ('${payeeId}', '${movementId}', '${ofAccount ? 'Purchase' : isSale ? 'Capture' : 'Reversal'}', '${currency}',
             '${paymentId}', ${ofAccount ? 'null' : `'${transactionId}'`}, ${when});
           insert into entry (payee_id, movement_id, line, side, currency, amount)
           values ('${payeeId}', '${movementId}', 1, 'Issuer', '${currency}', ${-sign * amount}),
             ('${payeeId}', '${movementId}', 2, 'Clearing', '${currency}', ${sign * amount});`
        : ''
    }`);
  return { attemptId, paymentId, retrievalReference, acquirerReference, amount: sign * amount, type };
}

interface AccountPayment {
  readonly payeeId: PayeeId;
  readonly paymentId: string;
  readonly amount: number;
  readonly currency: string;
}

/** A purchase with a card of another issuer, whose account bears the payment's id. */
function accountPayment({ payeeId, paymentId, amount, currency }: AccountPayment): string {
  return `
    insert into account (payee_id, account_id, kind, instrument, issuer, number_digest, number_key_id, number_masked)
    values ('${payeeId}', '${paymentId}', 'External', 'creditcard', 'north', sha256('${paymentId}'), 'fingerprint-1', '4925');
    insert into payment (payee_id, payment_id, account_id, operation, state, amount, currency, captured, cancelled, reversed,
      payment_order_ref, payment_transaction_ref, echo, created_at, updated_at, event_sequence)
    values ('${payeeId}', '${paymentId}', '${paymentId}', 'Purchase', 'OK', ${amount}, '${currency}', ${amount}, 0, 0, 'order',
      'payment-${paymentId}', '{}', kontor_now(), kontor_now(), 1);`;
}

/** A line of a file; what is not said is empty. */
export type Cells = Readonly<Record<string, string | number>>;

/** The line of a sale or refund as the acquirer should write it. */
export function lineFor(charged: Charged, more: Cells = {}): Cells {
  const { type, attemptId, amount, retrievalReference, acquirerReference } = charged;
  return {
    type,
    attemptReference: attemptId.replaceAll('-', ''),
    acquirerReference,
    retrievalReference,
    grossAmount: amount,
    ...more,
  };
}

const HEADER = [
  'batchId',
  'lineId',
  'type',
  'merchantId',
  'acquirerReference',
  'retrievalReference',
  'attemptReference',
  'transactionDate',
  'valueDate',
  'cardLast4',
  'brand',
  'currency',
  'transactionCurrency',
  'transactionAmount',
  'exchangeRate',
  'grossAmount',
  'feeAmount',
  'netAmount',
  'reasonCode',
  'caseId',
  'respondBy',
];

/** A file with one batch, and its payout. */
export function fileOf(batchId: string, lines: readonly Cells[], payout: Cells = {}): string {
  const full = lines.map((line) => {
    const { grossAmount = 0, feeAmount = 0 } = line;
    return { feeAmount, netAmount: Number(grossAmount) + Number(feeAmount), ...line, grossAmount };
  });
  const net = full.reduce((sum, { netAmount }) => sum + Number(netAmount), 0);
  const rows: readonly Cells[] = [
    ...full,
    { type: 'Payout', grossAmount: 0, feeAmount: 0, netAmount: net, valueDate: '2026-03-11', ...payout },
  ];
  const common = { batchId, merchantId: MERCHANT_ID, currency: 'NOK', transactionDate: '2026-03-09' };
  const texts = rows.map((row, index) =>
    HEADER.map((column) => ({ ...common, lineId: index + 1, ...row })[column] ?? '').join(','),
  );
  return `${[HEADER.join(','), ...texts].join('\r\n')}\r\n`;
}

/** The number of a batch by its name, which one merchant number has; 0 where there is none. */
export async function numberOf({ read }: Pick<TestDatabase, 'read'>, payeeId: PayeeId, name: string): Promise<number> {
  return (await selectNamed(read, { payeeId, name }))[0]?.number ?? 0;
}

/** Imports a text as a settlement file. */
export function importText(
  transact: Transact,
  context: SettlementContext,
  text: string,
  { takesWithdrawn, now, ...acquirer }: Acquirer & { readonly takesWithdrawn?: true; readonly now?: Date } = NORTH,
): Promise<ImportedFile> {
  const chunks = async function* () {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
  };
  return importFile(transact, context, {
    acquirer,
    file: { name: 'file.csv', chunks, newDigest: () => createHash('sha256') },
    actor: SERVICE,
    now: now ?? new Date(),
    takesWithdrawn,
  });
}
