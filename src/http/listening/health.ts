import { Type } from 'typebox';
import type { OpenAnswer, OpenDocument, OpenRoute } from '../route.types.ts';

/** What `/health/ready` asks. */
export interface Readiness {
  /** Whether requests are taken: the service has started, is not stopping, its database answers, and it has the keys. */
  isReady(): Promise<boolean>;
}

/** Liveness: the process answers. Readiness: it can do its work, so a load balancer may send requests. */
export function healthRoutes({ isReady }: Readiness): OpenRoute[] {
  return [
    {
      method: 'GET',
      path: '/health/live',
      document: LIVE_DOCUMENT,
      handle: () => healthAnswer(200, 'live'),
    },
    {
      method: 'GET',
      path: '/health/ready',
      document: READY_DOCUMENT,
      handle: async () => ((await isReady()) ? healthAnswer(200, 'ready') : healthAnswer(503, 'not ready')),
    },
  ];
}

const Health = Type.Object({ status: Type.Enum(['live', 'ready', 'not ready']) });
const NEEDS_NOTHING = { tags: ['Health'], security: [] };

const LIVE_DOCUMENT: OpenDocument = {
  ...NEEDS_NOTHING,
  operationId: 'getLiveness',
  summary: 'Whether the process lives',
  response: { 200: { description: 'It does', ...Health } },
};

const READY_DOCUMENT: OpenDocument = {
  ...NEEDS_NOTHING,
  operationId: 'getReadiness',
  summary:
    'Whether requests are taken: the service has started, is not stopping, its database answers, and it has the keys',
  response: {
    200: { description: 'They are', ...Health },
    503: { description: 'They are not; see Retry-After', ...Health },
  },
};

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
