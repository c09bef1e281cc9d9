import type { Operation } from '../api/public-api.ts';

/** Webhooks and deliveries as the public API tells them. */
export interface Webhook {
  readonly webhookId: string;
  readonly url: string;
  readonly description?: string;
  readonly eventTypes: readonly string[];
  readonly state: 'Enabled' | 'Suspended' | 'Disabled' | 'Deleted';
  readonly created: string;
  readonly lastSuccess?: string;
  readonly nextProbe?: string;
}
export interface WebhookList {
  readonly webhooks: { readonly webhookList: readonly Webhook[] };
  readonly operations: readonly Operation[];
}
export interface WebhookAnswer {
  readonly webhook: Webhook;
  readonly operations: readonly Operation[];
}
export interface Delivery {
  readonly id: string;
  readonly event: { readonly id: string; readonly type: string; readonly position: number };
  readonly state: 'Waiting' | 'Delivered' | 'GivenUp';
  readonly tries: number;
  readonly created: string;
  readonly nextTry?: string;
  readonly settled?: string;
  readonly operations: readonly Operation[];
}
export interface DeliveryList {
  readonly deliveries: { readonly deliveryList: readonly Delivery[] };
  readonly operations: readonly Operation[];
}
export interface DeliveryAnswer {
  readonly delivery: Delivery & {
    readonly body: string;
    readonly tryList: readonly {
      readonly tried: string;
      readonly status?: number;
      readonly failure?: string;
      readonly answer: string;
      readonly durationMs: number;
    }[];
  };
  readonly operations: readonly Operation[];
}
