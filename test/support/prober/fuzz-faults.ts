import type { AddressForm, Fault, Spelling } from './fuzz-shots.ts';
import { FUZZ_MARKER } from './fuzz-values.ts';

// How faults are put into the body of a request.

type Path = readonly (string | number)[];
type Edit = (parent: Record<string | number, unknown>, key: string | number) => void;

/** A copy of a body with the faults that are about its values. */
export function spoilValue(body: unknown, faults: readonly Fault[]): unknown {
  const holder = { body: structuredClone(body ?? {}) };
  for (const fault of faults) {
    const edit = editOf(fault);
    if (edit === undefined || !('at' in fault)) continue;
    const places = placesIn(holder.body, ['body']).filter(
      (path) => fault.is !== 'address' || /url/i.test(String(path.at(-1))),
    );
    // A body without members is spoiled as a whole.
    const path = places[fault.at % Math.max(places.length, 1)] ?? ['body'];
    if (fault.is === 'address' && places.length === 0) continue;
    const parent = path
      .slice(0, -1)
      .reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], holder);
    edit(parent as Record<string | number, unknown>, path.at(-1) ?? 'body');
  }
  return holder.body;
}

function editOf(fault: Fault): Edit | undefined {
  switch (fault.is) {
    case 'value':
    case 'address':
      return (parent, key) => {
        put(parent, key, fault.value);
      };
    case 'spelling':
      return (parent, key) => {
        put(parent, key, spelled((parent as Record<string | number, unknown>)[key], fault.how));
      };
    case 'missing':
      return (parent, key) => {
        if (Array.isArray(parent)) parent.splice(Number(key), 1);
        else delete parent[key];
      };
    case 'member':
      return (parent) => put(parent, fault.name, fault.value);
    default:
      return undefined;
  }
}

/** A value as another client writes it, where it has such a form. */
function spelled(value: unknown, how: Spelling): unknown {
  const isNumber = typeof value === 'number';
  switch (how) {
    case 'other-type':
      if (typeof value !== 'string') return typeof value === 'object' ? value : String(value);
      return value !== '' && Number.isSafeInteger(Number(value)) ? Number(value) : value === 'true';
    case 'near':
      return isNumber ? value + 1e-10 : value;
    case 'other-case':
      return typeof value === 'string' ? value.toUpperCase() : value;
    case 'mark-inside':
      return typeof value === 'string' ? value.replace(/k/i, '\u212a') : value;
  }
}

/** An address in another form: some mean the same, some nothing. */
export function reformed(path: string, forms: readonly AddressForm[]): string {
  return forms.reduce((address, form) => REFORMED[form](address), path);
}

const REFORMED: Readonly<Record<AddressForm, (path: string) => string>> = {
  slash: (path) => `${path}/`,
  'two-slashes': (path) => `${path}//`,
  capitals: (path) => path.replaceAll(/(?<=\/)[a-z-]+(?=\/|$)/g, (word) => word.toUpperCase()),
  kelvin: (path) => path.replace('k', '%E2%84%AA'),
  dots: (path) => path.replace(/[^/]+$/, '%2E%2E'),
};

/**
 * Defined, not set: a member may be called like what every object has. A copy: plans share their values. A list has no
 * members with names, and none in JSON: there it is one more.
 */
function put(parent: object, key: string | number, value: unknown): void {
  if (Array.isArray(parent) && typeof key === 'string') {
    parent.push(structuredClone(value));
    return;
  }
  Object.defineProperty(parent, key, {
    value: structuredClone(value),
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Where values are, the members of members among them. */
function placesIn(value: unknown, path: Path): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = [...path, Array.isArray(value) ? Number(key) : key];
    return [here, ...placesIn(inner, here)];
  });
}

/** The bytes of a body with a fault in them. */
export function spoilText(bytes: Buffer, { edit, at }: Fault & { readonly is: 'text' }): Buffer {
  const place = bytes.length === 0 ? 0 : Math.floor((at / 64) * bytes.length);
  const insert = (what: Buffer | string) =>
    Buffer.concat([bytes.subarray(0, place), Buffer.from(what), bytes.subarray(place)]);
  switch (edit) {
    case 'cut':
      return bytes.subarray(0, place);
    case 'twice':
      return Buffer.concat([bytes, bytes]);
    case 'bom':
      return Buffer.concat([Buffer.from('\ufeff'), bytes]);
    case 'duplicate': {
      const [first] = /"[^"\\]{1,40}":/.exec(bytes.toString()) ?? [];
      return first === undefined ? bytes : Buffer.from(bytes.toString().replace('{', `{${first}"${FUZZ_MARKER}",`));
    }
    case 'zero':
      return insertIntoText(bytes, at, '\\u0000');
    case 'half-pair':
      return insertIntoText(bytes, at, '\\ud800');
    case 'utf-16':
      return Buffer.from(bytes.toString(), 'utf16le');
    case 'latin-1':
      return insert(Buffer.from([0xe5, 0xc3, 0xff]));
    case 'padded':
      return Buffer.concat([bytes, Buffer.alloc(at % 2 === 0 ? 70_000 : 3_000, ' ')]);
    case 'empty':
      return Buffer.alloc(0);
  }
}

/** Members whose texts are people's own words: no pattern refuses them before they are stored. */
const OWN_WORDS = /description|displayName|name|reason|comment|text|note/i;

/**
 * Puts an escape where JSON may have one: at the beginning of one of the texts that are values. Every other time of one of
 * people's own words, if there is any.
 */
function insertIntoText(bytes: Buffer, at: number, what: string): Buffer {
  const json = bytes.toString();
  const all = [...json.matchAll(/"([^"\\]{1,40})":"/g)];
  const own = all.filter(([, name = '']) => OWN_WORDS.test(name));
  const texts = at % 2 === 0 && own.length > 0 ? own : all;
  const text = texts[Math.floor(at / 2) % Math.max(texts.length, 1)];
  const place = text === undefined ? 0 : text.index + text[0].length;
  return Buffer.from(json.slice(0, place) + what + json.slice(place));
}
