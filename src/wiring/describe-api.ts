import { readVersion } from '../config.ts';
import { openApiDocument } from '../http/document/openapi.ts';
import { portalDocument } from '../http/document/openapi-portal.ts';
import type { RouteGiven } from '../http/edge/edge.types.ts';
import { AssertionFailure } from '../kit/assert.ts';
import { API_TAGS, listRoutes, PORTAL_TAGS, type RouteList } from './routes.ts';
import { composeSlices, type SliceParts } from './slices.ts';

const BASE_URL = 'http://127.0.0.1:8080';

/** The OpenAPI document as it is committed: with the address that the sandbox has by default. */
export function describeApi(): unknown {
  return openApiDocument({
    version: readVersion(),
    baseUrl: BASE_URL,
    tagWords: API_TAGS,
    ...describeRoutes(),
  });
}

/** The same of what the portal needs beyond the API. */
export function describePortal(): unknown {
  const { portalRoutes } = describeRoutes();
  return portalDocument({ version: readVersion(), baseUrl: BASE_URL, tagWords: PORTAL_TAGS, portalRoutes });
}

/** Every documented route, to be looked at and not called. */
export function describeRoutes(): RouteList {
  return listRoutes(composeSlices(UNCONNECTED), NOBODY);
}

const never = (): never => {
  throw new AssertionFailure('a route that is only described is not called');
};

/** Routes are described without a database behind them. */
const UNCONNECTED = {
  config: { apiLogHours: 0, acquirerTraceDays: 0, viewGlobals: [] },
  acquirers: { acquirers: [], agreements: [], dialects: new Map() },
  database: { find: () => never, gather: () => never, batch: () => ({}), background: {}, reportReads: {} },
  keyRing: {},
  cardPrefixes: never,
  newId: never,
} as unknown as SliceParts;

const NOBODY = { baseUrl: never, signatures: {} } as unknown as RouteGiven;
