import { readVersion } from '../config.ts';
import { openApiDocument } from '../http/document/openapi.ts';
import { portalDocument } from '../http/document/openapi-portal.ts';
import { AssertionFailure } from '../kit/assert.ts';
import { API_TAGS, PORTAL_TAGS } from './route-tags.ts';
import { listRoutes, type RouteDependencies, type RouteList } from './routes.ts';

const BASE_URL = 'http://127.0.0.1:8080';

/** The OpenAPI document as it is committed: with the address that the sandbox has by default. */
export function describeApi(): unknown {
  return openApiDocument({ version: readVersion(), baseUrl: BASE_URL, tagWords: API_TAGS, ...describeRoutes() });
}

/** The same of what the portal needs beyond the API. */
export function describePortal(): unknown {
  const { portalRoutes } = describeRoutes();
  return portalDocument({ version: readVersion(), baseUrl: BASE_URL, tagWords: PORTAL_TAGS, portalRoutes });
}

/** Every documented route, to be looked at and not called. */
export function describeRoutes(): RouteList {
  return listRoutes(UNCONNECTED);
}

const never = (): never => {
  throw new AssertionFailure('a route that is only described is not called');
};

/** Routes are described without a database behind them. */
const UNCONNECTED = {
  config: { apiLogHours: 0 },
  database: { transact: never, read: never, find: () => never, background: { read: never, transact: never } },
  merchants: {},
  vault: {},
  accounts: {},
  cardLife: {},
  cardPayments: {},
  portalUsers: {},
  approvals: {},
  findUser: never,
  signatures: {},
  cardPrefixes: never,
  keyRing: {},
  keyProvider: {},
  baseUrl: never,
  isExempt: never,
  isReady: never,
  noteRefused: never,
} as unknown as RouteDependencies;
