import type { PayeeId } from '../../../src/kit/ids.ts';
import type { TestService } from '../service.ts';
import type { Sample } from './routes-samples.ts';

/** The id that stands for a name. */
function idOf(name: string): string {
  const hex = Buffer.from(name).toString('hex').slice(-12).padStart(12, '0');
  return `ffffffff-ffff-7fff-8fff-${hex}`;
}

/** A day that was closed, of an agreement by that name. */
async function makeSettlement({ database }: TestService, payeeId: PayeeId, name: string): Promise<void> {
  await database.asAdmin(`
    insert into settlement_day (payee_id, settlement_id, acquirer, agreement, merchant_id, currency, day, state, sales_number,
      sales_amount, sale_reversals_number, sale_reversals_amount, refunds_number, refunds_amount, refund_reversals_number,
      refund_reversals_amount, net, closed_at, updated_at, event_sequence)
    values ('${payeeId}', '${idOf(name)}', 'north', '${name}', '1', 'NOK', '2026-03-09', 'Closed', 0, 0, 0, 0, 0, 0, 0, 0, 0,
      '2026-03-09T22:15:00Z', '2026-03-09T22:15:00Z', 0)
    on conflict do nothing`);
}

async function makeDispute({ database }: TestService, payeeId: PayeeId, name: string): Promise<void> {
  await database.asAdmin(`
    insert into dispute (payee_id, dispute_id, acquirer, agreement, case_id, attempt_id, payment_id, stage, state, amount,
      currency, opened_at, updated_at, event_sequence)
    values ('${payeeId}', '${idOf(name)}', 'north', 'demo', '${name}', '${idOf(name)}', '${idOf(name)}', 'Retrieval',
      'Open', 0, 'NOK', kontor_now(), kontor_now(), 0)
    on conflict do nothing`);
}

const list = { params: () => ({}), make: async () => undefined, isMissedWhenUnknown: false } as const;

export const SETTLEMENT_SAMPLES: Readonly<Record<string, Sample>> = {
  listSettlements: { ...list, query: () => ({ day: '2026-03-09' }) },
  listPayouts: { ...list, query: () => ({ from: '2026-03-01', to: '2026-03-31' }) },
  getTrialBalance: { ...list, query: () => ({ from: '2026-03-01', to: '2026-03-31' }) },
  getSales: { ...list, query: () => ({ from: '2026-03-01', to: '2026-03-31' }) },
  listDisputes: list,
  getSettlement: {
    params: (name) => ({ settlementId: idOf(name) }),
    make: makeSettlement,
    isMissedWhenUnknown: true,
  },
  getDispute: { params: (name) => ({ disputeId: idOf(name) }), make: makeDispute, isMissedWhenUnknown: true },
};
