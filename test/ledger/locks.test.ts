import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ACCOUNT_PAYMENTS } from '../../src/accounts/payment-shelves.ts';
import type { BatchObserver } from '../../src/db/batch/batch.types.ts';
import { connect } from '../../src/db/server/connection.ts';
import { SERVICE } from '../../src/kit/caller.ts';
import { uuidV7 } from '../../src/kit/ids.ts';
import { makeLedger } from '../../src/ledger/compose.ts';
import type { Ledger, PaymentId } from '../../src/ledger/ledger.types.ts';
import { ABORT, LEAVE } from '../../src/payments/command-kinds.ts';
import { WRITERS } from '../../src/wiring/writers.ts';
import { serviceWithoutJobs, type TestService } from '../support/service.ts';
import { cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { until } from '../support/until.ts';

let kontor: TestService;
beforeAll(async () => {
  kontor = await serviceWithoutJobs();
});
afterAll(() => kontor.stop());

let splits = 0;
beforeEach(() => {
  splits = 0;
});
const observer: BatchObserver = {
  committed: () => {},
  leftOut: () => {},
  split: () => splits++,
  unknown: () => {},
};

/** The ledger of an instance of its own. */
function instance(): Ledger {
  const { batch } = kontor.service.database;
  return makeLedger((program) => batch(program, { batchMax: 64, observer }), {
    ...ACCOUNT_PAYMENTS,
    writers: WRITERS,
    newId,
  });
}

const newId = () => uuidV7(Date.now());

async function payment(): Promise<PaymentId> {
  const path = await cardPaymentsShop(kontor).purchase(1500);
  return path.slice(path.lastIndexOf('/') + 1) as PaymentId;
}

const common = () => ({ payeeId: kontor.payeeId, commandId: newId(), actor: SERVICE });
const abort = (ledger: Ledger, paymentId: PaymentId) =>
  ledger.submit(ABORT, { ...common(), paymentId, reason: 'CancelledByShop', isExpiry: false });
const leave = (ledger: Ledger, paymentId: PaymentId) =>
  ledger.submit(LEAVE, { ...common(), paymentId, payeeReference: undefined, idempotencyKey: undefined });

/** Holds the lock of a payment until it is ended. */
async function hold(paymentId: PaymentId) {
  const holder = await connect(kontor.database.adminUrl);
  await holder.command('begin');
  await holder.command(`select from card_payment where payment_id = '${paymentId}' for update`);
  return holder;
}

test('two instances that change the same payments crosswise, by changes of different kinds, never wait for each other', async () => {
  const [a, b] = [await payment(), await payment()];
  const [one, other] = [instance(), instance()];
  const waiting = async (where: string) => {
    const [row] = await kontor.database.asAdmin(
      `select count(*)::integer as n from pg_stat_activity where datname = current_database() and ${where}`,
    );
    return Number(row?.['n']);
  };
  const [ofA, ofB] = await Promise.all([a, b].map((id) => hold(id)));
  let settled = 0;
  const changes = [abort(one, a), leave(one, b), abort(other, b), leave(other, a)].map((change) =>
    change.finally(() => settled++),
  );
  await until(async () => (await waiting("wait_event_type = 'Lock'")) >= 2);
  await ofA?.end();
  // Where a batch locked what its kinds name, kind by kind, each of the two had one of them now, and waited for the other's.
  await until(async () => settled >= 2 || (await waiting("wait_event = 'tuple'")) > 0);
  await ofB?.end();
  expect((await Promise.allSettled(changes)).map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'));
  expect(splits, 'no batch was broken').toBe(0);
});
