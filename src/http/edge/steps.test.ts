import { expect, test } from 'vitest';
import type { Kind } from './edge.types.ts';
import { listSteps, type StepParts } from './steps.ts';

/** Nothing is called: the table alone is looked at. */
const STEPS = listSteps({
  options: {},
  admission: {},
  signatures: {},
  methodsAt: () => undefined,
} as never as StepParts);

/** The names of the steps that requests of a kind pass, each once where rows of one name follow each other. */
function pathOf(kind: Kind): string {
  const names = STEPS.filter(({ kinds }) => kinds.includes(kind)).map(({ name }) => name);
  return names.filter((name, index) => name !== names[index - 1]).join(' ');
}

test.each<[Kind, string]>([
  ['api', 'arrive framing authenticate rate scope receive object version body handle answer'],
  ['signed', 'arrive framing authenticate sign receive sign rate scope object version body handle answer'],
  ['portal', 'arrive framing authenticate rate scope receive object version body handle answer'],
  ['sign-in', 'arrive framing rate scope receive version body handle answer'],
  ['open', 'arrive framing rate scope receive body handle answer'],
  ['api-nowhere', 'arrive framing authenticate rate object'],
  ['signed-nowhere', 'arrive framing authenticate sign receive sign rate object'],
  ['nowhere', 'arrive framing object'],
])('a request of the kind %s passes its steps in their order', (kind, path) => {
  expect(pathOf(kind)).toBe(path);
});
