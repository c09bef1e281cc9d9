import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { DISGUISES } from '../support/prober/disguises.ts';
import { sampleOf } from '../support/prober/routes-samples.ts';
import type { Sought } from '../support/prober/scanner.ts';
import type { Bait } from './bait.ts';
import { type Attack, attackBy, type Target } from './requests.ts';

/** A way to write a number, and a number of its own that is written so everywhere. */
export interface Disguised {
  readonly name: string;
  readonly text: string;
}

/** A card number in each disguise. */
export function disguised(bait: Bait): readonly Disguised[] {
  return Object.entries(DISGUISES).map(([name, disguise]) => ({
    name,
    text: disguise(bait.number(`in disguise: ${name}`)),
  }));
}

/** The disguises themselves, as bytes: the number in them may be one that no other form shows. */
export function soughtInDisguise(bait: Bait): Sought[] {
  return disguised(bait).map(({ name, text }) => ({
    name: `in disguise: ${name}`,
    value: Buffer.from(text).toString('latin1'),
    kind: 'secret',
  }));
}

/**
 * Each place gets every sixtieth disguise, the next place the next ones: all of them everywhere take minutes here, and are
 * tried against every text of every schema in `test/completeness/card-numbers.test.ts`. `npm run test:fuzz` sends every fourth.
 */
const SHARES = process.env['TEST_LEAK'] === 'all' ? 4 : 60;

/**
 * Disguises as every text of every body that the API takes, at every depth, and as the name of a member beside them, each in a
 * request that is good but for that.
 */
export function disguiseAttacks(target: Target, bait: Bait): Attack[] {
  const all = disguised(bait);
  return describeRoutes()
    .apiRoutes.flatMap((route) => {
      const path = route.path.replace(/:(\w+)/g, (_whole, name: string) => target.params[name] ?? '1');
      return placesIn(sampleOf(route).body).map((place) => ({ method: route.method, path, place }));
    })
    .flatMap(({ method, path, place }, index) =>
      all
        .filter((_, turn) => turn % SHARES === index % SHARES)
        .map(({ name, text }) => {
          const body = JSON.stringify(place.with(text));
          return attackBy(`${method} ${path}, ${place.name}, ${name}`, { method, path, body }, target);
        }),
    );
}

/** A place in a body, and the body with something else there. */
interface Place {
  readonly name: string;
  with(text: string): unknown;
}

function placesIn(value: unknown, name = 'body'): Place[] {
  if (typeof value === 'string') return [{ name, with: (text) => text }];
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  const put = (member: string, part: unknown) =>
    Array.isArray(value) ? value.with(Number(member), part) : { ...value, [member]: part };
  return [
    ...(Array.isArray(value)
      ? []
      : [{ name: `a name in ${name}`, with: (text: string) => ({ ...value, [text]: 'x' }) }]),
    ...entries.flatMap(([member, part]) =>
      placesIn(part, `${name}.${member}`).map((place) => ({
        name: place.name,
        with: (text: string) => put(member, place.with(text)),
      })),
    ),
  ];
}
