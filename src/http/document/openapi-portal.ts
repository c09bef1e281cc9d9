import type { ProblemCode } from '../../kit/errors.ts';
import type { AnyPortalRoute } from '../portal-route.types.ts';
import { EVERY_ROUTE, parameters, problemResponses, referTo } from './openapi.ts';
import { PROBLEM_SCHEMA, SESSION_ID } from './openapi-parts.ts';
import { documented } from './schemas.ts';

/** What the document says of the portal as a whole. */
export interface PortalDocumentOptions {
  readonly version: string;
  readonly baseUrl: string;
  readonly portalRoutes: readonly AnyPortalRoute[];
  /** What each tag of the routes is about. */
  readonly tagWords: Readonly<Record<string, string>>;
}

/**
 * The OpenAPI 3.1 document of what the portal needs beyond the API. It is for the portal's own page, whose types are made
 * of it; other programs use the API.
 */
export function portalDocument({ version, baseUrl, portalRoutes, tagWords }: PortalDocumentOptions): unknown {
  const components = new Map<string, unknown>();
  const paths: Record<string, Record<string, unknown>> = {};
  const problems: (readonly ProblemCode[])[] = [];
  for (const route of portalRoutes) {
    problems.push(problemsOf(route));
    const address = route.path.replace(/:(\w+)/g, '{$1}');
    paths[address] = { ...paths[address], [route.method.toLowerCase()]: operationOf(route, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kontor portal',
      version,
      description: 'What the merchant portal needs beyond the API. It changes with the portal, without notice.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(portalRoutes.map(({ tag }) => tag))].map((name) => ({ name, description: tagWords[name] })),
    paths,
    components: {
      schemas: { ...Object.fromEntries([...components].sort()), Problem: documented(PROBLEM_SCHEMA, components) },
      responses: problemResponses(problems),
      parameters: { SessionId: SESSION_ID, CsrfToken: CSRF_TOKEN },
      securitySchemes: { session: SESSION },
    },
  };
}

const SESSION = {
  type: 'apiKey',
  in: 'cookie',
  name: '__Host-sid',
  description: 'The cookie of a session; where a sandbox speaks clear text it is called kontor-sid',
};

const CSRF_TOKEN = {
  name: 'Csrf-Token',
  in: 'header',
  required: true,
  description: 'The token of the session, which shows that the request comes from a page of the portal',
  schema: { type: 'string' },
};

function problemsOf({ shape, fileBytes }: AnyPortalRoute): readonly ProblemCode[] {
  return shape.body === undefined && fileBytes === undefined ? EVERY_ROUTE : [...EVERY_ROUTE, 'payloadtoolarge'];
}

function operationOf(route: AnyPortalRoute, components: Map<string, unknown>) {
  const { params, query, body } = route.shape;
  const hasToken = !route.isOpen && route.method !== 'GET';
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    security: route.isOpen ? [] : [{ session: [] }],
    parameters: [
      ...parameters(params, 'path', components),
      ...parameters(query, 'query', components),
      { $ref: '#/components/parameters/SessionId' },
      ...(hasToken ? [{ $ref: '#/components/parameters/CsrfToken' }] : []),
    ],
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: documented(body, components) } } },
    }),
    ...(route.fileBytes !== undefined && {
      requestBody: { required: true, content: { 'text/csv': { schema: { type: 'string' } } } },
    }),
    responses: { 200: { description: 'Done', content: contentOf(route, components) }, ...referTo(problemsOf(route)) },
  };
}

function contentOf({ shape }: AnyPortalRoute, components: Map<string, unknown>) {
  if (shape.answer === undefined) return { 'text/csv': { schema: { type: 'string' } } };
  return { 'application/json': { schema: documented(shape.answer, components) } };
}
