import type { OpenAnswer, OpenRoute } from './route.types.ts';

/** What `/health/ready` asks. */
export interface Readiness {
  /** Whether requests are taken: the service has started, is not stopping, and its database answers. */
  isReady(): Promise<boolean>;
}

/** Liveness: the process answers. Readiness: it can do its work, so a load balancer may send requests. */
export function healthRoutes({ isReady }: Readiness): OpenRoute[] {
  return [
    { method: 'GET', path: '/health/live', handle: () => healthAnswer(200, 'live') },
    {
      method: 'GET',
      path: '/health/ready',
      handle: async () => ((await isReady()) ? healthAnswer(200, 'ready') : healthAnswer(503, 'not ready')),
    },
  ];
}

function healthAnswer(status: number, state: string): OpenAnswer {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...(status === 503 && { 'retry-after': '1' }),
    },
    body: JSON.stringify({ status: state }),
  };
}
