import { expect, test } from 'vitest';
import { advice, type Finding, ok, problem, showFindings } from './findings.ts';

const shown = (findings: readonly Finding[], json = false): readonly string[] => {
  const lines: string[] = [];
  try {
    showFindings(findings, { json, print: (text) => lines.push(text) });
  } catch (error) {
    return [...lines, `error: ${(error as Error).message}`];
  }
  return lines;
};

test('what is right, and what should be better, is no failure', () => {
  expect(shown([ok('Fine.'), advice('Better so.')])).toEqual(['✓ Fine.', '! Better so.']);
});

test('one problem is the message of the failure', () => {
  expect(shown([ok('Fine.'), problem('Set it.')])).toEqual(['✓ Fine.', '✗ Set it.', 'error: Set it.']);
});

test('of several problems the failure has each, whatever the output is', () => {
  const findings = [problem('Set it.'), advice('Better so.'), problem('Stop that.')];
  const failure = 'error: Put 2 things right:\n- Set it.\n- Stop that.';
  expect(shown(findings)).toEqual(['✗ Set it.', '! Better so.', '✗ Stop that.', failure]);
  expect(shown(findings, true)).toEqual([JSON.stringify(findings), failure]);
});
