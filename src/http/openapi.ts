import type { TObject } from 'typebox';
import { SCOPES } from '../kit/caller.ts';
import { PROBLEMS, type ProblemCode } from '../kit/errors.ts';
import type { ApiRoute, OpenRoute } from './route.types.ts';
import { documented } from './schemas.ts';

/** What the document says of the service as a whole. */
export interface OpenApiOptions {
  readonly version: string;
  /** Base address of the service that serves the document; the committed one has the sandbox's default. */
  readonly baseUrl: string;
  readonly apiRoutes: readonly ApiRoute[];
  readonly openRoutes: readonly OpenRoute[];
}

/** The OpenAPI 3.1 document of the routes: made from the same data that the edge checks requests against. */
export function openApiDocument({ version, baseUrl, apiRoutes, openRoutes }: OpenApiOptions): unknown {
  const components = new Map<string, unknown>();
  const paths: Record<string, Record<string, unknown>> = {};
  const add = (path: string, method: string, operation: unknown): void => {
    const address = path.replace(/:(\w+)/g, '{$1}');
    paths[address] = { ...paths[address], [method.toLowerCase()]: operation };
  };
  for (const route of openRoutes) if (route.document !== undefined) add(route.path, route.method, route.document);
  for (const route of apiRoutes) add(route.path, route.method, apiOperation(route, components));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kontor',
      version,
      description: 'Payer tokens, account payments, gift cards and card payments behind one hypermedia REST API.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set([...apiRoutes.map(({ tag }) => tag), 'OAuth 2'])].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...Object.fromEntries([...components].sort()), Problem: PROBLEM_SCHEMA },
      responses: problemResponses(),
      parameters: { SessionId: SESSION_ID, Forwarded: FORWARDED },
      securitySchemes: {
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
      },
    },
  };
}

const SCOPE_WORDS: Readonly<Record<(typeof SCOPES)[number], string>> = {
  'tokens:read': 'Read payer tokens',
  'tokens:write': 'Rename, archive and delete payer tokens',
  'tokens:act-as-operator': 'Archive in the name of the operator',
  'tokens:act-as-issuer': 'Archive in the name of the token issuer',
  payments: 'Card payments',
  'payments:direct': 'Card payments with card data sent by the merchant',
  accounts: 'Account payments',
  'gift-cards': 'Gift cards',
};

const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'Problem details, RFC 9457',
  required: ['type', 'title', 'status', 'detail', 'instance', 'sessionId', 'problems'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'Leads to a page about the problem' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', format: 'uri' },
    sessionId: { type: 'string', format: 'uuid' },
    problems: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'description'],
        properties: {
          name: { type: 'string', description: 'Where: the JSON path of a member, a header, a query parameter' },
          description: { type: 'string', description: 'What it must be; never the value that was sent' },
        },
      },
    },
  },
};

const SESSION_ID = {
  name: 'Session-Id',
  in: 'header',
  required: false,
  description: 'Traces the request; a new one is made where it is absent or no UUID',
  schema: { type: 'string', format: 'uuid' },
};

const FORWARDED = {
  name: 'Forwarded',
  in: 'header',
  required: false,
  description: "The payer's address as `for=…` (RFC 7239)",
  schema: { type: 'string' },
};

const EVERY_ROUTE: readonly ProblemCode[] = [
  'inputerror',
  'unauthorized',
  'forbidden',
  'notfound',
  'notacceptable',
  'unsupportedmediatype',
  'toomanyrequests',
  'systemerror',
  'unavailable',
];

function problemResponses() {
  return Object.fromEntries(
    Object.entries(PROBLEMS).map(([code, { title }]) => [
      code,
      {
        description: title,
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
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
    security: [{ bearer: [] }, { oauth: [route.scope] }],
    parameters: [
      ...parameters(params, 'path', components),
      ...parameters(query, 'query', components),
      ...(route.expandable === undefined ? [] : [expand]),
      { $ref: '#/components/parameters/SessionId' },
      { $ref: '#/components/parameters/Forwarded' },
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
      ...Object.fromEntries(
        EVERY_ROUTE.map((code) => [PROBLEMS[code].status, { $ref: `#/components/responses/${code}` }]),
      ),
    },
  };
}

function parameters(schema: TObject, place: 'path' | 'query', components: Map<string, unknown>) {
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
