import type { FuzzRequest } from './fuzz-requests.ts';

/** Requests that a reduction sends at most. */
const TRIES = 80;

/**
 * A smaller request that fails in the same way: without headers, parts of the query, and members of the body that do not
 * matter, and with shorter texts.
 *
 * @param fails sends it, and says whether it fails as before
 */
export async function reduce(
  request: FuzzRequest,
  fails: (smaller: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> {
  let least = request;
  let tries = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smallerThan(least)) {
      if (++tries > TRIES) return least;
      if (!(await fails(candidate))) continue;
      least = candidate;
      isSmaller = true;
      break;
    }
  }
  return least;
}

function* smallerThan(request: FuzzRequest): Generator<FuzzRequest> {
  const { headers, path, body } = request;
  for (const left of Object.keys(headers)) {
    if (left === 'content-type') continue;
    yield { ...request, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== left)) };
  }
  const [bare = '', query] = path.split('?', 2);
  const pairs = query?.split('&') ?? [];
  for (const index of pairs.keys()) {
    const rest = pairs.filter((_pair, other) => other !== index);
    yield { ...request, path: rest.length === 0 ? bare : `${bare}?${rest.join('&')}` };
  }
  if (body === undefined) return;
  const value = parse(body);
  if (value === undefined) {
    if (body.length > 200) yield { ...request, body: body.subarray(0, body.length / 2) };
    return;
  }
  for (const smaller of smallerValues(value)) yield { ...request, body: Buffer.from(JSON.stringify(smaller)) };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** The value without one of its members, or with half of a long text, anywhere in it. */
function* smallerValues(value: unknown): Generator<unknown> {
  if (typeof value === 'string' && value.length > 40) yield value.slice(0, value.length / 2);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.filter((_item, other) => other !== index);
    for (const [index, item] of value.entries())
      for (const smaller of smallerValues(item)) yield value.with(index, smaller);
    return;
  }
  const entries = Object.entries(value);
  for (const [left] of entries) yield Object.fromEntries(entries.filter(([name]) => name !== left));
  for (const [name, item] of entries) for (const smaller of smallerValues(item)) yield { ...value, [name]: smaller };
}
