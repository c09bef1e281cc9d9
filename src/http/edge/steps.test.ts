import { describe, expect, test, vi } from 'vitest';
import type { EdgeState, Kind, Run } from './edge.types.ts';
import { listSteps, type StepParts, walk } from './steps.ts';

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
  ['api', 'arrive arrive arrive framing authenticate rate scope scope receive object version body handle answer'],
  [
    'signed',
    'arrive arrive arrive framing framing authenticate sign receive sign rate scope scope object version body handle answer',
  ],
  [
    'portal',
    'arrive arrive arrive framing authenticate rate scope scope scope receive receive object version body handle answer',
  ],
  ['sign-in', 'arrive arrive arrive framing rate scope scope receive version body handle answer'],
  ['open', 'arrive arrive framing rate scope receive body handle answer'],
  ['api-nowhere', 'arrive arrive arrive framing authenticate rate object'],
  ['signed-nowhere', 'arrive arrive arrive framing framing authenticate sign receive sign rate object'],
  ['nowhere', 'arrive arrive framing object'],
])('a request of the kind %s passes its steps in their order', (kind, path) => {
  expect(pathOf(kind)).toBe(path);
});

describe('a walk', () => {
  const EDGE = {} as EdgeState;

  test('takes each step once the one before is done, whether that waited or not', async () => {
    const told: string[] = [];
    const steps: Run[] = [
      async () => {
        await new Promise(setImmediate);
        told.push('first');
      },
      () => void told.push('second'),
    ];
    await walk(steps, EDGE);
    expect(told).toEqual(['first', 'second']);
  });

  test.each<[string, Run]>([
    [
      'refuses',
      () => {
        throw new Error('refused');
      },
    ],
    ['refuses later', () => Promise.reject(new Error('refused'))],
  ])('ends at a step that %s', async (_how, refuse) => {
    const next = vi.fn<Run>();
    await expect(walk([refuse, next], EDGE)).rejects.toThrow('refused');
    expect(next).not.toHaveBeenCalled();
  });
});
