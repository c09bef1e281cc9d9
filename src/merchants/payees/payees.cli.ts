import { COMMAND_LINE } from '../../kit/caller.ts';
import { type Command, command, type Given, needed, optional, rest } from '../../kit/command.ts';
import { formatTable } from '../../kit/table.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { PayeesRuntime } from '../merchants.types.ts';
import { createPayee } from './create-payee.ts';
import { setGivingLimits } from './giving-limits.ts';
import { close, resume, suspend } from './payee-states.cli.ts';
import { selectPayees } from './payees.store.ts';
import { setTimeZone } from './time-zone.ts';
import { whichPayee } from './which-payee.ts';

const create = command({
  name: 'create',
  about: 'create a payee',
  takes: { name: needed('<name>', 'its name, for people') },
  json: 'print {"payeeId"}',
  run: async ({ withService }: PayeesRuntime, { name }) => ({
    payeeId: await withService(({ transact, merchants }) =>
      transact((transaction) => createPayee(transaction, merchants, { name, actor: COMMAND_LINE })),
    ),
  }),
  show: ({ payeeId }) => [
    `Created the payee ${payeeId}.`,
    `Next, its first credential: kontor access-tokens create --payee ${payeeId} --name NAME --scopes LIST`,
  ],
});

const list = command({
  name: 'list',
  about: 'show all payees, the oldest first',
  json: 'print an array of {"payeeId", "name", "createdAt", "timeZone", "state", "stateReason", "stateBy"}',
  run: async ({ withService }: PayeesRuntime) => {
    const { rows } = await withService(({ transact }) => transact((transaction) => selectPayees(transaction, null)));
    return rows;
  },
  show: (payees) =>
    payees.length === 0
      ? 'There is no payee yet. `kontor payees create --name NAME` makes one.'
      : formatTable(
          ['payee', 'created', 'state', 'name'],
          payees.map(({ payeeId, createdAt, state, name }) => [payeeId, createdAt, state, name]),
        ),
});

const SETTINGS = {
  what: rest('[what...]', "settings of the payee's orders as name=value, or name=default; for limits the payee's id"),
  payee: optional('<id>', 'whose settings; may be left out while there is one payee. Without settings: show them'),
  confirmAbove: optional('<amount>', 'limit: above it the password again: whole crowns, euros or the like, or none'),
  secondPersonAbove: optional('<amount>', 'limit: above it another person must agree; likewise'),
  currency: optional(
    '<code>',
    'limits in this currency alone, as in EUR (default: in all without limits of their own)',
  ),
  timeZone: optional('<name>', 'where its days begin, as in Europe/Oslo; goes alone'),
};

const set = command({
  name: 'set',
  about: "change what holds for a payee: settings of its payment orders, or limits of the portal's pages",
  args: ['what'],
  takes: SETTINGS,
  json: 'print {"confirmAbove", "secondPersonAbove"}, or an array of settings',
  run: (runtime: PayeesRuntime, given) => {
    const { what, payee, timeZone, confirmAbove, secondPersonAbove, currency } = given;
    if (timeZone !== undefined) return setZone(runtime, { ...given, timeZone });
    if (confirmAbove !== undefined || secondPersonAbove !== undefined) return setLimits(runtime, given);
    if (currency !== undefined) throw new Trouble(BOTH_LIMITS);
    return runtime.setForPayee(payee, what.map(readChange));
  },
  asJson: ({ settings }) => settings,
  show: ({ described }) => described,
});

type Settings = Given<typeof SETTINGS>;

const BOTH_LIMITS = 'Limits need both: --confirm-above and --second-person-above.';

/** The name and the value of `name=value`. */
function readChange(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Trouble('Settings are written name=value. `kontor payees set --payee ID` shows them all.');
  return [text.slice(0, at), text.slice(at + 1)];
}

async function setLimits(
  { withService }: PayeesRuntime,
  { what, payee = what[0], confirmAbove, secondPersonAbove, currency }: Settings,
) {
  if (confirmAbove === undefined || secondPersonAbove === undefined) throw new Trouble(BOTH_LIMITS);
  if (what.some((text) => text !== payee))
    throw new Trouble('Limits and settings of orders are set one after the other.');
  const settings = await withService(({ transact }) =>
    transact(async (transaction) => {
      const payeeId = await whichPayee(transaction, payee);
      const asked = { payeeId, currency, confirmAbove, secondPersonAbove, actor: COMMAND_LINE };
      return setGivingLimits(transaction, asked);
    }),
  );
  return {
    settings,
    described: `Set: the password above ${confirmAbove}, a second person above ${secondPersonAbove}.`,
  };
}

async function setZone(
  { withService }: PayeesRuntime,
  {
    what,
    payee = what[0],
    timeZone,
    confirmAbove,
    secondPersonAbove,
    currency,
  }: Settings & { readonly timeZone: string },
) {
  if (what.some((text) => text !== payee) || (confirmAbove ?? secondPersonAbove ?? currency) !== undefined) {
    throw new Trouble('--time-zone goes alone, with the payee: set the rest by a command of its own.');
  }
  await withService(({ transact }) =>
    transact(async (transaction) => {
      const payeeId = await whichPayee(transaction, payee);
      await setTimeZone(transaction, { payeeId, timeZone, actor: COMMAND_LINE });
    }),
  );
  return { settings: { timeZone }, described: `Set: days begin at midnight of ${timeZone}.` };
}

/** `payees …`. */
export const payeeCommands: readonly Command<PayeesRuntime>[] = [create, list, set, suspend, resume, close];
