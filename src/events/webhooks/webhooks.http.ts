import { actorOf } from '../../http/actor.ts';
import type { RouteGiven } from '../../http/edge/edge.types.ts';
import { operation } from '../../http/operations.ts';
import { apiRoute } from '../../http/route.ts';
import type { ApiRoute } from '../../http/route.types.ts';
import { NoParams, NoQuery } from '../../kit/schemas.wire.ts';
import type { Kontor } from '../../kontor.types.ts';
import { changeWebhook, rotateWebhookSecret, testWebhook } from './change-webhook.ts';
import { createWebhook } from './create-webhook.ts';
import { getWebhook, listWebhooks, webhookExists } from './find-webhook.ts';
import { webhookAnswer, webhookObject, webhookOperations } from './webhook-answers.http.ts';
import {
  ChangeWebhookBody,
  CreateWebhookBody,
  FreshWebhookAnswer,
  RotateBody,
  RotatedAnswer,
  WebhookAnswer,
  WebhookParams,
  WebhooksAnswer,
} from './webhooks.wire.ts';

/** What the API's document files them under. */
const TAG = 'Webhooks';

/** The endpoints of a payee's webhooks. */
export function webhookRoutes(kontor: Kontor, given: RouteGiven): ApiRoute[] {
  return [...collectionRoutes(kontor, given), ...singleRoutes(kontor, given), ...actionRoutes(kontor, given)];
}

function collectionRoutes(kontor: Kontor, { baseUrl }: RouteGiven): ApiRoute[] {
  const { transact, read } = kontor.database;
  return [
    apiRoute({
      method: 'GET',
      path: '/webhooks',
      scope: 'webhooks',
      otherScopes: ['deliveries'],
      operationId: 'listWebhooks',
      tag: TAG,
      summary: 'List the webhooks, without their secrets',
      shape: { params: NoParams, query: NoQuery, body: undefined, answer: WebhooksAnswer },
      handle: async ({ payeeId }) => ({
        webhooks: {
          id: '/webhooks',
          webhookList: (await listWebhooks(read, payeeId)).map((webhook) => ({
            ...webhookObject(webhook),
            operations: webhookOperations(webhook, baseUrl()),
          })),
        },
        operations: [operation('POST', 'create-webhook', `${baseUrl()}/webhooks`)],
      }),
    }),
    apiRoute({
      method: 'POST',
      path: '/webhooks',
      scope: 'webhooks',
      operationId: 'createWebhook',
      tag: TAG,
      takesIdempotencyKey: true,
      summary: 'Make a webhook: an address that events are posted to',
      description: 'Its secret is in this answer and is not shown again.',
      shape: { params: NoParams, query: NoQuery, body: CreateWebhookBody, answer: FreshWebhookAnswer },
      handle: async (request) => {
        const { payeeId, body, idempotencyKey } = request;
        const { url, description, eventTypes } = body;
        const command = { payeeId, url, description, eventTypes, idempotencyKey, actor: actorOf(request) };
        const made = await transact((transaction) => createWebhook(transaction, kontor, command));
        if (made.isReplay) request.noteReplay();
        const { webhook, secret } = made;
        return { ...webhookAnswer(webhook, baseUrl()), secret: secret.reveal() };
      },
    }),
  ];
}

function singleRoutes(kontor: Kontor, { baseUrl }: RouteGiven): ApiRoute[] {
  const { transact, read } = kontor.database;
  return [
    apiRoute({
      method: 'GET',
      path: '/webhooks/:webhookId',
      scope: 'webhooks',
      otherScopes: ['deliveries'],
      operationId: 'getWebhook',
      tag: TAG,
      summary: 'Read one webhook',
      shape: { params: WebhookParams, query: NoQuery, body: undefined, answer: WebhookAnswer },
      exists: ({ payeeId, params }) => webhookExists(read, { payeeId, ...params }),
      handle: async ({ payeeId, params }) => webhookAnswer(await getWebhook(read, { payeeId, ...params }), baseUrl()),
    }),
    apiRoute({
      method: 'PATCH',
      path: '/webhooks/:webhookId',
      scope: 'webhooks',
      operationId: 'changeWebhook',
      tag: TAG,
      summary: 'Change a webhook, disable, enable or delete it',
      shape: { params: WebhookParams, query: NoQuery, body: ChangeWebhookBody, answer: WebhookAnswer },
      exists: ({ payeeId, params }) => webhookExists(read, { payeeId, ...params }),
      handle: async (request) => {
        const { payeeId, params, body } = request;
        const { url, description, eventTypes, state } = body;
        const command = { payeeId, ...params, url, description, eventTypes, state, actor: actorOf(request) };
        return webhookAnswer(await transact((transaction) => changeWebhook(transaction, kontor, command)), baseUrl());
      },
    }),
  ];
}

function actionRoutes(kontor: Kontor, { baseUrl }: RouteGiven): ApiRoute[] {
  const { transact, read } = kontor.database;
  return [
    apiRoute({
      method: 'POST',
      path: '/webhooks/:webhookId/secrets',
      scope: 'webhooks',
      operationId: 'rotateWebhookSecret',
      tag: TAG,
      summary: "Put a new secret in the place of a webhook's",
      description: 'For a while deliveries are signed with both. The new one is in this answer and is not shown again.',
      shape: { params: WebhookParams, query: NoQuery, body: RotateBody, answer: RotatedAnswer },
      exists: ({ payeeId, params }) => webhookExists(read, { payeeId, ...params }),
      handle: async (request) => {
        const { payeeId, params, body } = request;
        const command = { payeeId, ...params, overlap: body.overlap, actor: actorOf(request) };
        const rotated = await transact((transaction) => rotateWebhookSecret(transaction, kontor, command));
        return {
          secret: rotated.secret.reveal(),
          ...(rotated.oldExpiresAt !== null && { oldSecretEnds: rotated.oldExpiresAt }),
          operations: [operation('GET', 'get-webhook', `${baseUrl()}/webhooks/${params.webhookId}`)],
        };
      },
    }),
    apiRoute({
      method: 'POST',
      path: '/webhooks/:webhookId/tests',
      scope: 'webhooks',
      otherScopes: ['deliveries'],
      operationId: 'testWebhook',
      tag: TAG,
      summary: 'Try a webhook out: send it an event of its own',
      shape: { params: WebhookParams, query: NoQuery, body: undefined, answer: WebhookAnswer },
      exists: ({ payeeId, params }) => webhookExists(read, { payeeId, ...params }),
      handle: async (request) => {
        const { payeeId, params } = request;
        const command = { payeeId, ...params, actor: actorOf(request) };
        return webhookAnswer(await transact((transaction) => testWebhook(transaction, command)), baseUrl());
      },
    }),
  ];
}
