import { type Command, command, needed, optional } from '../../kit/command.ts';
import { formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { LISTED, PAYEE, PERIOD, readId, refuseNoPeriod, told } from '../asked.cli.ts';
import { describeWaiting } from '../describe-settlements.ts';
import type { SettlementRuntime } from '../settlements.types.ts';
import { selectDispute, selectDisputes } from './disputes.store.ts';
import { DISPUTE_STATES, type Dispute, type DisputeStep } from './disputes.types.ts';

const DISPUTE = needed('<dispute>', 'its id', readId);

const list = command({
  name: 'list',
  about: 'show disputes, the latest first',
  takes: {
    state: optional('<state>', `only those that are ${DISPUTE_STATES.join(', ')}`, (text) => {
      const known = DISPUTE_STATES.find((state) => state === text);
      if (known === undefined) throw new Trouble(`It takes one of ${DISPUTE_STATES.join(', ')}.`);
      return known;
    }),
    ...PERIOD,
    payee: PAYEE,
  },
  json: 'print an array; amounts are in minor units',
  run: ({ withService }: SettlementRuntime, { state, from, to, payee }) => {
    refuseNoPeriod({ from, to });
    return withService(async ({ read, whichPayee }) => {
      const payeeId = await whichPayee(payee);
      return selectDisputes(read, { payeeId, state, from, to, after: undefined, limit: LISTED });
    });
  },
  show: (found) => (found.length === 0 ? 'There is no dispute.' : table(found)),
});

const show = command({
  name: 'show',
  about: 'show one dispute',
  args: ['dispute'],
  takes: { dispute: DISPUTE, payee: PAYEE },
  json: 'print an object; amounts are in minor units',
  run: async ({ withService }: SettlementRuntime, { dispute: disputeId, payee }) => {
    const found = await withService(async ({ read, whichPayee }) =>
      selectDispute({ run: read }, await whichPayee(payee), disputeId),
    );
    if (found === undefined) throw new Trouble('There is no such dispute.');
    return found;
  },
  show: (found) => table([found]),
});

const STEP = { dispute: DISPUTE, payee: PAYEE };

interface Step {
  readonly runtime: SettlementRuntime;
  readonly disputeId: string;
  readonly payee: string | undefined;
  readonly step: DisputeStep;
}

function take({ runtime, disputeId, payee, step }: Step) {
  return runtime.withService(async ({ act, read, whichPayee }) => {
    const payeeId = await whichPayee(payee);
    const waiting = await act('dispute', { payeeId, params: { disputeId }, body: { step } });
    return { changed: await selectDispute({ run: read }, payeeId, disputeId), waiting };
  });
}

type Taken = Awaited<ReturnType<typeof take>>;

/** What every step prints. */
const TAKEN = {
  args: ['dispute'] as const,
  json: 'print the dispute, and "waitsFor" where another person must agree',
  asJson: ({ changed, waiting }: Taken) => ({ ...changed, ...told(waiting) }),
  show: ({ changed, waiting }: Taken) =>
    waiting === undefined ? `It is ${changed?.state.toLowerCase()}.` : describeWaiting(waiting),
};

const accept = command({
  ...TAKEN,
  name: 'accept',
  about: 'let the money go',
  takes: STEP,
  run: (runtime: SettlementRuntime, { dispute: disputeId, payee }) =>
    take({ runtime, disputeId, payee, step: 'accept' }),
});

const represent = command({
  ...TAKEN,
  name: 'represent',
  about: 'note that the acquirer was told why the money is the payee’s',
  takes: STEP,
  run: (runtime: SettlementRuntime, { dispute: disputeId, payee }) =>
    take({ runtime, disputeId, payee, step: 'represent' }),
});

const close = command({
  ...TAKEN,
  name: 'close',
  about: 'note how it ended, where no line of a file says so',
  takes: {
    dispute: DISPUTE,
    outcome: needed('<outcome>', 'won or lost', (text): DisputeStep => {
      if (text === 'won') return 'win';
      if (text === 'lost') return 'lose';
      throw new Trouble('It takes won or lost.');
    }),
    payee: PAYEE,
  },
  run: (runtime: SettlementRuntime, { dispute: disputeId, outcome, payee }) =>
    take({ runtime, disputeId, payee, step: outcome }),
});

/** `disputes …`. */
export const disputeCommands: readonly Command<SettlementRuntime>[] = [list, show, accept, represent, close];

function table(disputes: readonly Dispute[]): string {
  return formatTable(
    ['dispute', 'case', 'stage', 'state', 'amount', 'taken', 'refunded', 'reason', 'category', 'respond by', 'payment'],
    disputes.map((one) => [
      one.disputeId,
      one.caseId,
      one.stage,
      one.state,
      formatMoney(one.amount, one.currency),
      formatMoney(one.taken, one.paymentCurrency),
      formatMoney(one.refunded, one.paymentCurrency),
      one.reasonCode ?? '',
      one.category ?? '',
      one.respondBy ?? '',
      one.paymentId,
    ]),
  );
}
