import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { CHECKOUT } from '../database/embedded.ts';

// What the two OpenAPI documents say, as all that probes the API reads it: a route that is added is probed without a change here.

/** A JSON schema, as far as values are drawn from it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Documented {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, unknown>> }>
  >;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

/** How a request shows who sends it. */
export type Security = 'none' | 'bearer' | 'signed' | 'session';

/** One operation of a document. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  /** Names of the path's parameters. */
  readonly params: readonly string[];
  /** The path up to its first parameter: operations about the same kind of thing have it in common. */
  readonly family: string;
  readonly security: Security;
  readonly query: Readonly<Record<string, Schema>>;
  /** Headers of its own, without those of authentication. */
  readonly headers: Readonly<Record<string, Schema>>;
  readonly body: { readonly contentType: string; readonly schema: Schema } | undefined;
  /** Media types of the body by status, where the document says them; a problem where it names one. */
  readonly responses: ReadonlyMap<number, readonly string[]>;
  /** Why a JSON body of this status does not fit its schema; undefined where it fits. */
  misfit(status: number, body: unknown): string | undefined;
}

/**
 * Which operations an address leads to: those with the fewest parameters, for what is written out wins over what may be
 * anything.
 *
 * @returns the index of each, with its parameters as they stand in the address
 */
export function addressReader(
  operations: readonly Operation[],
): (path: string) => { readonly index: number; readonly params: Readonly<Record<string, string>> }[] {
  const templates = operations.map(({ path }) => {
    const pattern = path.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    // A slash at the end is ignored, but where a signature covers it.
    return new RegExp(`^${pattern}${path.startsWith('/api/payments') ? '' : '/?'}$`, 'i');
  });
  return (path) => {
    const [bare = ''] = path.split('?', 1);
    const found = templates.flatMap((template, index) => {
      const match = template.exec(bare);
      return match === null ? [] : [{ index, params: { ...match.groups } }];
    });
    const least = Math.min(...found.map(({ params }) => Object.keys(params).length));
    return found.filter(({ params }) => Object.keys(params).length === least);
  };
}

/** The operations of one document. */
interface Documents {
  readonly operations: readonly Operation[];
  /** Why a body is no problem as the document describes them. */
  readonly problemMisfit: Misfit;
}

const read = new Map<string, Documents>();

/** Each document is read when it is asked for first: many test files ask for none. */
function documentOf(name: 'kontor' | 'portal'): Documents {
  const known = read.get(name);
  if (known !== undefined) return known;
  const document = JSON.parse(readFileSync(join(CHECKOUT, `openapi/${name}.json`), 'utf8')) as OpenApi;
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv, ['uuid', 'uri', 'email', 'date', 'date-time']);
  ajv.addSchema(document, 'document');
  const misfitAt = (pointer: string): Misfit => {
    return (body) => {
      const fits = ajv.getSchema(`document#${pointer}`);
      if (fits === undefined || fits(body)) return undefined;
      return JSON.stringify(fits.errors).slice(0, 300);
    };
  };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) =>
      operationOf({ document, path, method, documented }, misfitAt),
    ),
  );
  const made = { operations, problemMisfit: misfitAt('/components/schemas/Problem') };
  read.set(name, made);
  return made;
}

/** The operations of the API, without those of the portal, as the document is committed. */
export function readApi(): readonly Operation[] {
  return documentOf('kontor').operations;
}

/** Every operation of both documents. */
export function readOperations(): readonly Operation[] {
  return [...readApi(), ...documentOf('portal').operations];
}

let leadsTo: ReturnType<typeof addressReader> | undefined;

/** The operation of either document that a method and an address lead to; undefined where they lead to none. */
export function operationAt(method: string, path: string): Operation | undefined {
  const operations = readOperations();
  leadsTo ??= addressReader(operations);
  const asked = method === 'HEAD' ? 'GET' : method;
  return leadsTo(path)
    .map(({ index }) => operations[index])
    .find((operation) => operation?.method === asked);
}

/** Why a body is no problem as the API describes them; undefined where it is one. */
export const problemMisfit: Misfit = (body) => documentOf('kontor').problemMisfit(body);

/** Why a body does not fit a schema; undefined where it fits. */
type Misfit = (body: unknown) => string | undefined;

function operationOf(
  found: {
    readonly document: OpenApi;
    readonly path: string;
    readonly method: string;
    readonly documented: Documented;
  },
  misfitAt: (pointer: string) => Misfit,
): Operation {
  const { document, path, method, documented } = found;
  const { operationId, security, parameters = [], requestBody, responses } = documented;
  const resolved = parameters.map((parameter) => resolve(document, parameter));
  const [contentType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const statuses = Object.entries(responses).map(([status, { $ref, content = {} }]) => {
    return [Number(status), $ref === undefined ? Object.keys(content) : ['application/problem+json']] as const;
  });
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    family: path.split('{', 1)[0] ?? path,
    security: securityOf(security),
    query: schemasOf(resolved, 'query'),
    headers: schemasOf(resolved, 'header'),
    body: contentType === undefined ? undefined : { contentType, schema: inlined(document, content?.schema ?? {}) },
    responses: new Map(statuses),
    misfit: (status, body) => {
      const pointer = `/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method}`;
      return misfitAt(`${pointer}/responses/${status}/content/application~1json/schema`)(body);
    },
  };
}

function securityOf(security: Documented['security']): Security {
  const [first] = security;
  if (first === undefined) return 'none';
  if ('session' in first) return 'session';
  return 'hmac' in first ? 'signed' : 'bearer';
}

function resolve({ components }: OpenApi, parameter: Parameter): Parameter {
  const name = parameter.$ref?.split('/').at(-1);
  return name === undefined ? parameter : (components.parameters[name] as Parameter);
}

/** Headers that carry who sends a request: they are never left out by accident. */
const OF_AUTHENTICATION = ['Csrf-Token', 'Authorization', 'Hmac'];

function schemasOf(parameters: readonly Parameter[], place: string): Record<string, Schema> {
  const here = parameters.filter((parameter) => parameter.in === place && !OF_AUTHENTICATION.includes(parameter.name));
  return Object.fromEntries(here.map(({ name, schema }) => [name, schema]));
}

/** The schema without references. Bodies of requests are never recursive. */
function inlined(document: OpenApi, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return inlined(document, document.components.schemas[name] ?? {});
  const within = (schemas: Readonly<Record<string, Schema>>) =>
    Object.fromEntries(Object.entries(schemas).map(([member, one]) => [member, inlined(document, one)]));
  return {
    ...schema,
    ...(schema.properties && { properties: within(schema.properties) }),
    ...(schema.patternProperties && { patternProperties: within(schema.patternProperties) }),
    ...(schema.items && { items: inlined(document, schema.items) }),
  };
}
