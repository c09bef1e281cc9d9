import { Trouble } from './work/trouble.ts';

/** What one look has found: `problem` keeps the service from starting or from being safe, `advice` does not. */
export interface Finding {
  readonly level: 'ok' | 'advice' | 'problem';
  readonly text: string;
}

/** A finding that says what is right. */
export const ok = (text: string): Finding => ({ level: 'ok', text });
/** A finding of what should be put right, in words that say how. */
export const advice = (text: string): Finding => ({ level: 'advice', text });
/** A finding of what must be put right, in words that say how. */
export const problem = (text: string): Finding => ({ level: 'problem', text });

/** Names that one finding lists. */
const NAMES = 5;

/** Some names, and how many more there are. */
export function someOf(names: readonly string[], separator = ', '): string {
  const more = names.length > NAMES ? ` and ${names.length - NAMES} more` : '';
  return `${names.slice(0, NAMES).join(separator)}${more}`;
}

const SIGNS = { ok: '✓', advice: '!', problem: '✗' } as const;

/**
 * Prints findings, one a line, or all as JSON.
 *
 * @throws Trouble that repeats what is a problem: who reads the standard error alone, such as a supervisor, sees no findings
 */
export function showFindings(
  findings: readonly Finding[],
  { json, print }: { readonly json: boolean; readonly print: (text: string) => void },
): void {
  if (json) print(JSON.stringify(findings));
  else for (const { level, text } of findings) print(`${SIGNS[level]} ${text}`);
  const problems = findings.filter(({ level }) => level === 'problem').map(({ text }) => text);
  if (problems.length === 1) throw new Trouble(problems.join());
  if (problems.length > 1) {
    throw new Trouble([`Put ${problems.length} things right:`, ...problems.map((text) => `- ${text}`)].join('\n'));
  }
}
