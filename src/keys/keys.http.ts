import { portalRoute } from '../http/portal-route.ts';
import type { AnyPortalRoute } from '../http/portal-route.types.ts';
import { NoParams, NoQuery } from '../kit/portal.wire.ts';
import type { KeysService } from './keys.types.ts';
import { KeyList } from './keys.wire.ts';
import { showKeys } from './show-keys.ts';

/**
 * The keys of the installation, for operators to look at. They are rotated by `kontor keys rotate`, on the machine that has
 * the ring: a stolen session must not reach them.
 */
export function keyRoute(
  service: Pick<KeysService, 'transact' | 'keyRing' | 'keyProvider' | 'keyUses'>,
): AnyPortalRoute {
  return portalRoute({
    method: 'GET',
    path: '/portal/api/keys',
    operationId: 'listKeys',
    tag: 'Installation',
    summary: 'List the keys of the ring, and how far their rotation is',
    shape: { params: NoParams, query: NoQuery, body: undefined, answer: KeyList },
    handle: async () => ({
      keys: [...(await service.transact((transaction) => showKeys(transaction, service, service.keyUses)))],
    }),
  });
}
