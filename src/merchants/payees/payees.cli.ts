import type { Command } from 'commander';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { formatTable } from '../../kit/table.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { MerchantsService, SetForPayee } from '../merchants.types.ts';
import { createPayee } from './create-payee.ts';
import { setGivingLimits } from './giving-limits.ts';
import { payeeStateCommands } from './payee-states.cli.ts';
import { selectPayees } from './payees.store.ts';
import { setTimeZone } from './time-zone.ts';
import { whichPayee } from './which-payee.ts';

/** Adds `payees create`, `list`, `set`, and what stops one. */
export function payeeCommands(
  program: Command,
  runtime: CommandRuntime<MerchantsService>,
  setForPayee: SetForPayee,
): void {
  const payees = program.command('payees').description('the merchants that this installation serves');

  payees
    .command('create')
    .description('create a payee')
    .requiredOption('--name <name>', 'its name, for people')
    .option('--json', 'print {"payeeId"}')
    .action(async (options: { name: string; json?: true }) => {
      const payeeId = await runtime.withService(({ transact, merchants }) =>
        transact((transaction) => createPayee(transaction, merchants, { name: options.name, actor: COMMAND_LINE })),
      );
      if (options.json) return runtime.print(JSON.stringify({ payeeId }));
      runtime.print(`Created the payee ${payeeId}.`);
      runtime.print(
        `Next, its first credential: kontor access-tokens create --payee ${payeeId} --name NAME --scopes LIST`,
      );
    });

  payees
    .command('list')
    .description('show all payees, the oldest first')
    .option(
      '--json',
      'print an array of {"payeeId", "name", "createdAt", "timeZone", "state", "stateReason", "stateBy"}',
    )
    .action(async (options: { json?: true }) => {
      const { rows: all } = await runtime.withService(({ transact }) =>
        transact((transaction) => selectPayees(transaction, null)),
      );
      if (options.json) return runtime.print(JSON.stringify(all));
      if (all.length === 0)
        return runtime.print('There is no payee yet. `kontor payees create --name NAME` makes one.');
      const rows = all.map(({ payeeId, createdAt, state, name }) => [payeeId, createdAt, state, name]);
      runtime.print(formatTable(['payee', 'created', 'state', 'name'], rows));
    });

  payees
    .command('set')
    .argument('[what...]', "settings of the payee's orders as name=value, or name=default; for limits the payee's id")
    .description("change what holds for a payee: settings of its payment orders, or limits of the portal's pages")
    .option('--payee <id>', 'whose settings; may be left out while there is one payee. Without settings: show them')
    .option('--confirm-above <amount>', 'limit: above it the password again: whole crowns, euros or the like, or none')
    .option('--second-person-above <amount>', 'limit: above it another person must agree; likewise')
    .option(
      '--currency <code>',
      'limits in this currency alone, as in EUR (default: in all without limits of their own)',
    )
    .option('--time-zone <name>', 'where its days begin, as in Europe/Oslo; goes alone')
    .option('--json', 'print {"confirmAbove", "secondPersonAbove"}, or an array of settings')
    .action(async (what: readonly string[], options: SetOptions) => {
      if (options.timeZone !== undefined) return setZone(runtime, what, { ...options, timeZone: options.timeZone });
      if (options.confirmAbove !== undefined || options.secondPersonAbove !== undefined) {
        return setLimits(runtime, what, options);
      }
      if (options.currency !== undefined) throw new Trouble(BOTH_LIMITS);
      return setForPayee(options.payee, what.map(readChange), options);
    });

  payeeStateCommands(payees, runtime);
}

const BOTH_LIMITS = 'Limits need both: --confirm-above and --second-person-above.';

/** The name and the value of `name=value`. */
function readChange(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Trouble('Settings are written name=value. `kontor payees set --payee ID` shows them all.');
  return [text.slice(0, at), text.slice(at + 1)];
}

async function setLimits(
  runtime: CommandRuntime<MerchantsService>,
  what: readonly string[],
  { payee = what[0], confirmAbove, secondPersonAbove, currency, json }: SetOptions,
): Promise<void> {
  if (confirmAbove === undefined || secondPersonAbove === undefined) throw new Trouble(BOTH_LIMITS);
  if (what.some((text) => text !== payee))
    throw new Trouble('Limits and settings of orders are set one after the other.');
  const limits = await runtime.withService(({ transact }) =>
    transact(async (transaction) => {
      const payeeId = await whichPayee(transaction, payee);
      const command = { payeeId, currency, confirmAbove, secondPersonAbove, actor: COMMAND_LINE };
      return setGivingLimits(transaction, command);
    }),
  );
  if (json) return runtime.print(JSON.stringify(limits));
  runtime.print(`Set: the password above ${confirmAbove}, a second person above ${secondPersonAbove}.`);
}

async function setZone(
  runtime: CommandRuntime<MerchantsService>,
  what: readonly string[],
  { payee = what[0], timeZone, json, ...others }: SetOptions & { readonly timeZone: string },
): Promise<void> {
  if (what.some((text) => text !== payee) || Object.keys(others).length > 0) {
    throw new Trouble('--time-zone goes alone, with the payee: set the rest by a command of its own.');
  }
  await runtime.withService(({ transact }) =>
    transact(async (transaction) => {
      const payeeId = await whichPayee(transaction, payee);
      await setTimeZone(transaction, { payeeId, timeZone, actor: COMMAND_LINE });
    }),
  );
  runtime.print(json ? JSON.stringify({ timeZone }) : `Set: days begin at midnight of ${timeZone}.`);
}

interface SetOptions {
  readonly timeZone?: string;
  readonly payee?: string;
  readonly confirmAbove?: string;
  readonly secondPersonAbove?: string;
  readonly currency?: string;
  readonly json?: true;
}
