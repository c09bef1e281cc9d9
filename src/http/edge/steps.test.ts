import { describe, expect, test } from 'vitest';
import type { EdgeState, Kind, Run } from './edge.types.ts';
import { listSteps, type StepParts, type Walk, walkTogether } from './steps.ts';

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
    'arrive arrive arrive framing authenticate rate scope scope scope receive object version body handle answer',
  ],
  ['sign-in', 'arrive arrive arrive framing rate scope scope receive version body handle answer'],
  ['open', 'arrive arrive framing rate scope receive body handle answer'],
  ['api-nowhere', 'arrive arrive arrive framing authenticate rate object'],
  ['signed-nowhere', 'arrive arrive arrive framing framing authenticate sign receive sign rate object'],
  ['nowhere', 'arrive arrive framing object'],
])('a request of the kind %s passes its steps in their order', (kind, path) => {
  expect(pathOf(kind)).toBe(path);
});

describe('requests of one turn', () => {
  const nameOf = (edge: EdgeState) => String(edge.sessionId);
  const [ONE, TWO, THREE] = ['one', 'two', 'three'].map((sessionId) => ({ sessionId }) as EdgeState) as [
    EdgeState,
    EdgeState,
    EdgeState,
  ];

  /** Takes these through steps in one turn, and tells in which order things were done once all have ended. */
  async function inOneTurn(steps: readonly Run[], edges: readonly EdgeState[]): Promise<string[]> {
    const told: string[] = [];
    const walk = walkTogether();
    const noted = steps.map(
      (run, at): Run =>
        (edge) => {
          told.push(`${at} ${nameOf(edge)}`);
          return run(edge);
        },
    );
    const ends = edges.map((edge) => {
      return new Promise<void>((resolve) => {
        const done: Walk['done'] = (error) => resolve(void told.push(`${nameOf(edge)} ${error?.message ?? 'done'}`));
        walk({ steps: noted, edge, done });
      });
    });
    expect(told, 'nothing is done before the turn is over').toEqual([]);
    await Promise.all(ends);
    return told;
  }

  test('take each step one after the other', async () => {
    expect(await inOneTurn([() => undefined, () => undefined], [ONE, TWO])).toEqual([
      ...['0 one', '0 two', '1 one', '1 two'],
      ...['one done', 'two done'],
    ]);
  });

  test('do not wait for one that is refused, or has to wait itself', async () => {
    const steps: Run[] = [
      (edge) => {
        if (edge === ONE) throw new Error('refused');
        return undefined;
      },
      async (edge) => {
        if (edge === TWO) throw new Error('refused later');
      },
      () => undefined,
    ];
    expect(await inOneTurn(steps, [ONE, TWO, THREE])).toEqual([
      ...['0 one', 'one refused', '0 two', '0 three', '1 two', '1 three'],
      ...['two refused later', '2 three', 'three done'],
    ]);
  });

  test('go on in the next turn where they come in it', async () => {
    const walk = walkTogether();
    const told: string[] = [];
    const steps: Run[] = [() => void told.push('step')];
    const pass = (edge: EdgeState) => new Promise<void>((resolve) => walk({ steps, edge, done: () => resolve() }));
    await pass(ONE);
    await pass(TWO);
    expect(told).toEqual(['step', 'step']);
  });
});
