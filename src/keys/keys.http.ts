import type { Transaction } from '../db/transaction.types.ts';
import { actorOf } from '../http/actor.ts';
import { portalRoute } from '../http/portal-route.ts';
import type { AnyPortalRoute } from '../http/portal-route.types.ts';
import { NoMembers } from '../kit/portal.wire.ts';
import { NoParams, NoQuery } from '../kit/schemas.wire.ts';
import type { KeysOfPortal, KeysService } from './keys.types.ts';
import { ActivatedKey, KeyList, KeyParams, MovedRows } from './keys.wire.ts';
import { activatePreparedKey, findRotation } from './portal-rotation.ts';
import { endRotation, hasRowsToMove, moveRows, type Rotating } from './rotate-key.ts';
import { showKeys } from './show-keys.ts';

/** Transactions in which one request of the portal moves rows to another key: a second of work or less. */
export const KEY_STEP_ROUNDS = 4;

/**
 * The keys of the installation, for operators: a look at them, and the part of a rotation that touches no key. Keys are
 * made, exported and destroyed by `kontor keys`, on the machine that has the ring: a stolen session must not reach them.
 */
export function keyRoutes({ auditBy, ...service }: KeysOfPortal): AnyPortalRoute[] {
  const { transact } = service;
  const common = { tag: 'Installation' };
  return [
    portalRoute({
      ...common,
      method: 'GET',
      path: '/portal/api/keys',
      operationId: 'listKeys',
      summary: 'List the keys of the ring, and how far their rotation is',
      shape: { params: NoParams, query: NoQuery, body: undefined, answer: KeyList },
      handle: async () => ({
        keys: [...(await transact((transaction) => showKeys(transaction, service, service.keyUses)))],
      }),
    }),
    portalRoute({
      ...common,
      method: 'POST',
      path: '/portal/api/keys/:keyId/activate',
      operationId: 'activateKey',
      summary: 'Write with a prepared key from now on',
      description: 'Every instance must have the key in its ring. The rows that are there are moved by moveKeyRows.',
      shape: { params: KeyParams, query: NoQuery, body: NoMembers, answer: ActivatedKey },
      handle: (request) => {
        const keys = { ...service, audit: auditBy(actorOf(request)) };
        return transact((transaction) => activatePreparedKey(transaction, keys, request.params.keyId));
      },
    }),
    portalRoute({
      ...common,
      method: 'POST',
      path: '/portal/api/keys/:keyId/move-rows',
      operationId: 'moveKeyRows',
      summary: 'Move some rows from a previous key to the current one',
      description: 'To be repeated until it is done: then no row uses the key, and it is retired.',
      shape: { params: KeyParams, query: NoQuery, body: NoMembers, answer: MovedRows },
      handle: (request) => moveSome({ ...service, audit: auditBy(actorOf(request)) }, request.params.keyId),
    }),
  ];
}

/** Some rounds of a rotation, a transaction each; ends early where no row is left, or others hold those that are. */
async function moveSome(service: KeysService, keyId: string): Promise<{ moved: number; isDone: boolean }> {
  const { transact } = service;
  const rotation = await transact((transaction) => findRotation(transaction, keyId));
  if (rotation === undefined) return { moved: 0, isDone: true };
  let moved = 0;
  for (let round = 0; round < KEY_STEP_ROUNDS; round++) {
    const some = await transact((transaction) => moveRows(transaction, service, rotation));
    moved += some;
    if (some === 0) return { moved, isDone: await transact((transaction) => isAtEnd(transaction, service, rotation)) };
  }
  return { moved, isDone: false };
}

/** What ends by itself is waited for by a job, and not on the screen. */
async function isAtEnd(transaction: Transaction, service: KeysService, rotation: Rotating): Promise<boolean> {
  return (await endRotation(transaction, service, rotation)) || !(await hasRowsToMove(transaction, service, rotation));
}
