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

/** The names of the rows that requests of a kind pass: where several are of one name, each stands there. */
function pathOf(kind: Kind): string {
  return STEPS.filter(({ kinds }) => kinds.includes(kind))
    .map(({ name }) => name)
    .join(' ');
}

test.each<[Kind, string]>([
  ['api', 'arrive arrive framing authenticate rate scope scope receive object version body handle answer'],
  [
    'signed',
    'arrive arrive framing framing authenticate sign receive sign rate scope scope object version body handle answer',
  ],
  ['portal', 'arrive arrive framing authenticate rate scope scope scope receive object version body handle answer'],
  ['sign-in', 'arrive arrive framing rate scope scope receive version body handle answer'],
  ['open', 'arrive framing rate scope receive body handle answer'],
  ['api-nowhere', 'arrive arrive framing authenticate rate object'],
  ['signed-nowhere', 'arrive arrive framing framing authenticate sign receive sign rate object'],
  ['nowhere', 'arrive framing object'],
])('a request of the kind %s passes its steps in their order', (kind, path) => {
  expect(pathOf(kind)).toBe(path);
});
