import { actorOf } from '../../http/actor.ts';
import { portalRoute } from '../../http/portal-route.ts';
import type { AnyPortalRoute } from '../../http/portal-route.types.ts';
import { NoMembers, PayeeParams } from '../../kit/portal.wire.ts';
import { NoQuery } from '../../kit/schemas.wire.ts';
import type { Kontor } from '../../kontor.types.ts';
import {
  FreshHmacKeyAnswer,
  HmacKeyBody,
  HmacKeyList,
  HmacKeyParams,
  RotatedHmacKeyAnswer,
  RotateHmacKeyBody,
} from '../access-tokens/credentials.wire.ts';
import { selectHmacKeys } from './hmac-keys.store.ts';
import { createHmacKey, revokeHmacKey, rotateHmacKey } from './hmac-keys.ts';

const TAG = 'HMAC keys';
const HERE = '/portal/api/payees/:payeeId/hmac-keys';

/** HMAC keys in the portal: made here, shown once, rotated and revoked. */
export function hmacKeyRoutes(merchants: Kontor): AnyPortalRoute[] {
  const { transact } = merchants.database.background;
  const one = { params: HmacKeyParams, query: NoQuery };
  const all = { params: PayeeParams, query: NoQuery };
  return [
    portalRoute({
      method: 'GET',
      path: HERE,
      operationId: 'listHmacKeys',
      tag: TAG,
      summary: 'List the HMAC keys, the newest first',
      shape: { ...all, body: undefined, answer: HmacKeyList },
      handle: async ({ payeeId }) => {
        const { rows: found } = await transact((transaction) => selectHmacKeys(transaction, payeeId));
        return { hmacKeys: found.map(({ keyId, ...key }) => ({ user: keyId, ...key })) };
      },
    }),
    portalRoute({
      method: 'POST',
      path: HERE,
      operationId: 'createHmacKey',
      tag: TAG,
      summary: 'Make an HMAC key',
      shape: { ...all, body: HmacKeyBody, answer: FreshHmacKeyAnswer },
      handle: async (request) => {
        const command = { ...request.body, payeeId: request.payeeId, actor: actorOf(request) };
        const made = await transact((transaction) => createHmacKey(transaction, merchants, command));
        return { ...made, secret: made.secret.reveal() };
      },
    }),
    portalRoute({
      method: 'POST',
      path: `${HERE}/:user/rotate`,
      operationId: 'rotateHmacKey',
      tag: TAG,
      summary: 'Put a new HMAC key beside one, which then ends',
      shape: { ...one, body: RotateHmacKeyBody, answer: RotatedHmacKeyAnswer },
      handle: async (request) => {
        const { payeeId, params, body } = request;
        const command = { ...body, payeeId, keyId: params.user, actor: actorOf(request) };
        const made = await transact((transaction) => rotateHmacKey(transaction, merchants, command));
        return { ...made, secret: made.secret.reveal() };
      },
    }),
    portalRoute({
      method: 'POST',
      path: `${HERE}/:user/revoke`,
      operationId: 'revokeHmacKey',
      tag: TAG,
      summary: 'Revoke an HMAC key at once',
      shape: { ...one, body: NoMembers, answer: NoMembers },
      handle: async (request) => {
        const command = { payeeId: request.payeeId, keyId: request.params.user, actor: actorOf(request) };
        await transact((transaction) => revokeHmacKey(transaction, command));
        return {};
      },
    }),
  ];
}
