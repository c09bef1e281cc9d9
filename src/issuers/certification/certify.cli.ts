import { type Command, CommanderError } from 'commander';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { BadJson } from '../../kit/read-json.ts';
import { Misuse, Trouble } from '../../kit/work/trouble.ts';
import { caseText } from './certification.rules.ts';
import type { CaseReport } from './certification.types.ts';
import { type CertifyService, certify } from './certify.flow.ts';
import { readPlan } from './plan.rules.ts';
import type { CertificationPlan } from './plan.types.ts';

interface Options {
  readonly plan: string;
  readonly despitePayments?: true;
  readonly json?: true;
}

/** Reads files of the operator's. */
interface Files {
  /** @throws Misuse where it is no JSON */
  openPlan(path: string): unknown;
}

const DESTROY = 'The plan holds card numbers: destroy the file once the acquirer is done with it.';

/** Adds `certify` to the commands about acquirers. It ends with 1 where a case differs, and with 2 where nothing was sent. */
export function certifyCommand(acquirers: Command, runtime: CommandRuntime<CertifyService> & Files): void {
  acquirers
    .command('certify')
    .description("run an acquirer's test cases at its test host, and write the masked log that its analyst asks for")
    .requiredOption('--plan <file>', 'the cases, as JSON')
    .option('--despite-payments', 'also where payments have been made at the acquirer')
    .option('--json', 'print {"plan", "agreement", "terminalId", "cases"}')
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : new CommanderError(2, error.code, error.message);
    })
    .action(async ({ plan: file, despitePayments, json }: Options) => {
      const plan = planIn(runtime.openPlan(file), file);
      const { name, agreement, terminalId } = plan;
      const reports: CaseReport[] = [];
      const ended = (report: CaseReport) => {
        reports.push(report);
        if (!json) runtime.print(`${caseText(report, reports.length)}\n`);
      };
      if (!json) runtime.print(`${name}: agreement ${agreement}, terminal ${terminalId}. ${DESTROY}\n`);
      const certification = { plan, isDespitePayments: despitePayments === true, ended };
      await runtime.withService((service) => certify(service, certification));
      if (json) runtime.print(JSON.stringify({ plan: name, agreement, terminalId, cases: reports }));
      const differing = reports.filter(({ isAsExpected }) => !isAsExpected).map((one) => one.name);
      if (differing.length > 0) {
        throw new Trouble(`${differing.length} of ${reports.length} cases differ: ${differing.join(', ')}.`);
      }
      if (!json) runtime.print(`All ${reports.length} cases are as expected.`);
    });
}

/** @throws Misuse that names the file and the place in it */
function planIn(document: unknown, file: string): CertificationPlan {
  try {
    return readPlan(document);
  } catch (error) {
    if (error instanceof BadJson) throw new Misuse(`${file}: ${error.message}.`);
    throw error;
  }
}
