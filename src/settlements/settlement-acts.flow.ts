import type { Read, Transact } from '../db/transaction.types.ts';
import type { AskedAct, WeighedAct } from '../kit/given.ts';
import type { DisputeStep } from './disputes/disputes.types.ts';
import { changeDispute, givenByStep } from './disputes/save-dispute.ts';
import { givenByWithdrawing, withdrawBatch } from './files/withdraw-batch.ts';
import { givenByResolving, resolveOnce } from './resolve-difference.ts';
import type { DifferenceOutcome, SettlementActs, SettlementContext } from './settlements.types.ts';

/** What the acts of settlement need. */
export interface ActsContext extends Pick<SettlementContext, 'newId'> {
  readonly read: Read;
  readonly transact: Transact;
  /** The time of the database. */
  readonly now: (read: Read) => Promise<string>;
}

/** A difference that is to be ended: its id is in the address. */
export interface ResolveAsked {
  readonly outcome: DifferenceOutcome;
  readonly reason: string;
}

/** A batch that is to be withdrawn: that very one. Its acquirer and name, which the request has too, are for people. */
export interface WithdrawAsked {
  readonly number: number;
  readonly reason: string;
}

/** What people book by hand. Both may wait for another person, so each is done once however often it is run. */
export function settlementActs(context: ActsContext): SettlementActs {
  return { resolve: resolving(context), withdraw: withdrawing(context), dispute: disputing(context) };
}

function resolving({ read, transact, newId, now }: ActsContext): WeighedAct {
  const askedOf = ({ payeeId, params: { differenceId = '' }, body }: AskedAct) => ({
    payeeId,
    differenceId,
    ...(body as ResolveAsked),
  });
  return {
    operationId: 'resolveDifference',
    gives: (asked) => givenByResolving(read, askedOf(asked)),
    run: (asked, actor) =>
      transact(async (transaction) => {
        const command = { ...askedOf(asked), actor, now: await now(transaction.run) };
        await resolveOnce(transaction, { newId }, command);
      }),
  };
}

function withdrawing({ read, transact, newId, now }: ActsContext): WeighedAct {
  const askedOf = ({ payeeId, body }: AskedAct) => {
    const { number, reason } = body as WithdrawAsked;
    return { payeeId, number, reason };
  };
  return {
    operationId: 'withdrawBatch',
    gives: (asked) => givenByWithdrawing(read, askedOf(asked)),
    run: (asked, actor) =>
      transact(async (transaction) => {
        const command = { ...askedOf(asked), actor, now: await now(transaction.run) };
        await withdrawBatch(transaction, { newId }, command);
      }),
  };
}

function disputing({ read, transact }: ActsContext): WeighedAct {
  const askedOf = ({ payeeId, params: { disputeId = '' }, body }: AskedAct) => ({
    payeeId,
    disputeId,
    ...(body as { readonly step: DisputeStep }),
  });
  return {
    operationId: 'changeDispute',
    gives: (asked) => givenByStep(read, askedOf(asked)),
    run: async (asked, actor, weighed) => {
      const most = weighed ?? NOTHING;
      await transact((transaction) => changeDispute(transaction, { ...askedOf(asked), actor, most }));
    },
  };
}

/** Of a step that let nothing go when it was weighed. */
const NOTHING = { amount: 0, currency: '' };
