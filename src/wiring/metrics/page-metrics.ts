import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import type { CardTestingListener } from '../../payments/card-testing.types.ts';
import type { PolicyReportListener } from '../../payments/page-integrity/policy-reports.http.ts';

/** Counts how often a stranger began to try stolen cards on pages of a payee. */
export function cardTestingMetrics(registry: Registry): CardTestingListener {
  const begun = new Counter({
    name: 'kontor_card_testing_total',
    help: 'Times that many different cards began to be declined on the pages of a payee.',
    registers: [registry],
  });
  return { testing: () => begun.inc() };
}

/** Tells the metrics and the log. */
export function cardTestingEvents(log: Pick<Logger, 'warn'>, metrics: CardTestingListener): CardTestingListener {
  return {
    testing(payeeId) {
      metrics.testing(payeeId);
      log.warn(
        { payeeId },
        'Stolen cards seem to be tried on the pages of a payee: its payers must authenticate for a while.',
      );
    },
  };
}

/** Counts what browsers refused on payment pages. */
export function policyReportMetrics(registry: Registry): PolicyReportListener {
  const refused = new Counter({
    name: 'kontor_page_policy_reports_total',
    help: 'What browsers report to have refused on payment pages, by directive of the Content-Security-Policy.',
    labelNames: ['directive'],
    registers: [registry],
  });
  return { refused: (directive) => refused.inc({ directive }) };
}
