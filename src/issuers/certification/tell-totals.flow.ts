import { actionCodeOf } from '../../iso8583/answers.rules.ts';
import { compose } from '../../iso8583/compose.rules.ts';
import { currencyNumber } from '../../iso8583/currency.rules.ts';
import type { Dialect } from '../../iso8583/dialects/dialect.types.ts';
import { timesOf } from '../../iso8583/times.ts';
import type { Currency } from '../../kit/money.ts';
import type { Acquirer, Agreement } from '../acquirers/acquirers.types.ts';
import type { Asker } from '../issuers.types.ts';
import type { Bench } from './bench.flow.ts';
import type { StepOutcome, Totals } from './certification.types.ts';
import { totalsFields } from './tally.rules.ts';

/** What a day's totals are told with. */
export interface TellingContext extends Pick<Asker, 'newExchange'> {
  readonly bench: Bench;
  readonly acquirer: Acquirer;
  readonly dialect: Dialect;
  readonly agreement: Agreement;
}

/** Tells the acquirer the totals of a day, as the service does once it has closed it. */
export async function tellTotals(
  { bench, acquirer, dialect, agreement, newExchange }: TellingContext,
  { day, currency, totals }: { readonly day: string; readonly currency: Currency; readonly totals: Totals },
): Promise<StepOutcome> {
  const { stan, sentAt } = await newExchange(agreement, { channel: 'ECommerce' });
  const message = compose(dialect, {
    kind: 'Reconcile',
    fields: {
      ...timesOf(new Date(sentAt), dialect.timeZone),
      stan,
      acquiringInstitution: acquirer.acquiringInstitution,
      forwardingInstitution: acquirer.forwardingInstitution,
      merchantId: agreement.merchantId,
      reconciliationDay: day.slice(2).replaceAll('-', ''),
      reconciliationNumber: '001',
      reconciliationCurrency: currencyNumber(currency),
      ...totalsFields(totals),
    },
  });
  const answer = await bench.tell(message);
  return answer === undefined ? { outcome: 'Silence' } : { outcome: 'Answered', actionCode: actionCodeOf(answer) };
}
