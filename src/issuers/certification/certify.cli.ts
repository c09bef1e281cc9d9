import { type CommandRuntime, command, flag, needed } from '../../kit/command.ts';
import { BadJson } from '../../kit/read-json.ts';
import { Misuse, Trouble } from '../../kit/work/trouble.ts';
import { caseText } from './certification.rules.ts';
import type { CaseReport } from './certification.types.ts';
import { type CertifyService, certify } from './certify.flow.ts';
import { readPlan } from './plan.rules.ts';
import type { CertificationPlan } from './plan.types.ts';

/** Reads files of the operator's. */
interface Files {
  /** @throws Misuse where it is no JSON */
  openPlan(path: string): unknown;
}

const DESTROY = 'The plan holds card numbers: destroy the file once the acquirer is done with it.';

/** `acquirers certify`. It ends with 1 where a case differs, and with 2 where nothing was sent. */
export const certification = command({
  name: 'certify',
  about: "run an acquirer's test cases at its test host, and write the masked log that its analyst asks for",
  takes: {
    plan: needed('<file>', 'the cases, as JSON'),
    despitePayments: flag('also where payments have been made at the acquirer'),
  },
  json: 'print {"plan", "agreement", "terminalId", "cases"}',
  misuse: 2,
  run: async ({ withService, openPlan, print }: CommandRuntime<CertifyService> & Files, given) => {
    const { plan: file, despitePayments: isDespitePayments, json } = given;
    const plan = planIn(openPlan(file), file);
    const { name, agreement, terminalId } = plan;
    const reports: CaseReport[] = [];
    const ended = (report: CaseReport) => {
      reports.push(report);
      if (!json) print(`${caseText(report, reports.length)}\n`);
    };
    if (!json) print(`${name}: agreement ${agreement}, terminal ${terminalId}. ${DESTROY}\n`);
    await withService((service) => certify(service, { plan, isDespitePayments, ended }));
    if (json) print(JSON.stringify({ plan: name, agreement, terminalId, cases: reports }));
    const differing = reports.filter(({ isAsExpected }) => !isAsExpected).map((one) => one.name);
    if (differing.length > 0) {
      throw new Trouble(`${differing.length} of ${reports.length} cases differ: ${differing.join(', ')}.`);
    }
    if (!json) print(`All ${reports.length} cases are as expected.`);
  },
});

/** @throws Misuse that names the file and the place in it */
function planIn(document: unknown, file: string): CertificationPlan {
  try {
    return readPlan(document);
  } catch (error) {
    if (error instanceof BadJson) throw new Misuse(`${file}: ${error.message}.`);
    throw error;
  }
}
