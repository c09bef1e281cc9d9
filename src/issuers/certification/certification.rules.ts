import { messageText } from '../trace/trace.rules.ts';
import type { CaseReport, StepOutcome, StepReport } from './certification.types.ts';
import type { Expectation } from './plan.types.ts';

/** In what a step differs from what was expected, in words. */
export function differencesOf(expected: Expectation, came: StepOutcome): readonly string[] {
  const { outcome, actionCode, approvalCode, takenBack } = expected;
  const said = (what: string, wanted: string, got: string | undefined) =>
    wanted === got ? [] : [`${what} is ${got ?? 'not there'}, and ${wanted} was expected`];
  return [
    ...said('the outcome', outcome, came.outcome),
    ...(actionCode === undefined ? [] : said('the action code', actionCode, came.actionCode)),
    ...(approvalCode === undefined
      ? []
      : said('an approval code', presence(approvalCode), presence(came.hasApprovalCode === true))),
    // What has to be taken back is to be taken back, unless the plan says otherwise.
    ...(takenBack === undefined && came.takenBack === undefined
      ? []
      : said('the take-back', takenBack ?? 'TakenBack', came.takenBack)),
  ];
}

function presence(isThere: boolean): string {
  return isThere ? 'there' : 'missing';
}

/** A case for an analyst to read: what each step was to show, what came, and its messages. */
export function caseText({ name, isAsExpected, steps }: CaseReport, number: number): string {
  const heading = `=== Case ${number}: ${name}: ${isAsExpected ? 'as expected' : 'DIFFERS'}`;
  return [heading, ...steps.map((step, index) => stepText(step, index + 1))].join('\n\n');
}

function stepText({ does, name, came, differences, messages }: StepReport, number: number): string {
  const { outcome, actionCode, takenBack } = came;
  const code = actionCode === undefined ? '' : ` (${actionCode})`;
  const back = takenBack === undefined ? '' : `; taken back: ${takenBack}`;
  const heading = `--- Step ${number}: ${does}${name === undefined ? '' : ` "${name}"`}: ${outcome}${code}${back}`;
  const said = differences.map((difference) => `    DIFFERS: ${difference}`);
  return [
    [heading, ...said].join('\n'),
    ...messages.map((message) => messageText({ ...message, scheme: null, leftOut: 0 })),
  ].join('\n\n');
}
