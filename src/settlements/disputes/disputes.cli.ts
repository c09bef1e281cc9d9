import type { Command } from 'commander';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { formatMoney } from '../../kit/money.ts';
import { formatTable } from '../../kit/table.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import {
  type AskedPeriod,
  FROM,
  LISTED,
  type Options,
  PAYEE,
  refuseNoId,
  refuseNoPeriod,
  TO,
  told,
} from '../asked.cli.ts';
import { describeWaiting } from '../describe-settlements.ts';
import type { SettlementService } from '../settlements.types.ts';
import { selectDispute, selectDisputes } from './disputes.store.ts';
import { DISPUTE_STATES, type Dispute, type DisputeState, type DisputeStep } from './disputes.types.ts';

type Runtime = CommandRuntime<SettlementService>;

/** Adds `disputes …`. */
export function disputeCommands(program: Command, runtime: Runtime): void {
  const disputes = program.command('disputes').description('what holders of cards have asked back through their banks');
  addReads(disputes, runtime);
  addStep(disputes, runtime, {
    name: 'accept',
    description: 'let the money go',
    stepOf: () => 'accept',
  });
  addStep(disputes, runtime, {
    name: 'represent',
    description: 'note that the acquirer was told why the money is the payee’s',
    stepOf: () => 'represent',
  });
  addStep(disputes, runtime, {
    name: 'close',
    description: 'note how it ended, where no line of a file says so',
    stepOf: ({ outcome }) => {
      if (outcome === 'won') return 'win';
      if (outcome === 'lost') return 'lose';
      throw new Trouble('--outcome takes won or lost.');
    },
  });
}

function addReads(disputes: Command, runtime: Runtime): void {
  disputes
    .command('list')
    .description('show disputes, the latest first')
    .option('--state <state>', `only those that are ${DISPUTE_STATES.join(', ')}`)
    .option(...FROM)
    .option(...TO)
    .option(...PAYEE)
    .option('--json', 'print an array; amounts are in minor units')
    .action(async ({ state, from, to, payee, json }: Options & AskedPeriod & { state?: string }) => {
      refuseNoPeriod({ from, to });
      if (state !== undefined && !DISPUTE_STATES.includes(state as DisputeState)) {
        throw new Trouble(`--state takes one of ${DISPUTE_STATES.join(', ')}.`);
      }
      const found = await runtime.withService(async ({ read, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        return selectDisputes(read, {
          payeeId,
          state: state as DisputeState,
          from,
          to,
          after: undefined,
          limit: LISTED,
        });
      });
      if (json) return runtime.print(JSON.stringify(found));
      runtime.print(found.length === 0 ? 'There is no dispute.' : table(found));
    });
  disputes
    .command('show')
    .description('show one dispute')
    .argument('<dispute>', 'its id')
    .option(...PAYEE)
    .option('--json', 'print an object; amounts are in minor units')
    .action(async (disputeId: string, { payee, json }: Options) => {
      refuseNoId(disputeId);
      const found = await runtime.withService(async ({ read, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        return selectDispute({ run: read }, payeeId, disputeId);
      });
      if (found === undefined) throw new Trouble('There is no such dispute.');
      runtime.print(json ? JSON.stringify(found) : table([found]));
    });
}

interface Step {
  readonly name: 'accept' | 'represent' | 'close';
  readonly description: string;
  readonly stepOf: (options: { readonly outcome?: string }) => DisputeStep;
}

function addStep(disputes: Command, runtime: Runtime, { name, description, stepOf }: Step): void {
  const command = disputes.command(name).description(description).argument('<dispute>', 'its id');
  if (name === 'close') command.requiredOption('--outcome <outcome>', 'won or lost');
  command
    .option(...PAYEE)
    .option('--json', 'print the dispute, and "waitsFor" where another person must agree')
    .action(async (disputeId: string, options: Options & { outcome?: string }) => {
      const step = stepOf(options);
      refuseNoId(disputeId);
      const { changed, waiting } = await runtime.withService(async ({ act, read, whichPayee }) => {
        const payeeId = await whichPayee(options.payee);
        const waiting = await act('dispute', { payeeId, params: { disputeId }, body: { step } });
        return { changed: await selectDispute({ run: read }, payeeId, disputeId), waiting };
      });
      if (options.json) return runtime.print(JSON.stringify({ ...changed, ...told(waiting) }));
      runtime.print(waiting === undefined ? `It is ${changed?.state.toLowerCase()}.` : describeWaiting(waiting));
    });
}

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
