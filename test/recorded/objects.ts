import type { KeyRing } from '../../src/keys/keys.types.ts';
import { pageLink } from '../../src/payments/page/page-link.ts';
import type { TestService } from '../support/service.ts';

// What the parameters of paths stand for: every object that is in the kept rows. It is read before these are migrated, so
// it knows the tables of that version alone.

/** Values of a path's parameters. */
type Params = Readonly<Record<string, string>>;

/** The rows as they were kept, whose payee they are of, and its keys. */
export interface Source extends Pick<TestService, 'payeeId'> {
  readonly database: Pick<TestService['database'], 'asAdmin'>;
  readonly keyRing: KeyRing;
}

/** How a path begins, or a whole one, and what finds the values of its parameters; the first that fits counts. */
const FINDERS: readonly (readonly [path: RegExp, find: string | ((source: Source) => Promise<Params[]>)])[] = [
  [/^\/online\/.*\/tokens\/:tokenId$/, `select token as "tokenId" from payer_token`],
  [/^\/psp\/paymentorders\/recurrenceTokens/, typedToken('Recurrence')],
  [/^\/psp\/paymentorders\/unscheduledTokens/, typedToken('Unscheduled')],
  [/^\/psp\/paymentorders\/paymentTokens/, typedToken('Payment')],
  [/:payerReference/, `select payer_reference as "payerReference" from payer`],
  ...followUps('/psp/creditcard/payments/:paymentId', {
    from: `select payment_id as "paymentId", transaction_id as "transactionId" from card_transaction where type in`,
    transactions: ['Authorization', 'Verification', 'Capture', 'Cancellation', 'Reversal'],
    authorizations: ['Authorization'],
    verifications: ['Verification'],
    captures: ['Capture'],
    cancellations: ['Cancellation'],
    reversals: ['Reversal'],
  }),
  [/^\/psp\/creditcard\/payments\/:paymentId/, `select payment_id as "paymentId" from card_payment`],
  ...followUps('/psp/giftcard/payments/:paymentId', {
    from: `select payment_id as "paymentId", transaction_id as "transactionId" from payment_transaction
      join payment using (payee_id, payment_id) where order_id is not null and payment_transaction.operation in`,
    transactions: ['Capture', 'Cancel', 'Reversal'],
    captures: ['Capture'],
    cancellations: ['Cancel'],
    reversals: ['Reversal'],
  }),
  [
    /^\/psp\/giftcard\/payments\/:paymentId\/(transactions|authorizations)\/:transactionId$/,
    `select payment_id as "paymentId", payment_id as "transactionId" from payment where order_id is not null`,
  ],
  [
    /^\/psp\/giftcard\/payments\/:paymentId/,
    `select payment_id as "paymentId" from payment where order_id is not null`,
  ],
  ...followUps('/psp/paymentorders/:orderId', {
    from: `select order_id as "orderId", transaction_id as "transactionId" from order_transaction where type in`,
    captures: ['Capture'],
    cancellations: ['Cancellation'],
    reversals: ['Reversal'],
  }),
  [
    /^\/psp\/paymentorders\/:orderId\/financialtransactions\/:transactionId/,
    `select order_id as "orderId", transaction_id as "transactionId" from order_transaction`,
  ],
  [/:orderId/, `select order_id as "orderId" from payment_order`],
  [
    /^\/psp\/paymentsessions\/:session$/,
    async (source) => (await pagesOf(source)).map(({ secret = '' }) => ({ session: secret })),
  ],
  [/^\/pay\/:payeeId\/:secret/, pagesOf],
  [
    /\/payment\/:paymentId\/transactions\/:transactionId$/,
    `select account_id as "paymentAccountId", payment_id as "paymentId", transaction_id as "transactionId"
     from payment_transaction join payment using (payee_id, payment_id)`,
  ],
  [
    /\/payment\/:paymentId\/operations\/:operationId$/,
    `select account_id as "paymentAccountId", payment_id as "paymentId", transaction_id as "operationId"
     from payment_transaction join payment using (payee_id, payment_id)`,
  ],
  [
    /\/payment-account\/:paymentAccountId\/payment\/:paymentId$/,
    `select account_id as "paymentAccountId", payment_id as "paymentId" from payment`,
  ],
  [/:paymentAccountId/, `select account_id as "paymentAccountId" from gift_card`],
  [/:settlementId/, `select settlement_id as "settlementId" from settlement_day`],
  [/:disputeId/, `select dispute_id as "disputeId" from dispute`],
  [
    /:deliveryId/,
    `select case when callback_origin is null then webhook_id::text else 'callbacks' end as "webhookId",
      position as "deliveryId" from delivery join webhook using (payee_id, webhook_id)`,
  ],
  [/:webhookId/, `select webhook_id::text as "webhookId" from webhook where callback_origin is null`],
  [
    /\/payments\/:paymentId$/,
    `select payment_id as "paymentId" from payment union all select payment_id from card_payment`,
  ],
  [/\/gift-cards\/:accountId$/, `select account_id as "accountId" from gift_card`],
  [/\/ledger\/accounts\/:accountId/, `select account_id as "accountId" from account`],
  [/:movementId/, `select movement_id as "movementId" from movement`],
  [/:callId/, `select call_id as "callId" from api_call`],
  [/\/settlement-days\/:day\//, `select distinct day::text as day from settlement_day`],
];

function typedToken(type: string): string {
  return `select token from payer_token where token_type = '${type}'`;
}

/** Transactions of some types, by the last part but one of their addresses. */
function followUps(
  below: string,
  { from, ...types }: { readonly from: string } & Readonly<Record<string, string | readonly string[]>>,
): [RegExp, string][] {
  return Object.entries(types).map(([name, some]) => [
    new RegExp(`^${below}/${name}/:transactionId$`),
    `${from} (${[some].flat().map((type) => `'${type}'`)})`,
  ]);
}

async function pagesOf({ database, payeeId, keyRing }: Source): Promise<Params[]> {
  const rows = await database.asAdmin('select payment_id::text as id from card_payment order by 1');
  return rows.map(({ id }) => {
    const link = pageLink(keyRing, { payeeId, paymentId: id as never });
    return { payeeId, secret: link.slice(link.lastIndexOf('/') + 1) };
  });
}

/** Finds what the parameters of paths stand for, once for each statement. */
export function objectsIn(source: Source): (path: string) => Promise<readonly Params[]> {
  const known = new Map<string, Promise<readonly Params[]>>();
  const query = async (sql: string): Promise<readonly Params[]> => {
    const rows = await source.database.asAdmin(`select x.* from (${sql}) x order by x::text`);
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])));
  };
  return async (path) => {
    const found = FINDERS.find(([pattern]) => pattern.test(path))?.[1];
    const own = { payeeId: source.payeeId };
    if (found === undefined) {
      const unknown = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name).filter((name) => name !== 'payeeId');
      if (unknown.length > 0) throw new Error(`${path}: add to FINDERS what ${unknown} stands for`);
      return [own];
    }
    const key = String(found);
    const finding = known.get(key) ?? (typeof found === 'string' ? query(found) : found(source));
    known.set(key, finding);
    return (await finding).map((params) => ({ ...own, ...params }));
  };
}
