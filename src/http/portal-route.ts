import type { AnyPortalRoute, OpenPortalRoute, PortalRoute, PortalShape } from './portal-route.types.ts';

/** Checks a handler against its schemas, then forgets the particular schemas, so that all routes fit into one list. */
export function portalRoute<const Shape extends PortalShape>(route: PortalRoute<Shape>): AnyPortalRoute {
  return route as unknown as AnyPortalRoute;
}

/** The same for a route that needs no portal session. */
export function openPortalRoute<const Shape extends PortalShape>(route: OpenPortalRoute<Shape>): AnyPortalRoute {
  return route as unknown as AnyPortalRoute;
}
