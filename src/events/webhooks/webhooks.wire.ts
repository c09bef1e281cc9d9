import { Type } from 'typebox';
import {
  EVENT_TYPE_CHARACTERS,
  REASON_CHARACTERS,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_URL_CHARACTERS,
} from '../../kit/limits.ts';
import { freeText, logged, operations, type Shown } from '../../kit/schemas.wire.ts';

const Url = Type.String({
  maxLength: WEBHOOK_URL_CHARACTERS,
  format: 'uri',
  description:
    'Where events are posted to: https, in the sandbox also http and this machine; without user and fragment',
});
const Description = freeText(REASON_CHARACTERS, 'What it is for, 1 to 255 characters');
const EventTypes = Type.Array(
  Type.String({
    maxLength: EVENT_TYPE_CHARACTERS,
    description: 'A type of event, as in `payment.captured`, or all of a resource, as in `payment.*`: see `webhooks`',
  }),
  { maxItems: WEBHOOK_EVENT_TYPES, description: 'Which events, as in `payment.captured` or `payment.*`; empty: all' },
);

export const CreateWebhookBody = Type.Object(
  { url: Url, description: logged(Type.Optional(Description)), eventTypes: logged(Type.Optional(EventTypes)) },
  { $id: 'CreateWebhook' },
);

export const ChangeWebhookBody = Type.Object(
  {
    url: Type.Optional(Url),
    description: logged(Type.Optional(Description)),
    eventTypes: logged(Type.Optional(EventTypes)),
    state: logged(Type.Optional(Type.Enum(['Enabled', 'Disabled', 'Deleted']))),
  },
  { $id: 'ChangeWebhook', description: 'What is absent stays as it is' },
);

export const RotateBody = Type.Object(
  {
    overlap: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,3}[hd]$',
        description: 'how long the old secret signs beside the new one: hours or days, as in 24h, the default, or 7d',
      }),
    ),
  },
  { $id: 'RotateWebhookSecret' },
);

export const WebhookParams = Type.Object({ webhookId: Type.String({ description: 'The webhook, a UUID' }) });

const LoggedWebhook = Type.String({
  description: "The webhook, a UUID; or `callbacks`, for the callbacks of the payee's card payments",
});

export const DeliveryLogParams = Type.Object({ webhookId: LoggedWebhook });

export const DeliveryParams = Type.Object({
  webhookId: LoggedWebhook,
  deliveryId: Type.String({ description: "The delivery: its event's position in the feed" }),
});

const DeliveryState = Type.Enum(['Waiting', 'Delivered', 'GivenUp']);

export const DeliveriesQuery = Type.Object({
  state: Type.Optional(DeliveryState),
  before: Type.Optional(
    Type.String({ pattern: '^[1-9][0-9]{0,14}$', description: 'older than this delivery; from a next operation' }),
  ),
});

const date = (description: string) => Type.String({ format: 'date-time', description });

const webhookMembers = {
  id: Type.String({ description: 'Relative address of the webhook' }),
  webhookId: logged(Type.String({ format: 'uuid' })),
  url: Type.String(),
  description: logged(Type.Optional(Type.String())),
  eventTypes: logged(Type.Array(Type.String(), { description: 'Empty: all' })),
  state: logged(
    Type.Enum(['Enabled', 'Suspended', 'Disabled', 'Deleted'], {
      description: 'Suspended: it has taken nothing for a whole series of tries; one delivery is tried now and then',
    }),
  ),
  created: logged(date('When it was made')),
  updated: logged(date('When it was changed last')),
  lastSuccess: Type.Optional(date('When it last took a delivery')),
  nextProbe: Type.Optional(date('When a suspended one is tried next')),
};

const Secret = Type.String({
  description: 'What deliveries are signed with. Shown in this answer and never again',
});

export const WebhookAnswer = Type.Object(
  { webhook: Type.Object(webhookMembers, { $id: 'Webhook' }), operations },
  { $id: 'WebhookAnswer' },
);
export type WebhookAnswer = Shown<typeof WebhookAnswer>;

export const FreshWebhookAnswer = Type.Object(
  { webhook: Type.Object(webhookMembers), secret: Secret, operations },
  { $id: 'FreshWebhookAnswer' },
);

export const WebhooksAnswer = Type.Object(
  {
    webhooks: Type.Object({
      id: Type.String({ description: 'Relative address of the list' }),
      webhookList: Type.Array(Type.Object({ ...webhookMembers, operations })),
    }),
    operations,
  },
  { $id: 'WebhooksAnswer' },
);

export const RotatedAnswer = Type.Object(
  { secret: Secret, oldSecretEnds: Type.Optional(date('Until then the old secret signs as well')), operations },
  { $id: 'RotatedWebhookSecret' },
);

const deliveryMembers = {
  id: Type.String({ description: 'Relative address of the delivery' }),
  event: Type.Object({
    id: Type.String({ format: 'uuid' }),
    type: logged(Type.String()),
    position: logged(Type.Integer()),
  }),
  url: Type.String({ description: 'Where it is posted to' }),
  state: logged(DeliveryState),
  tries: logged(Type.Integer({ description: 'Tries of the present series' })),
  created: logged(date('When it was noted')),
  nextTry: Type.Optional(date('When it is tried next; not before the events of its resource that wait before it')),
  settled: Type.Optional(date('When it was delivered or given up')),
};

export const DeliveriesAnswer = Type.Object(
  {
    deliveries: Type.Object({
      id: Type.String({ description: 'Relative address of the list' }),
      deliveryList: Type.Array(Type.Object({ ...deliveryMembers, operations })),
    }),
    operations,
  },
  { $id: 'DeliveriesAnswer' },
);

const TryObject = Type.Object(
  {
    tried: date('When it was tried'),
    status: logged(Type.Optional(Type.Integer({ description: 'Of the answer; absent where none came' }))),
    failure: Type.Optional(
      Type.String({
        description:
          'Why it did not work: status, redirect, time-out, no-connection, unknown-host, tls, address-refused, internal-error, set-aside',
      }),
    ),
    answer: Type.String({ description: 'The beginning of what was answered' }),
    durationMs: logged(Type.Integer()),
  },
  { $id: 'DeliveryTry' },
);

export const DeliveryAnswer = Type.Object(
  {
    delivery: Type.Object({
      ...deliveryMembers,
      body: Type.String({ description: 'What is sent, byte for byte' }),
      tryList: Type.Array(TryObject, { description: 'What became of each try, the latest first' }),
    }),
    operations,
  },
  { $id: 'DeliveryAnswer' },
);
