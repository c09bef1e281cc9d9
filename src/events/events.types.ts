import type { JobContext } from '../db/job-context.types.ts';
import type { Read, Transact } from '../db/transaction.types.ts';
import type { Branded, PayeeId } from '../kit/ids.ts';
import type { Secret } from '../kit/secret.ts';
import type { Kontor } from '../kontor.types.ts';

/** Names an address that events are delivered to. UUID version 7. */
export type WebhookId = Branded<string, 'WebhookId'>;

/** An event in its payee's feed. */
export interface FeedEvent {
  readonly payeeId: PayeeId;
  readonly eventId: string;
  /** Its place in the feed: 1, 2, 3, … without gaps. */
  readonly position: number;
  readonly type: string;
  readonly resourceKind: string;
  readonly resourceId: string;
  /** Counts up by one for each resource. */
  readonly resourceSequence: number;
  /** ISO 8601 in UTC. */
  readonly happenedAt: string;
  /** Ids, states and amounts. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** An event with its new position, that is posted to an address beside the webhooks. */
export interface CalledBackEvent
  extends Pick<FeedEvent, 'payeeId' | 'eventId' | 'position' | 'resourceKind' | 'resourceId'> {
  readonly callbackUrl: string;
}

/** An event as readers get it: in the feed, and as the body of a delivery. */
export interface ShownEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly position: number;
  readonly resource: { readonly kind: string; readonly id: string; readonly sequence: number };
  readonly data: Readonly<Record<string, unknown>>;
}

/** A piece of a payee's feed. */
export interface FeedPage {
  readonly events: readonly FeedEvent[];
  /** The position after which the next piece begins. */
  readonly next: number;
  /** Whether the feed goes on now. */
  readonly hasMore: boolean;
}

/**
 * What a webhook is doing. `Suspended`: it has taken nothing for a whole series of tries; one delivery is tried now and
 * then. `Disabled`: by its payee, or because it answered 410.
 */
export type WebhookState = 'Enabled' | 'Suspended' | 'Disabled' | 'Deleted';

/** Names a webhook. */
export interface WebhookKey {
  readonly payeeId: PayeeId;
  readonly webhookId: WebhookId;
}

/** An address of a payee's that events are delivered to. */
export interface Webhook extends WebhookKey {
  readonly url: string;
  readonly description: string | null;
  /** As in `payment.captured` or `payment.*`; empty for all. */
  readonly eventTypes: readonly string[];
  readonly state: WebhookState;
  /** When a suspended one is tried next. */
  readonly nextProbeAt: string | null;
  readonly lastSuccessAt: string | null;
  /** Deliveries after this position are still to be put back in line; null: none is. */
  readonly revivingAfter: number | null;
  /**
   * Where it stands for callbacks of card payments: what their addresses have in common, as in `https://shop.example`.
   * Null for a webhook that its payee made.
   */
  readonly callbackOrigin: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A secret as it is stored, bound to its row. */
export interface SealedSigningSecret {
  readonly payeeId: PayeeId;
  readonly secretId: string;
  readonly sealed: Buffer;
}

/** A webhook as its maker sees it, this once. */
export interface FreshWebhook {
  readonly webhook: Webhook;
  readonly secret: Secret;
  /** Whether an earlier request with the same `Idempotency-Key` has made it. */
  readonly isReplay: boolean;
}

/** A secret that took another one's place. */
export interface RotatedSecret {
  readonly secret: Secret;
  /** When the one before it ends; null where there was none. */
  readonly oldExpiresAt: string | null;
}

/** Whether an event has reached a webhook. */
export type DeliveryState = 'Waiting' | 'Delivered' | 'GivenUp';

/** One event on its way to one webhook, or to the address that it asks for. Its id is the event's position in the feed. */
export interface Delivery extends WebhookKey {
  readonly position: number;
  /** Where it is posted to. */
  readonly url: string;
  readonly isCallback: boolean;
  readonly eventId: string;
  readonly type: string;
  readonly resourceKind: string;
  readonly resourceId: string;
  readonly state: DeliveryState;
  /** Tries in the present series. */
  readonly tries: number;
  readonly createdAt: string;
  readonly nextTryAt: string | null;
  readonly settledAt: string | null;
}

/** Whose deliveries: a webhook's, or null for the callbacks of the payee's payments. */
export interface DeliveryLogKey {
  readonly payeeId: PayeeId;
  readonly webhookId: WebhookId | null;
}

/** Which deliveries of a webhook. */
export interface DeliveryFilter {
  /** Undefined: in whatever state. */
  readonly state?: DeliveryState | undefined;
  /** Older than this one; undefined: from the latest. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/**
 * Why a try did not work. `status`: the receiver's answer was no success. `redirect`: it named another address.
 * `address-refused`: it has no public address. `set-aside`: two processes ended while it was under way. `internal-error`: ours.
 */
export type DeliveryFailure =
  | 'status'
  | 'redirect'
  | 'time-out'
  | 'no-connection'
  | 'unknown-host'
  | 'tls'
  | 'address-refused'
  | 'set-aside'
  | 'internal-error';

/** One entry of the log of deliveries. */
export interface DeliveryTry {
  readonly triedAt: string;
  /** Of the answer; null where there was none. */
  readonly status: number | null;
  /** Why it did not work, in a word; null where it did. */
  readonly failure: DeliveryFailure | null;
  /** The beginning of the answer's body. */
  readonly answer: string;
  readonly durationMs: number;
}

/** What an event's callback is; null where it asks for none. */
export interface CallbackMembers {
  readonly callbackUrl: string | null;
  readonly callbackBody: Readonly<Record<string, unknown>> | null;
}

/** A delivery with its log, and with what is sent. */
export interface DeliveryDetails extends Delivery {
  readonly body: string;
  readonly log: readonly DeliveryTry[];
}

/** A delivery that was taken out to be tried. */
export interface TakenDelivery extends FeedEvent, CallbackMembers {
  readonly webhookId: WebhookId;
  /** This one included: it names the try, so that a process settles only its own. */
  readonly tries: number;
  /** Ends of processes while it was under way; with the second one it is set aside, and not to be tried. */
  readonly crashes: number;
}

/** A POST to an address outside. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What came of it. */
export interface PostOutcome {
  readonly status: number | null;
  readonly failure: DeliveryFailure | null;
  readonly answer: string;
  readonly durationMs: number;
}

/** Sends to addresses outside, and to none of our own network. It never throws. */
export interface Sender {
  send(post: Post): Promise<PostOutcome>;
  /** Closes the connections that it keeps. */
  close(): void;
}

/** What delivering needs. */
export interface DeliveryContext extends Kontor, JobContext {
  readonly sender: Sender;
  /** Masks card numbers in what others answer. */
  readonly maskCardNumbers: (text: string) => string;
}

/** What the commands of this slice need: see `CommandRuntime`. */
export interface EventsService {
  readonly transact: Transact;
  readonly read: Read;
  readonly events: Kontor;
  readonly whichPayee: (payee: string | undefined) => Promise<PayeeId>;
}

/** How long the oldest of each has waited, in seconds, and how many there are. */
export interface EventMeasures {
  /** An event without a position, since it happened. */
  readonly unplacedSeconds: number;
  /** A delivery to a webhook that is not disabled, since its event got its position. */
  readonly undeliveredSeconds: number;
  /** Webhooks that take nothing. */
  readonly suspendedWebhooks: number;
  /** Deliveries that were given up in the last day. */
  readonly givenUp: number;
}
