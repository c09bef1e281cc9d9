import { command } from '../../kit/command.ts';
import { BATCH, PAYEE, REASON, told, whichBatch } from '../asked.cli.ts';
import { describeWaiting } from '../describe-settlements.ts';
import type { SettlementRuntime } from '../settlements.types.ts';
import { selectNamed } from './rests-on-batch.store.ts';

/** `settlements withdraw`. */
export const withdraw = command({
  name: 'withdraw',
  about: 'take back all that a batch of a wrong file has done; the right file may then have its name',
  args: ['batch'],
  takes: {
    batch: BATCH.batch,
    reason: REASON,
    acquirer: BATCH.acquirer,
    merchant: BATCH.merchant,
    payee: PAYEE,
  },
  json: 'print {"batchId", "acquirer", "merchantId", "isNew"}, and "waitsFor" where another person must agree',
  run: ({ withService }: SettlementRuntime, { batch: name, reason, payee, ...asked }) =>
    withService(async ({ read, act, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      const { acquirer, merchantId, number, stands } = whichBatch(await selectNamed(read, { payeeId, name }), asked);
      if (!stands) return { acquirer, merchantId, isNew: false, waiting: undefined };
      const body = { acquirer, batch: name, number, reason };
      return { acquirer, merchantId, isNew: true, waiting: await act('withdraw', { payeeId, params: {}, body }) };
    }),
  asJson: ({ waiting, ...done }, { batch: batchId }) => ({ batchId, ...done, ...told(waiting) }),
  show: ({ waiting, isNew }) => {
    if (waiting !== undefined) return describeWaiting(waiting);
    return isNew
      ? 'It is withdrawn. Its sales and refunds wait for their lines again: import the right file.'
      : 'It was withdrawn before. Nothing has changed.';
  },
});
