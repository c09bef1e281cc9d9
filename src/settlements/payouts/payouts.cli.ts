import { COMMAND_LINE } from '../../kit/caller.ts';
import { command, flag } from '../../kit/command.ts';
import { BATCH, CSV, LISTED, NEEDED_PERIOD, PAYEE, refuseNoPeriod, whichBatch } from '../asked.cli.ts';
import { selectNamed } from '../files/rests-on-batch.store.ts';
import type { SettlementRuntime } from '../settlements.types.ts';
import { describePayouts, exportPayouts } from './describe-payouts.ts';
import { markSeen } from './mark-seen.ts';
import { selectListedPayouts, selectPaidDays, selectReserves } from './payouts.store.ts';

/** `settlements payouts`. */
export const payouts = command({
  name: 'payouts',
  about: 'show what acquirers pay by the day on which they pay it, to compare with the bank’s statement',
  takes: { ...NEEDED_PERIOD, format: CSV, payee: PAYEE },
  json: 'print {"payouts", "days", "reserves"}; amounts are in minor units',
  run: ({ withService, print }: SettlementRuntime, { from, to, format, payee, json }) => {
    refuseNoPeriod({ from, to });
    return withService(async ({ read, whichPayee }) => {
      const asked = { payeeId: await whichPayee(payee), from, to };
      if (format === 'csv') {
        for await (const text of exportPayouts(read, asked)) print(text.trimEnd());
        return;
      }
      const payouts = await selectListedPayouts(read, asked, { after: undefined, limit: LISTED });
      const days = await selectPaidDays(read, asked, LISTED);
      const reserves = await selectReserves(read, asked);
      if (json) return print(JSON.stringify({ payouts, days, reserves }));
      for (const text of describePayouts(payouts, days, reserves)) print(text);
      if (payouts.length === LISTED) print(`These are the latest ${LISTED}. --format csv has all.`);
    });
  },
});

/** `settlements seen`. */
export const seen = command({
  name: 'seen',
  about: 'note that a payout stands on the bank’s statement',
  args: ['batch'],
  takes: {
    batch: BATCH.batch,
    not: flag('take that back'),
    acquirer: BATCH.acquirer,
    merchant: BATCH.merchant,
    payee: PAYEE,
  },
  json: 'print {"batchId", "acquirer", "merchantId", "isSeen"}',
  run: ({ withService }: SettlementRuntime, { batch: name, not, payee, ...asked }) =>
    withService(async ({ read, transact, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      const found = whichBatch(await selectNamed(read, { payeeId, name }), asked);
      await transact((transaction) => markSeen(transaction, { ...found, isSeen: !not, actor: COMMAND_LINE }));
      return { batchId: name, acquirer: found.acquirer, merchantId: found.merchantId, isSeen: !not };
    }),
  show: ({ isSeen }) => (isSeen ? 'It is noted as seen on the statement.' : 'It is no longer noted as seen.'),
});
