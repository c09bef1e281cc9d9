import type { Command } from 'commander';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { isDay } from '../../kit/instants.ts';
import { formatMoney } from '../../kit/money.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { findCardByNumber, getCard } from './get-card.ts';
import type { AskStep, CardShown, LifeContext, LifeRuntime, LifeService, Replacement } from './life.types.ts';
import { addSweepExpired, isMany, type ManyOptions, type ManyStep, runMany, withMany } from './many-cards.cli.ts';
import { replaceCard } from './replace-card.ts';
import { blockCard, extendCard, mergeCard, restoreCard, sweepCard, unblockCard, voidCard } from './take-step.ts';

interface CardOptions {
  readonly number?: true;
  readonly payee?: string;
  readonly json?: true;
}

interface StepOptions extends CardOptions, ManyOptions {
  readonly reference?: string;
  readonly into?: string;
}

/** A card as it is now, and the one in its place where it was replaced. */
type Shown = CardShown & { readonly replacement?: Replacement };

interface StepCommand {
  readonly name: string;
  readonly description: string;
  /** What it takes beside a card, as commander writes it. */
  readonly needs?: readonly [flags: string, description: string];
  /** What many cards take by it; absent where it is of one card alone. */
  readonly many?: ManyStep;
  readonly take: (context: LifeContext, ask: AskStep & Needed) => Promise<Shown>;
}

interface Needed {
  readonly into: string;
  readonly until: string;
}

const STEP_COMMANDS: readonly StepCommand[] = [
  {
    name: 'block',
    description: 'keep cards from being spent and loaded: one, or many',
    many: 'Block',
    take: blockCard,
  },
  {
    name: 'unblock',
    description: 'end the block of cards: one that was asked for, or the one after wrong codes',
    many: 'Unblock',
    take: unblockCard,
  },
  { name: 'void', description: 'end a card that has not been used, and give its deposit back', take: voidCard },
  {
    name: 'merge',
    description: 'move all that is on a card to another one, and end it',
    needs: ['--into <account>', 'the card that takes the money'],
    take: mergeCard,
  },
  {
    name: 'extend',
    description: 'give cards more time, also when they have expired; codes and what is printed on them stay',
    many: 'Extend',
    needs: ['--until <day>', 'its last day, as in 2028-11-30'],
    take: extendCard,
  },
  {
    name: 'restore',
    description: 'take the sweep of a card back, and give it time to be spent',
    needs: ['--until <day>', 'its last day, as in 2028-11-30'],
    take: restoreCard,
  },
  {
    name: 'replace',
    description: 'put a new card in the place of a lost one, and print its number',
    take: replaceCard,
  },
];

/** Adds what `kontor gift-cards` does with one card, and `gift-cards sweep`. */
export function lifeCommands(cards: Command, runtime: LifeRuntime): void {
  addShow(cards, runtime);
  for (const step of STEP_COMMANDS) addStep(cards, runtime, step);
  addSweepExpired(cards, runtime, (account, options) =>
    run(runtime, { name: 'sweep', description: '', take: sweepCard }, account, options),
  );
}

function addShow(cards: Command, runtime: LifeRuntime): void {
  withCard(cards.command('show').description('show a card, and what can be done with it')).action(
    async (account: string | undefined, options: CardOptions) => {
      const shown = await runtime.withService(async (service) => {
        const named = await whichCard(runtime, service, { account, ...options });
        return getCard(service.life, named.payeeId, { ...named, actor: COMMAND_LINE });
      });
      print(runtime, shown, options);
    },
  );
}

function addStep(cards: Command, runtime: LifeRuntime, step: StepCommand): void {
  const command = withStep(withCard(cards.command(step.name).description(step.description)));
  if (step.needs !== undefined) command.requiredOption(...step.needs);
  const { many } = step;
  if (many !== undefined) withMany(command);
  command.action((account: string | undefined, options: StepOptions) => {
    if (many !== undefined && account === undefined && !options.number && !isMany(options)) {
      throw new Trouble(
        'Name the card by its account or --number, or say which many: --product, --file or days. See --help.',
      );
    }
    if (many === undefined || !isMany(options)) return run(runtime, step, account, options);
    if (account !== undefined || options.number) throw new Trouble('Name one card, or say which many: not both.');
    return runMany(runtime, many, options);
  });
}

/** Options of every command about one card. */
function withCard(command: Command): Command {
  return command
    .argument('[account]', 'the card, by the id of its account')
    .option('--number', 'read its number from the standard input instead')
    .option('--payee <id>', 'whose it is; may be left out while there is one payee')
    .option('--json', 'print the card');
}

/** Options of every step. */
function withStep(command: Command): Command {
  return command
    .option('--reference <text>', 'names the step, so that repeating it is safe (default: a new one)')
    .option('--reason <text>', 'why; stored with the step');
}

async function run(
  runtime: LifeRuntime,
  { take }: StepCommand,
  account: string | undefined,
  options: StepOptions,
): Promise<void> {
  const shown = await runtime.withService(async (service) => {
    const transactionRef = options.reference ?? service.life.newId();
    const { reason, into = '', until = '' } = options;
    if (options.until !== undefined && !isDay(until)) throw new Trouble('A day is written as in 2028-11-30.');
    service.checkWords({ transactionRef, ...(reason !== undefined && { reason }) });
    const named = await whichCard(runtime, service, { account, ...options });
    return take(service.life, { ...named, actor: COMMAND_LINE, transactionRef, reason, into, until });
  });
  print(runtime, shown, options);
}

interface NamedCard extends CardOptions {
  readonly account: string | undefined;
}

/** The card that the words name: by its account's id, or by a number that is read and never an argument. */
async function whichCard(
  runtime: LifeRuntime,
  { transact, life, whichPayee }: LifeService,
  { account, number, payee }: NamedCard,
): Promise<{ readonly payeeId: PayeeId; readonly paymentAccountId: string }> {
  if ((account === undefined) === (number === undefined)) {
    throw new Trouble(
      "Name the card by its account's id, or have its number read from the standard input by --number.",
    );
  }
  const secret = number && (await runtime.readNumber());
  return transact(async (transaction) => {
    const payeeId = await whichPayee(transaction, payee);
    if (secret === undefined) return { payeeId, paymentAccountId: account ?? '' };
    return { payeeId, paymentAccountId: await findCardByNumber(transaction, life, { payeeId, number: secret }) };
  });
}

function print(runtime: LifeRuntime, shown: Shown, { json }: CardOptions): void {
  if (json) {
    runtime.print(JSON.stringify(asJson(shown)));
    return;
  }
  const { card, state, possible, replacement } = shown;
  const held = card.held === 0 ? '' : `, and ${formatMoney(card.held, card.currency)} held`;
  runtime.print(`${card.accountId} (${card.numberMasked}) is ${state.toLowerCase()}.`);
  runtime.print(
    `${formatMoney(card.available, card.currency)} available${held}. Good until ${card.extendedTo ?? card.expiresOn}.`,
  );
  if (possible.length > 0) runtime.print(`Possible: ${possible.map((step) => step.toLowerCase()).join(', ')}.`);
  if (replacement === undefined) return;
  const { number, cvc } = revealed(replacement);
  runtime.print(
    `In its place: ${replacement.card.accountId}, number ${number}${cvc === undefined ? '' : `, cvc ${cvc}`}.`,
  );
}

function asJson({ card, state, possible, replacement }: Shown): object {
  const { accountId, numberMasked, productId, currency, available, held, expiresOn, mergedInto, replacedBy } = card;
  const others = { ...(mergedInto !== null && { mergedInto }), ...(replacedBy !== null && { replacedBy }) };
  return {
    accountId,
    number: numberMasked,
    state,
    productId,
    currency,
    balance: available,
    held,
    expiryDate: expiresOn,
    ...(card.extendedTo !== null && { goodUntil: card.extendedTo }),
    possible: possible.map((step) => step.toLowerCase()),
    ...others,
    ...(replacement !== undefined && {
      replacement: { accountId: replacement.card.accountId, ...revealed(replacement), expiryDate: expiresOn },
    }),
  };
}

/** The new number and code while they are shown, else the number masked. */
function revealed({ card, secrets }: Replacement): { readonly number: string; readonly cvc?: string } {
  if (secrets === undefined) return { number: card.numberMasked };
  return { number: secrets.number.reveal(), cvc: secrets.cvc.reveal() };
}
