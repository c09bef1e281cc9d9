import type { Actor } from './caller.ts';
import type { PayeeId } from './ids.ts';

/** What a request is about: it is shown to the second person, who decides. */
export interface GivenObject {
  readonly kind: 'payment' | 'order' | 'gift-card' | 'product' | 'difference' | 'batch' | 'dispute';
  readonly id: string;
}

/** An amount that was weighed. */
export interface WeighedAmount {
  /** In the smallest unit of the currency. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** What a request to the API was weighed as, or agreed to as. */
export interface WeighedRequest extends WeighedAmount {
  /** What it is about; null: it was asked for before that was kept. */
  readonly objectId: string | null;
}

/** An amount that a request gives away. */
export interface Given extends WeighedAmount {
  readonly object: GivenObject;
  /** The gift card that takes the money of another one. */
  readonly into?: string | undefined;
  /** How many gift cards it is about, where they are not named one by one. */
  readonly cards?: number | undefined;
  /** Why, in the words of the person who asks. */
  readonly reason?: string | undefined;
  /** In which of several ways the object is ended: each is asked for by itself. */
  readonly way?: string | undefined;
  /** Whether another person must agree whatever the amount is, where the payee has a limit for it at all. */
  readonly needsSecondPerson?: true | undefined;
}

/** An act as it is asked for, and kept until another person has agreed. */
export interface AskedAct {
  readonly payeeId: PayeeId;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Something that a person does, by a page or by a command, and that may need another one. */
export interface WeighedAct {
  /** The operation of the portal that does it: who may do it may agree to it. */
  readonly operationId: string;
  /** What is given away by it; undefined where nothing is. */
  readonly gives: (asked: AskedAct) => Promise<Given | undefined>;
  /** Does it. Twice is as once. What can give away more than was weighed, or agreed to, refuses that; undefined: nothing was. */
  readonly run: (asked: AskedAct, actor: Actor, weighed: WeighedAmount | undefined) => Promise<void>;
}

/** Who does it. */
export interface ActingPerson {
  readonly actor: Actor;
  /** Whether the password was given a moment ago. */
  readonly isReauthenticated: boolean;
}

/** What waits for another person. */
export interface WaitingAct {
  readonly changeId: string;
  /** ISO 8601 in UTC. */
  readonly expiresAt: string;
  readonly amount: number;
  readonly currency: string;
}

/** What pages that do such acts are given. */
export interface WeighedRoutes {
  readonly weighAct: WeighAct;
  /** Whether what always needs another person needs one in this currency: the payee has a limit for it at all. */
  readonly alwaysNeedsAnother: (where: { readonly payeeId: PayeeId; readonly currency: string }) => Promise<boolean>;
}

/** Does an act, or keeps it for another person: then it answers what waits. */
export type WeighAct = (act: WeighedAct, asked: AskedAct, person: ActingPerson) => Promise<WaitingAct | undefined>;
