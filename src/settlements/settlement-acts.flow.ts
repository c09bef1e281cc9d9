import type { Read } from '../db/transaction.types.ts';
import type { AskedAct, WeighedAct } from '../kit/given.ts';
import type { DisputeStep } from './disputes/disputes.types.ts';
import { changeDispute, givenByStep } from './disputes/save-dispute.ts';
import { givenByWithdrawing, withdrawBatch } from './files/withdraw-batch.ts';
import { givenByResolving, resolveOnce } from './resolve-difference.ts';
import type { DifferenceOutcome, SettlementActs, SettlementContext } from './settlements.types.ts';

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
export function settlementActs(context: SettlementContext, now: Now): SettlementActs {
  return { resolve: resolving(context, now), withdraw: withdrawing(context, now), dispute: disputing(context) };
}

/** The time of the database. */
type Now = (read: Read) => Promise<string>;

function resolving(context: SettlementContext, now: Now): WeighedAct {
  const { longWork: transact, background } = context.database;
  const askedOf = ({ payeeId, params: { differenceId = '' }, body }: AskedAct) => ({
    payeeId,
    differenceId,
    ...(body as ResolveAsked),
  });
  return {
    operationId: 'resolveDifference',
    gives: (asked) => givenByResolving(background.read, askedOf(asked)),
    run: (asked, actor) =>
      transact(async (transaction) => {
        const command = { ...askedOf(asked), actor, now: await now(transaction.run) };
        await resolveOnce(transaction, context, command);
      }),
  };
}

function withdrawing(context: SettlementContext, now: Now): WeighedAct {
  const { longWork: transact, background } = context.database;
  const askedOf = ({ payeeId, body }: AskedAct) => {
    const { number, reason } = body as WithdrawAsked;
    return { payeeId, number, reason };
  };
  return {
    operationId: 'withdrawBatch',
    gives: (asked) => givenByWithdrawing(background.read, askedOf(asked)),
    run: (asked, actor) =>
      transact(async (transaction) => {
        const command = { ...askedOf(asked), actor, now: await now(transaction.run) };
        await withdrawBatch(transaction, context, command);
      }),
  };
}

function disputing({ database }: SettlementContext): WeighedAct {
  const { longWork: transact, background } = database;
  const askedOf = ({ payeeId, params: { disputeId = '' }, body }: AskedAct) => ({
    payeeId,
    disputeId,
    ...(body as { readonly step: DisputeStep }),
  });
  return {
    operationId: 'changeDispute',
    gives: (asked) => givenByStep(background.read, askedOf(asked)),
    run: async (asked, actor, weighed) => {
      const most = weighed ?? NOTHING;
      await transact((transaction) => changeDispute(transaction, { ...askedOf(asked), actor, most }));
    },
  };
}

/** Of a step that let nothing go when it was weighed. */
const NOTHING = { amount: 0, currency: '' };
