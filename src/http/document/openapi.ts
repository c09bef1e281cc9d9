import type { TObject } from 'typebox';
import { SCOPES } from '../../kit/caller.ts';
import { CARD_PROBLEMS } from '../../kit/cards/card-problems.ts';
import { PROBLEMS, type ProblemCode } from '../../kit/errors.ts';
import { groupBy } from '../../kit/group-by.ts';
import type { ApiRoute, OpenDocument, OpenRoute } from '../route.types.ts';
import {
  FORWARDED,
  HMAC_SCHEME,
  IDEMPOTENCY_KEY,
  PROBLEM_SCHEMA,
  SCOPE_WORDS,
  SESSION_ID,
  TRACEPARENT,
  TRANSMISSION_TIME,
} from './openapi-parts.ts';
import { documentedWebhooks, type SentEvent } from './openapi-webhooks.ts';
import { documented } from './schemas.ts';

/** What the document says of the service as a whole. */
export interface OpenApiOptions {
  readonly version: string;
  /** Base address of the service that serves the document; the committed one has the sandbox's default. */
  readonly baseUrl: string;
  readonly apiRoutes: readonly ApiRoute[];
  readonly openRoutes: readonly OpenRoute[];
  readonly sentEvents: readonly SentEvent[];
  /** What each tag of the routes is about. The linter asks for a text for every one. */
  readonly tagWords: Readonly<Record<string, string>>;
}

/** The OpenAPI 3.1 document of the routes: made from the same data that the edge checks requests against. */
export function openApiDocument(options: OpenApiOptions): unknown {
  const { version, baseUrl, apiRoutes, openRoutes, sentEvents } = options;
  const components = new Map<string, unknown>();
  const problems: (readonly AnsweredCode[])[] = [];
  const paths: Record<string, Record<string, unknown>> = {};
  const add = (path: string, method: string, operation: unknown): void => {
    const address = path.replace(/:(\w+)/g, '{$1}');
    paths[address] = { ...paths[address], [method.toLowerCase()]: operation };
  };
  for (const { path, method, document } of openRoutes) {
    if (document === undefined) continue;
    problems.push(openProblemsOf(document));
    add(path, method, openOperation(document, components));
  }
  for (const route of apiRoutes) {
    problems.push(problemsOf(route));
    add(route.path, route.method, apiOperation(route, components));
  }
  const webhooks = documentedWebhooks(sentEvents, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kontor',
      version,
      description: 'Payer tokens, account payments, gift cards and card payments behind one hypermedia REST API.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: tagsOf(options),
    paths,
    webhooks,
    components: {
      schemas: { ...Object.fromEntries([...components].sort()), Problem: documented(PROBLEM_SCHEMA, components) },
      responses: problemResponses(problems),
      parameters: {
        SessionId: SESSION_ID,
        Forwarded: FORWARDED,
        Traceparent: TRACEPARENT,
        TransmissionTime: TRANSMISSION_TIME,
        IdempotencyKey: IDEMPOTENCY_KEY,
      },
      securitySchemes: securitySchemes(),
    },
  };
}

function tagsOf({ apiRoutes, openRoutes, tagWords }: OpenApiOptions) {
  const tags = [...apiRoutes.map(({ tag }) => tag), ...openRoutes.flatMap(({ document }) => document?.tags ?? [])];
  return [...new Set(tags)].map((name) => ({ name, ...(name in tagWords && { description: tagWords[name] }) }));
}

function securitySchemes() {
  return {
    bearer: { type: 'http', scheme: 'bearer', description: 'An access token of the payee' },
    oauth: {
      type: 'oauth2',
      flows: {
        clientCredentials: {
          tokenUrl: '/oauth/token',
          scopes: Object.fromEntries(SCOPES.map((scope) => [scope, SCOPE_WORDS[scope]])),
        },
      },
    },
    hmac: HMAC_SCHEME,
  };
}

/** A code that an answer may have: of the registry, or the one of a card that has a status of its own. */
type AnsweredCode = ProblemCode | 'acquirergatewayerror';
const ANSWERED = { ...PROBLEMS, acquirergatewayerror: CARD_PROBLEMS.acquirergatewayerror };

/** What any route may answer, whatever it does. */
export const EVERY_ROUTE: readonly ProblemCode[] = [
  'inputerror',
  'unauthorized',
  'forbidden',
  'notfound',
  'notacceptable',
  'requesttimeout',
  'uritoolong',
  'unsupportedmediatype',
  'toomanyrequests',
  'headertoolarge',
  'systemerror',
  'unavailable',
];

/** What a route without access token may answer, whatever it documents itself. */
const OPEN_ROUTE: readonly ProblemCode[] = [
  'inputerror',
  'requesttimeout',
  'uritoolong',
  'headertoolarge',
  'systemerror',
  'unavailable',
];

function openProblemsOf({ body }: OpenDocument): readonly ProblemCode[] {
  return body === undefined
    ? OPEN_ROUTE
    : [...OPEN_ROUTE, 'payloadtoolarge', 'unsupportedmediatype', 'toomanyrequests'];
}

function problemsOf({ shape, problems = [], takesIdempotencyKey, declines }: ApiRoute): readonly AnsweredCode[] {
  const withBody: readonly ProblemCode[] = shape.body === undefined ? [] : ['payloadtoolarge'];
  // A key can be known with other content.
  const withKey: readonly ProblemCode[] = takesIdempotencyKey ? ['referencereused'] : [];
  const ofIssuers: readonly AnsweredCode[] = declines ? ['acquirergatewayerror', 'gatewaytimeout'] : [];
  return [...EVERY_ROUTE, ...problems, ...withBody, ...withKey, ...ofIssuers];
}

/** Answers of an operation that are problems, by status. Each names all that can stand behind its status. */
export function referTo(codes: readonly AnsweredCode[]) {
  return Object.fromEntries(
    byStatus(codes).map(([status, together]) => [status, { $ref: `#/components/responses/${together.join('-')}` }]),
  );
}

/**
 * The components that routes refer to, in the order of the registry.
 *
 * @param routes the problems of each route
 */
export function problemResponses(routes: readonly (readonly AnsweredCode[])[]) {
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  const groups = new Map(routes.flatMap(byStatus).map(([, together]) => [together.join('-'), together]));
  return Object.fromEntries(
    [...groups]
      .sort(([, a], [, b]) => placeOf(a) - placeOf(b))
      .map(([name, together]) => [
        name,
        { description: together.map((code) => ANSWERED[code].title).join('; '), content },
      ]),
  );
}

function byStatus(codes: readonly AnsweredCode[]): readonly (readonly [number, readonly AnsweredCode[]])[] {
  return [...groupBy(new Set(codes), (code) => ANSWERED[code].status)];
}

/** By the first code, then by how many stand together. */
function placeOf([first, ...others]: readonly AnsweredCode[]): number {
  return Object.keys(ANSWERED).indexOf(first ?? '') + others.length / 100;
}

/** A route without access token: the body is a form or nothing, and each answer has its own schema. */
function openOperation(document: OpenDocument, components: Map<string, unknown>) {
  const { body, consumes = [], response, ...rest } = document;
  const content = (types: readonly string[], schema: unknown) =>
    Object.fromEntries(types.map((type) => [type, { schema }]));
  return {
    ...rest,
    ...(body !== undefined && {
      requestBody: { required: true, content: content(consumes, documented(body, components)) },
    }),
    responses: {
      ...referTo(openProblemsOf(document)),
      ...Object.fromEntries(
        Object.entries(response).map(([status, { description, ...schema }]) => [
          status,
          { description, content: content(['application/json'], documented(schema, components)) },
        ]),
      ),
    },
  };
}

function apiOperation(route: ApiRoute, components: Map<string, unknown>) {
  const { body, answer, params, query } = route.shape;
  const expand = {
    name: '$expand',
    in: 'query',
    required: false,
    description: 'Names of sub-resources to put into the answer, with commas between them',
    schema: { type: 'string' },
  };
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    security: [{ bearer: [] }, ...[route.scope, ...(route.otherScopes ?? [])].map((scope) => ({ oauth: [scope] }))].map(
      (token) => ({ ...token, ...(route.signed && { hmac: [] }) }),
    ),
    parameters: [
      ...parameters(params, 'path', components),
      ...parameters(query, 'query', components),
      ...(route.expandable === undefined ? [] : [expand]),
      { $ref: '#/components/parameters/SessionId' },
      { $ref: '#/components/parameters/Forwarded' },
      { $ref: '#/components/parameters/Traceparent' },
      ...(route.signed ? [{ $ref: '#/components/parameters/TransmissionTime' }] : []),
      ...(route.takesIdempotencyKey ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: documented(body, components) } } },
    }),
    responses: {
      200: {
        description: 'The resource',
        headers: {
          'api-supported-versions': { schema: { type: 'string' }, description: 'Versions of the API' },
          'Session-Id': { schema: { type: 'string', format: 'uuid' }, description: 'Traces the request' },
        },
        content: { 'application/json': { schema: documented(answer, components) } },
      },
      ...referTo(problemsOf(route)),
    },
  };
}

/** The members of a path or a query, as a document has them. */
export function parameters(schema: TObject, place: 'path' | 'query', components: Map<string, unknown>) {
  const required = new Set((schema as { required?: readonly string[] }).required ?? []);
  return Object.entries(schema.properties).map(([name, member]) => {
    const { description, ...rest } = documented(member, components) as { description?: string };
    return {
      name,
      in: place,
      required: place === 'path' || required.has(name),
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
}
