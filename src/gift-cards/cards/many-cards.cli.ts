import type { Command } from 'commander';
import { COMMAND_LINE } from '../../kit/caller.ts';
import { isDay } from '../../kit/instants.ts';
import { type Currency, formatMoney } from '../../kit/money.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { CARD_FILE_LINE_BYTES, cardsOfFile } from './cards-of-file.ts';
import type { LifeRuntime, LifeService } from './life.types.ts';
import type { ManySteps, Selection, Touched } from './selection.types.ts';
import { takeManySteps } from './take-many-steps.ts';

/** What many cards are chosen by, as it was typed. */
export interface ManyOptions {
  readonly product?: string;
  readonly file?: string;
  readonly issuedFrom?: string;
  readonly issuedTo?: string;
  readonly expiredBefore?: string;
  readonly preview?: true;
  readonly until?: string;
  readonly reason?: string;
  readonly payee?: string;
  readonly json?: true;
}

/** A command that many cards can take. */
export type ManyStep = Extract<ManySteps['asked']['step'], 'Block' | 'Unblock' | 'Extend' | 'Sweep'>;

/** Adds what many cards are chosen by. */
export function withMany(command: Command): Command {
  return command
    .option('--product <id>', 'of many cards: those of this product')
    .option('--file <file>', 'of many cards: those that it names, as gift-cards issue or import has them')
    .option('--issued-from <day>', 'of many cards: those of this day or a later one')
    .option('--issued-to <day>', 'of many cards: those of this day or an earlier one')
    .option('--expired-before <day>', 'of many cards: those whose last day is before this one')
    .option('--preview', 'of many cards: say how many it would be, and do nothing');
}

/** Whether many cards are meant. */
export function isMany({ product, file, issuedFrom, issuedTo, expiredBefore }: ManyOptions): boolean {
  return [product, file, issuedFrom, issuedTo, expiredBefore].some((one) => one !== undefined);
}

/** Has many cards take a step, and prints how many these were. */
export async function runMany(runtime: LifeRuntime, step: ManyStep, options: ManyOptions): Promise<void> {
  const { issuedFrom, issuedTo, expiredBefore, until, preview, json } = options;
  for (const day of [issuedFrom, issuedTo, expiredBefore, until]) {
    if (day !== undefined && !isDay(day)) throw new Trouble('A day is written as in 2028-11-30.');
  }
  if (issuedFrom !== undefined && issuedTo !== undefined && issuedFrom > issuedTo)
    throw new Trouble('--issued-from must not be after --issued-to.');
  const touched = await runtime.withService(async (service) => {
    const { life, read } = service;
    const steps = await stepsOf(runtime, service, { step, options });
    try {
      return await takeManySteps({ submit: life.submit, newId: life.newId, read }, steps, ({ cards }, seen) =>
        runtime.progress(`${seen} cards looked at, ${cards} of them are meant`),
      );
    } finally {
      runtime.progress(undefined);
    }
  });
  runtime.print(json ? JSON.stringify(touched) : describe(touched, step, preview === true));
}

async function stepsOf(
  runtime: LifeRuntime,
  { transact, life, whichPayee, checkWords }: LifeService,
  { step, options }: { readonly step: ManyStep; readonly options: ManyOptions },
): Promise<ManySteps> {
  const { reason, until = '', preview, payee, file, product: productId } = options;
  const { issuedFrom, issuedTo, expiredBefore } = options;
  checkWords({ transactionRef: life.newId(), ...(reason !== undefined && { reason }) });
  const { payeeId, accountIds } = await transact(async (transaction) => {
    const whose = await whichPayee(transaction, payee);
    if (file === undefined) return { payeeId: whose, accountIds: undefined };
    const list = {
      isTable: /\.csv$/i.test(file),
      lines: () => runtime.readLines(file, CARD_FILE_LINE_BYTES),
      rows: () => runtime.readTable(file),
    };
    return { payeeId: whose, accountIds: await cardsOfFile(transaction, life, { payeeId: whose, list }) };
  });
  const selection: Selection = { productId, issuedFrom, issuedTo, expiredBefore, accountIds };
  if (productId !== undefined && (await life.findProduct({ payeeId, productId: productId as never })) === undefined) {
    throw new Trouble('There is no such product. See: kontor gift-card-products list');
  }
  const asked = step === 'Extend' ? { step, until, endsAt: await life.endOfDay(payeeId, until) } : { step };
  if (asked.step === 'Extend' && Date.parse(asked.endsAt) <= Date.now())
    throw new Trouble('--until names a day that is over.');
  return { payeeId, actor: COMMAND_LINE, reason: reason ?? null, selection, asked, isPreview: preview === true };
}

const DONE: Readonly<Record<ManyStep, string>> = {
  Block: 'Blocked',
  Unblock: 'Unblocked',
  Extend: 'Extended',
  Sweep: 'Swept',
};

function describe({ cards, amounts }: Touched, step: ManyStep, isPreview: boolean): string {
  const sums = Object.entries(amounts).map(([currency, amount]) => formatMoney(amount, currency as Currency));
  if (cards === 0)
    return step === 'Sweep' ? 'No expired card has anything left.' : 'No card is meant that can take it.';
  const words = `${cards} ${cards === 1 ? 'card' : 'cards'} with ${sums.join(', ')}`;
  return isPreview ? `It would be ${words}. Nothing was done.` : `${DONE[step]} ${words}.`;
}

/**
 * Adds `gift-cards sweep`: of one card, or of all that have expired.
 *
 * @param sweepOne carries out the sweep of the card that the words name, and prints it
 */
export function addSweepExpired(
  cards: Command,
  runtime: LifeRuntime,
  sweepOne: (
    account: string | undefined,
    options: ManyOptions & { readonly number?: true; readonly reference?: string },
  ) => Promise<void>,
): void {
  const command = cards
    .command('sweep')
    .description('book what is left on expired cards to the payee: of all of them, of some, or of one')
    .argument('[account]', 'one card, by the id of its account (default: all that have expired)')
    .option('--number', 'one card, whose number is read from the standard input')
    .option('--payee <id>', 'whose; may be left out while there is one payee')
    .option('--reference <text>', 'of one card: names the step, so that repeating it is safe (default: a new one)')
    .option('--reason <text>', 'why; stored with the step')
    .option('--json', 'print {"cards", "amounts"}, amounts in minor units by currency; of one card, the card');
  withMany(command).action(
    async (account: string | undefined, options: ManyOptions & { number?: true; reference?: string }) => {
      if (account !== undefined || options.number) return sweepOne(account, options);
      await runMany(runtime, 'Sweep', options);
    },
  );
}
