import type { ApiRoute, RouteShape } from './route.types.ts';

/**
 * Checks a route's handler against its schemas, then forgets the particular schemas, so that routes of all shapes fit
 * into one list.
 */
export function apiRoute<const Shape extends RouteShape>(route: ApiRoute<Shape>): ApiRoute {
  return route as unknown as ApiRoute;
}
