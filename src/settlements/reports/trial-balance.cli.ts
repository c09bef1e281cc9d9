import { command } from '../../kit/command.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { CSV, NEEDED_PERIOD, PAYEE, refuseNoPeriod } from '../asked.cli.ts';
import type { SettlementRuntime } from '../settlements.types.ts';
import { askTrialBalance } from './ask-trial-balance.ts';
import { describeTrialBalance, trialBalanceCsv } from './describe-trial-balance.ts';

/** `ledger trial-balance`. */
export const trialBalance = command({
  name: 'trial-balance',
  about: 'show what each side of the ledger stood at before and after some days, what moved, and whether it ties out',
  takes: { ...NEEDED_PERIOD, format: CSV, payee: PAYEE },
  json: 'print an object; amounts are in minor units',
  run: ({ withService }: SettlementRuntime, { from, to, payee }) => {
    refuseNoPeriod({ from, to });
    return withService(async ({ report, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      return report(({ run }) => askTrialBalance(run, { payeeId, from, to }));
    });
  },
  show: (balance, { format }) =>
    format === 'csv' ? trialBalanceCsv(balance).trimEnd() : describeTrialBalance(balance),
  judge: ({ ties }) => {
    if (ties.some(({ difference }) => difference !== 0)) {
      throw new Trouble('The ledger does not tie out. Run: kontor ledger verify');
    }
  },
});
