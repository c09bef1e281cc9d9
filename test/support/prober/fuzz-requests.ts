import type { SigningCredentials } from '../service.ts';
import { bytesOf, type Sent, signatureFor } from './bytes.ts';
import { reformed, spoilText, spoilValue } from './fuzz-faults.ts';
import { type Grounds, groundBody, groundQuery, sampleBody } from './fuzz-grounds.ts';
import type { Params } from './fuzz-pool.ts';
import type { Fault, Shot } from './fuzz-shots.ts';
import { RECEIVER } from './fuzz-values.ts';
import { type Operation, operationAt } from './operations.ts';

/** Who sends a request. */
export type Sender =
  | { readonly accessToken: string; readonly hmac: SigningCredentials }
  | { readonly cookie: string; readonly csrfToken: string };

/** A request as it goes over the wire, but for what shows who sends it. */
export interface FuzzRequest extends Sent {
  readonly operation: Operation;
  readonly params: Params;
  readonly sender: Sender | undefined;
  readonly body: Buffer | undefined;
  /** The operation that method and path lead to now, by which the answer is judged; undefined where they lead to none. */
  readonly judged: Operation | undefined;
}

/** Makes a request of a plan, aimed at what is there now. */
export function aim(shot: Shot, grounds: Grounds): FuzzRequest {
  const { pool, operations } = grounds;
  const offered = shot.followsOffer ? pool.offer(shot.pick) : undefined;
  const operation = operations[offered?.operation ?? shot.operation] as Operation;
  const params = offered?.params ?? pool.paramsFor(operation, shot.pick, shot.object);
  const isOwn = operation === operations[shot.operation];
  const of = <Is extends Fault['is']>(is: Is) =>
    shot.faults.filter((fault): fault is Fault & { is: Is } => fault.is === is);
  const method = of('method')[0]?.method ?? operation.method;
  const path = reformed(
    pathOf(operation, params, of('param')),
    of('address-form').map(({ form }) => form),
  );
  const query = queryOf(operation, groundQuery(isOwn ? shot.query : {}, { ...grounds, pick: shot.pick }), of('query'));
  const raw = isOwn && shot.body !== undefined ? shot.body : sampleBody(operation);
  const grounded = operation.body && groundBody(raw, { ...grounds, pick: shot.pick, params });
  const body = operation.body && encodeBody(operation, spoilValue(grounded, shot.faults), of('text'));
  return {
    operation,
    params,
    sender: operation.security === 'none' ? undefined : grounds.sender(operation, shot.pick),
    method,
    path: `${path}${query}`,
    headers: {
      ...(operation.body && { 'content-type': operation.body.contentType }),
      ...lowerCased(isOwn ? shot.headers : {}),
      ...Object.fromEntries(of('header').map(({ name, value }) => [name, value])),
    },
    body: body && Buffer.from(body.toString('latin1').replaceAll(RECEIVER, grounds.receiver), 'latin1'),
    judged: operationAt(method, path),
  };
}

function pathOf({ path, params }: Operation, known: Params, faults: readonly (Fault & { is: 'param' })[]): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const fault = faults.find(({ at }) => params[at % params.length] === name);
    if (fault === undefined) return percentEncoded(known[name] ?? '');
    // What may stand in a path as it is, is also sent as it is.
    return fault.at % 2 === 0 && /^[!-~]*$/.test(fault.value) ? fault.value : percentEncoded(fault.value);
  });
}

function queryOf(
  { query }: Operation,
  good: Readonly<Record<string, string>>,
  faults: readonly (Fault & { is: 'query' })[],
): string {
  const names = Object.keys(query);
  const spoiled = faults.map(({ at, name, value }) => [
    at % 3 === 0 ? name : (names[at % names.length] ?? name),
    value,
  ]);
  const pairs = [
    ...Object.entries(good).filter(([name]) => at(spoiled, name) === undefined || name.length % 2 === 0),
    ...spoiled,
  ];
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name = '', value = '']) => `${percentEncoded(name)}=${percentEncoded(value)}`).join('&')}`;
}

const at = (pairs: readonly (readonly string[])[], name: string) => pairs.find(([one]) => one === name);

/** Half pairs become what no UTF-8 has: bytes that a reader has to refuse. */
function percentEncoded(text: string): string {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]|[^A-Za-z0-9._~-]/g, (character) =>
    character.length === 1 && /[\ud800-\udfff]/.test(character)
      ? '%ED%A0%80'
      : [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

function encodeBody({ body }: Operation, value: unknown, edits: readonly (Fault & { is: 'text' })[]): Buffer {
  const isForm = body?.contentType === 'application/x-www-form-urlencoded';
  const text = isForm ? formOf(value) : JSON.stringify(value ?? {});
  return edits.reduce<Buffer>((bytes, edit) => spoilText(bytes, edit), Buffer.from(text));
}

function formOf(value: unknown): string {
  const entries = Object.entries((value ?? {}) as Readonly<Record<string, unknown>>);
  return entries
    .map(
      ([name, one]) => `${percentEncoded(name)}=${percentEncoded(typeof one === 'string' ? one : JSON.stringify(one))}`,
    )
    .join('&');
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** The bytes of a request, shown to be its sender's. */
export function shownBytes(request: FuzzRequest, host: string): Buffer {
  const { headers, body } = request;
  const length = body && { 'content-length': String(body.length) };
  return bytesOf({ ...request, headers: { host, ...shownBy(request, host), ...headers, ...length } });
}

const fromOwnPage = (host: string) => ({ origin: `http://${host}`, 'sec-fetch-site': 'same-origin' });

function shownBy(request: FuzzRequest, host: string): Record<string, string> {
  const { sender, operation, method, path } = request;
  if (sender === undefined) return path.startsWith('/portal/') ? fromOwnPage(host) : {};
  if ('cookie' in sender) {
    const { cookie, csrfToken } = sender;
    return { cookie, ...(method !== 'GET' && { 'csrf-token': csrfToken, ...fromOwnPage(host) }) };
  }
  const authorization = `Bearer ${sender.accessToken}`;
  if (operation.security !== 'signed') return { authorization };
  return { authorization, hmac: signatureFor(sender.hmac, request) };
}

/** A line for a shell that sends the request, once `$BASE` and the credentials are set as README.md sets them. */
export function pasteable({ method, path, headers, body, sender }: FuzzRequest): string {
  const credentials =
    sender === undefined
      ? []
      : 'cookie' in sender
        ? ['-b "$COOKIE" -H "Csrf-Token: $CSRF" -H "Origin: $BASE"']
        : ['-H "$AUTH"'];
  const signature = path.startsWith('/api/payments') ? ['-H "$SIGNATURE"'] : [];
  return [
    `curl -i --path-as-is -X ${method} "$BASE"${quoted(path)}`,
    ...credentials,
    ...signature,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quoted(body.toString('latin1'))}`]),
  ].join(' ');
}

/** As bash reads it: bytes that are no letters are written as their number. */
function quoted(text: string): string {
  if (/^[ -~]*$/.test(text) && !text.includes("'")) return `'${text}'`;
  return `$'${text.replace(/[^ -~]|['\\]/g, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`)}'`;
}
