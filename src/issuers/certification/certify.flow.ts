import { assert } from '../../kit/assert.ts';
import { Misuse } from '../../kit/work/trouble.ts';
import type { Acquirer, AcquirersSetup, Agreement } from '../acquirers/acquirers.types.ts';
import type { LinesParts } from '../acquirers/reach-acquirer.ts';
import type { Asker } from '../issuers.types.ts';
import { openBench } from './bench.flow.ts';
import type { CaseReport, Totals } from './certification.types.ts';
import type { CertificationPlan, PlanStep } from './plan.types.ts';
import { runCase } from './run-case.flow.ts';

/** What a certification needs. */
export interface CertifyService extends Pick<Asker, 'newExchange' | 'withDeadline'> {
  readonly setup: AcquirersSetup;
  readonly parts: LinesParts;
  /** Whether an acquirer was asked for payments. */
  readonly hasPayments: (acquirerId: string) => Promise<boolean>;
  readonly newId: () => string;
}

/** What a certification is told. */
export interface Certification {
  readonly plan: CertificationPlan;
  /** Whether it may be at an acquirer that has taken payments. */
  readonly isDespitePayments: boolean;
  /** Hears of each case as it ends. */
  readonly ended: (report: CaseReport) => void;
}

/**
 * Carries a plan out at its acquirer, case by case, on one line. Nothing of it is in our books.
 *
 * @throws Misuse where the plan does not fit the acquirers, or the acquirer has taken payments; nothing was sent then
 * @throws Trouble where there is no line
 */
export async function certify(
  service: CertifyService,
  { plan, isDespitePayments, ended }: Certification,
): Promise<void> {
  const { setup, parts, hasPayments, newId, newExchange, withDeadline } = service;
  const { agreement, acquirer } = placeOfPlan(setup, plan);
  refuseUnspoken(plan, acquirer);
  if (!acquirer.testHost && !isDespitePayments && (await hasPayments(acquirer.id))) {
    throw new Misuse(
      `Payments have been made at the acquirer ${acquirer.id}: is this its test host? If it is, say so with --despite-payments.`,
    );
  }
  const bench = openBench(setup, acquirer, parts);
  try {
    await bench.signOn();
    const dialect = setup.dialects.get(acquirer.id);
    assert(dialect !== undefined, 'an acquirer has its dialect');
    const { currency } = plan;
    const totals = new Map<string, Totals>();
    const context = { bench, acquirer, dialect, agreement, newId, newExchange, withDeadline, currency, totals };
    for (const one of plan.cases) ended(await runCase(context, one));
  } finally {
    await bench.close();
  }
}

/** The agreement of a plan with the plan's terminal, and the acquirer that it is with. */
function placeOfPlan({ acquirers, agreements }: AcquirersSetup, { agreement: id, terminalId }: CertificationPlan) {
  const agreement = agreements.find((one) => one.id === id);
  const acquirer = acquirers.find((one) => one.id === agreement?.acquirer);
  if (agreement === undefined || acquirer === undefined) {
    throw misfit('agreement', 'is none of the file of acquirers');
  }
  if (agreements.some(({ terminalIds }) => terminalIds.includes(terminalId))) {
    const why =
      'is a terminal of an agreement, so its numbers may be those of payments: ask the acquirer for another one';
    throw misfit('terminalId', why);
  }
  // Every channel's.
  const { terminalChannels: _, ...rest } = agreement;
  const own: Agreement = { ...rest, terminalIds: [terminalId] };
  return { agreement: own, acquirer };
}

/** What the service would not ask this acquirer for either. */
function refuseUnspoken({ cases }: CertificationPlan, acquirer: Acquirer): void {
  for (const [index, { steps }] of cases.entries()) {
    for (const [at, step] of steps.entries()) {
      const path = `cases[${index}].steps[${at}]`;
      if (!isSpoken(acquirer, step.does)) {
        throw misfit(`${path}.does`, 'is not among the operations of the acquirer');
      }
      if ('exemption' in step && step.exemption !== undefined && !acquirer.exemptions.includes(step.exemption)) {
        throw misfit(`${path}.exemption`, 'is not among the exemptions of the acquirer');
      }
    }
  }
}

/** What an acquirer has among its operations its dialect has a message for; take-backs and the line's own it has always. */
function isSpoken({ operations, reconciliation }: Acquirer, does: PlanStep['does']): boolean {
  if (does === 'Reconcile') return reconciliation;
  if (does === 'TakeBack' || does === 'SignOn' || does === 'Echo' || does === 'CutOver') return true;
  return operations.includes(does === 'Renew' ? 'Authorize' : does);
}

function misfit(path: string, complaint: string): Misuse {
  return new Misuse(`The plan: ${path} ${complaint}.`);
}
