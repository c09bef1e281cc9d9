import { command } from '../../kit/command.ts';
import { CSV, NEEDED_PERIOD, PAYEE, refuseNoPeriod } from '../asked.cli.ts';
import type { SettlementRuntime } from '../settlements.types.ts';
import { askBusinessDays } from './ask-business-days.ts';
import { businessDaysCsv, describeBusinessDays } from './describe-business-days.ts';

/** `settlements business-days`. */
export const businessDays = command({
  name: 'business-days',
  about: 'show what is of a period by business days of acquirers, and what by the days of the payee',
  takes: { ...NEEDED_PERIOD, format: CSV, payee: PAYEE },
  json: 'print an object; amounts are in minor units',
  run: ({ withService }: SettlementRuntime, { from, to, payee }) => {
    refuseNoPeriod({ from, to });
    return withService(async ({ report, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      return report(({ run }) => askBusinessDays(run, { payeeId, from, to }));
    });
  },
  show: (days, { format }) => (format === 'csv' ? businessDaysCsv(days).trimEnd() : describeBusinessDays(days)),
});
