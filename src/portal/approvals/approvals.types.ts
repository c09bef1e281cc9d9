import type { Actor, KnownPerson } from '../../kit/caller.ts';
import type { GivenObject } from '../../kit/given.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Role } from '../../kit/portal-user.ts';
import type { Kontor } from '../../kontor.types.ts';

/** `Expired`: not decided in time. `Impossible`: agreed to, and refused when it was carried out. */
export type ChangeState = 'Pending' | 'Expired' | 'Approved' | 'Done' | 'Refused' | 'Impossible';

export type ObjectKind = GivenObject['kind'];

/** Names one pending change. */
export interface ChangeKey {
  readonly payeeId: PayeeId;
  readonly changeId: string;
}

/** A payment, an order, a gift card or a product, as the person who decides sees it. */
export interface ChangeObject {
  readonly kind: ObjectKind;
  readonly id: string;
  /** What people call it: a number, a masked number, a name; null where it has only its id. */
  readonly name: string | null;
  readonly reference: string | null;
  readonly payerReference: string | null;
  /** What can be given back of it, or what is on the card, in the smallest unit; null of a product. */
  readonly left: number | null;
}

/** A change as it is shown. */
export interface ShownChange extends PendingChange {
  readonly object: ChangeObject | null;
  readonly into: ChangeObject | null;
  /** What stays of it, or what is on the card, once it is done; below 0 where it is possible no longer. Null once it is over. */
  readonly afterwards: number | null;
}

/** What waits, or waited, for another person. Times are ISO 8601 in UTC. */
export interface PendingChange extends ChangeKey {
  readonly operationId: string;
  /** What it is about; null of a change from before this was kept. */
  readonly objectKind: ObjectKind | null;
  readonly objectId: string | null;
  /** The gift card that takes the money of another one. */
  readonly intoId: string | null;
  /** How many gift cards it is about, where they are not named one by one. */
  readonly cards: number | null;
  /** In which of several ways the object is ended: an outcome, or a step of a dispute. */
  readonly way: string | null;
  /** Why, in the words of the person who asked. */
  readonly reason: string | null;
  /** What waits for the same object beside it, in the smallest unit of the currency. */
  readonly waitingBeside: number;
  readonly currency: string;
  /** In the smallest unit of the currency. */
  readonly amount: number;
  readonly askedBy: string;
  readonly askedByName: string | null;
  readonly askedAt: string;
  readonly expiresAt: string;
  readonly state: ChangeState;
  readonly decidedBy: string | null;
  readonly decidedByName: string | null;
  readonly decidedAt: string | null;
  /** The code of the problem that made it impossible. */
  readonly problem: string | null;
}

/** A row that is to be decided on. */
export interface HeldChange extends Pick<PendingChange, 'payeeId' | 'changeId' | 'operationId' | 'objectId' | 'state'> {
  readonly askedBy: KnownPerson;
  readonly currency: string;
  readonly amount: number;
  readonly sealed: Buffer | null;
  readonly eventSequence: number;
  readonly now: string;
}

/** A request as it is kept until another person has decided. */
export interface KeptRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
}

/** Who decides. */
export interface Decider {
  readonly role: Role;
  readonly actor: Actor;
}

/** What a page is told whose request waits for another person. */
export interface WaitingChange
  extends Pick<PendingChange, 'changeId' | 'state' | 'expiresAt' | 'amount' | 'currency'> {}

/** Carries out an operation of the API in the name of the person who asked for it; answers what it answers. */
export type CarryOut = (change: HeldChange, request: KeptRequest, actor: Actor) => Promise<unknown>;

/** What deciding needs beside. */
export interface DecidingContext extends Kontor {
  readonly carryOut: CarryOut;
}
