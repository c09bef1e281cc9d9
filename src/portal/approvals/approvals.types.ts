import type { Transact } from '../../db/transaction.types.ts';
import type { KeyRing } from '../../keys/keys.types.ts';
import type { Actor } from '../../kit/caller.ts';
import type { GivingLimits } from '../../kit/giving-limits.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Role } from '../../kit/portal-user.ts';

/** `Expired`: not decided in time. `Impossible`: agreed to, and refused when it was carried out. */
export type ChangeState = 'Pending' | 'Expired' | 'Approved' | 'Done' | 'Refused' | 'Impossible';

/** Names one pending change. */
export interface ChangeKey {
  readonly payeeId: PayeeId;
  readonly changeId: string;
}

/** What waits, or waited, for another person. Times are ISO 8601 in UTC. */
export interface PendingChange extends ChangeKey {
  readonly operationId: string;
  /** What the address of the operation names; null where it makes something new. */
  readonly objectId: string | null;
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
export interface HeldChange
  extends Pick<PendingChange, 'payeeId' | 'changeId' | 'operationId' | 'askedBy' | 'state' | 'decidedBy'> {
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

/** What weighing and deciding need. */
export interface ApprovalsContext {
  readonly transact: Transact;
  readonly keyRing: KeyRing;
  readonly newId: () => string;
  /** For payees that have none of their own. */
  readonly defaultLimits: GivingLimits;
}

/** What a page is told whose request waits for another person. */
export interface WaitingChange
  extends Pick<PendingChange, 'changeId' | 'state' | 'expiresAt' | 'amount' | 'currency'> {}

/** Carries out an operation of the API in the name of the person who asked for it; answers what it answers. */
export type CarryOut = (change: HeldChange, request: KeptRequest, actor: Actor) => Promise<unknown>;

/** What deciding needs beside. */
export interface DecidingContext extends ApprovalsContext {
  readonly carryOut: CarryOut;
}
