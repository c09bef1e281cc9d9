import { describeRoutes } from '../../src/wiring/describe-api.ts';
import { DISGUISES } from '../support/prober/disguises.ts';
import { sampleOf } from '../support/prober/routes-samples.ts';
import { signatureOf } from '../support/service.ts';
import type { Bait } from './bait.ts';
import type { Target } from './requests.ts';
import type { Sought } from './scanner.ts';

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

/** What became of the requests with disguises. */
export interface DisguisesSent {
  /** Places where a text stands, or the name of a member. */
  readonly places: number;
  /** How many requests had each status. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly answers: readonly { readonly name: string; readonly answer: Buffer }[];
}

const LANES = 8;
/**
 * Each place gets every sixtieth disguise, the next place the next ones: all of them everywhere take minutes here, and are
 * tried against every text of every schema in `test/completeness/card-numbers.test.ts`. `npm run test:fuzz` sends every fourth.
 */
const SHARES = process.env['TEST_LEAK'] === 'all' ? 4 : 60;

/**
 * Sends disguises as every text of every body that the API takes, at every depth, and as the name of a member beside them,
 * each in a request that is good but for that.
 */
export async function sendDisguises(baseUrl: string, target: Target, bait: Bait): Promise<DisguisesSent> {
  const requests = describeRoutes().apiRoutes.flatMap((route) => {
    const { body } = sampleOf(route);
    if (body === undefined) return [];
    const path = route.path.replace(/:(\w+)/g, (_whole, name: string) => target.params[name] ?? '1');
    return placesIn(body).map((place) => ({ method: route.method, path, place, isSigned: route.signed === true }));
  });
  const all = disguised(bait);
  const shareOf = (index: number) => all.filter((_, place) => place % SHARES === index % SHARES);
  const statuses: Record<number, number> = {};
  const answers: { name: string; answer: Buffer }[] = [];
  const waiting = requests
    .flatMap((request, index) => shareOf(index).map((disguise) => ({ ...request, disguise })))
    [Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (const { method, path, place, isSigned, disguise } of waiting) {
      const body = JSON.stringify(place.with(disguise.text));
      const signed = { method, path, transmissionTime: undefined, body: Buffer.from(body) };
      const headers = {
        authorization: `Bearer ${target.accessToken}`,
        'content-type': 'application/json',
        ...(isSigned && { hmac: signatureOf(target.hmac, signed) }),
      };
      const response = await fetch(`${baseUrl}${path}`, { method, headers, body });
      const text = await response.text();
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      answers.push({ name: `${method} ${path}, ${place.name}, ${disguise.name}`, answer: Buffer.from(text) });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return { places: requests.length, statuses, answers };
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
