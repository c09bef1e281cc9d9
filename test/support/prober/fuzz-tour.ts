import { sampleBody } from './fuzz-grounds.ts';
import { EDITS, type Fault, type Shot } from './fuzz-shots.ts';
import { FUZZ_MARKER } from './fuzz-values.ts';
import type { Operation, Schema } from './operations.ts';

// What luck need not find: each operation as it is accepted, and with each kind of fault that makes it refuse.

/** Requests of one round. Those of the next round are aimed at what their answers have shown to be there. */
export type Round = readonly Shot[];

/** Members of a body, counted from its first, that are left out or spoiled one at a time. */
const MEMBERS = 8;
/** Objects that each operation is tried on, and offers of answers that are followed twice at once. */
const [OBJECTS, OFFERS] = [3, 128];
/** Values of the wrong type, one for each place. */
const WRONG: readonly unknown[] = [FUZZ_MARKER, null, -1, { text: FUZZ_MARKER }];
/** As long as a body lets it be: what takes the square of its length shows. */
const LONG = 'x'.repeat(20_000);
/** Webhooks that something is sent to. */
const WEBHOOKS = 16;
const ADDRESSES = ['HTTPS://shop.example/hook', `ftp://${FUZZ_MARKER}.example`];
/** What ends an object comes after all else that may be done with it, and what may end a session of those who send requests. */
const ENDS = /^(revoke|remove|delete|disable|archive|abort|cancel|unsubscribe)|User$/;
/** What `pick` has to be, modulo 8, so that each role sends a request once. The operator makes, who may make everything. */
const [MAKER, ROLES] = [2, [1, 2, 4, 5, 6, 7]];
/** Texts of a body that get what no text may hold. */
const TEXTS = 4;

/**
 * The rounds of a tour. They draw nothing: the seed decides only which object a request is aimed at, so a mistake is found
 * whatever the seed.
 */
export function tourOf(operations: readonly Operation[], seed: number): readonly Round[] {
  const all = operations.map((operation, index) => ({ operation, index }));
  const withBody = all.filter(({ operation }) => operation.body !== undefined);
  let pick = Math.abs(seed) % 2 ** 30;
  const shot = (operation: number, more: Partial<Shot> = {}): Shot => ({
    ...{ operation, followsOffer: false, pick: pick++, body: undefined, query: {}, headers: {}, faults: [], copies: 1 },
    ...more,
  });
  const times = <Value>(count: number, make: (index: number) => Value) =>
    Array.from({ length: count }, (_, at) => make(at));
  const spoiled = (faults: readonly Fault[]) =>
    withBody.flatMap(({ index }) => faults.map((fault) => shot(index, { faults: [fault] })));
  const by = (role: number) => (pick++ % 2 ** 26) * 8 + role;
  const makers = withBody.filter(({ operation }) => all.some(({ operation: other }) => makes(operation, other)));
  const later = all.filter(({ operation }) => all.some(({ operation: other }) => makes(other, operation)));
  const used = (isEnd: boolean) =>
    times(OBJECTS, (object) =>
      later
        .filter(({ operation }) => ENDS.test(operation.id) === isEnd)
        .flatMap(({ operation, index }) =>
          (operation.security === 'session' ? ROLES : [MAKER]).map((role) => shot(index, { pick: by(role), object })),
        ),
    ).flat();
  const tests = all.filter(({ operation }) => operation.id === 'testWebhook');
  const offered = (from: number) => times(OFFERS, (at) => shot(0, { followsOffer: true, pick: from + at, copies: 2 }));
  const right = () => all.flatMap(({ index }) => times(OBJECTS, () => shot(index)));
  return [
    all.map(({ index }) => shot(index)),
    spoiled(times(TEXTS, (at): Fault => ({ is: 'text', edit: 'zero', at }))),
    makers.flatMap(({ index }) => times(OBJECTS, () => shot(index, { pick: by(MAKER) }))),
    used(false),
    used(true),
    withBody.flatMap(({ operation, index }) => declaredBodies(operation).map((body) => shot(index, { body }))),
    spoiled([{ is: 'value', at: 0, value: LONG }]),
    spoiled(ADDRESSES.map((value, at) => ({ is: 'address', at, value }))),
    tests.flatMap(({ index }) => times(WEBHOOKS, (at) => shot(index, { pick: at }))),
    spoiled(times(TEXTS, (at): Fault => ({ is: 'text', edit: 'half-pair', at }))),
    right(),
    offered(0),
    offered(OFFERS),
    all
      .filter(({ operation }) => operation.params.length > 0)
      .map(({ index }) => shot(index, { faults: [{ is: 'param', at: 1, value: FUZZ_MARKER }] })),
    spoiled(times(MEMBERS, (at): Fault => ({ is: 'value', at, value: WRONG[at % WRONG.length] }))),
    spoiled(times(MEMBERS, (at): Fault => ({ is: 'missing', at }))),
    spoiled(EDITS.map((edit): Fault => ({ is: 'text', edit, at: 0 }))),
    right(),
  ];
}

/**
 * Whether one operation makes what the other one is about, such as `POST /tokens` and `POST /tokens/{id}/revoke`. Nearly every
 * operation of the portal is about a payee.
 */
function makes(one: Operation, other: Operation): boolean {
  return one.method === 'POST' && one.id !== 'createPayee' && other.path.startsWith(`${one.path}/{`);
}

/**
 * Bodies that are accepted but for one member: each that the schema declares, with a value of its type that no rule accepts.
 * Such a refusal may come late, from a rule behind others that have already written.
 */
function declaredBodies(operation: Operation): unknown[] {
  const sample = sampleBody(operation) as Readonly<Record<string, unknown>>;
  const declared = Object.entries(operation.body?.schema.properties ?? {});
  return declared.map(([name, schema]) => ({ ...sample, [name]: unruly(schema, sample[name]) }));
}

function unruly(schema: Schema, value: unknown): unknown {
  const type = [schema.type ?? []].flat()[0];
  switch (type) {
    case 'integer':
    case 'number':
      return Number.MAX_SAFE_INTEGER;
    case 'boolean':
      return value !== true;
    case 'array':
      return [unruly(schema.items ?? {}, undefined)];
    case 'object': {
      const members = Object.entries(schema.properties ?? {});
      return Object.fromEntries(members.map(([name, member]) => [name, unruly(member, undefined)]));
    }
    default:
      return FUZZ_MARKER;
  }
}
