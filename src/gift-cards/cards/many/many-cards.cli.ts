import { COMMAND_LINE } from '../../../kit/caller.ts';
import { flag, type Given, optional, readDay } from '../../../kit/command.ts';
import { type Currency, formatMoney } from '../../../kit/money.ts';
import { Trouble } from '../../../kit/work/trouble.ts';
import type { ProductId } from '../../gift-cards.types.ts';
import type { LifeRuntime, LifeService } from '../../gift-cards-context.types.ts';
import { CARD_FILE_LINE_BYTES, cardsOfFile } from './cards-of-file.ts';
import type { ManySteps, Selection, Touched } from './selection.types.ts';
import { takeManySteps } from './take-many-steps.ts';

/** A command that many cards can take. */
export type ManyStep = Extract<ManySteps['asked']['step'], 'Block' | 'Unblock' | 'Extend' | 'Sweep'>;

/** What many cards are chosen by. */
export const CHOSEN = {
  product: optional('<id>', 'of many cards: those of this product'),
  file: optional('<file>', 'of many cards: those that it names, as gift-cards issue or import has them'),
  issuedFrom: optional('<day>', 'of many cards: those of this day or a later one', readDay),
  issuedTo: optional('<day>', 'of many cards: those of this day or an earlier one', readDay),
  expiredBefore: optional('<day>', 'of many cards: those whose last day is before this one', readDay),
  preview: flag('of many cards: say how many it would be, and do nothing'),
};

type Chosen = Given<typeof CHOSEN>;

/** The cards that are chosen, whose they are, and why. */
type Asked = Chosen & {
  readonly payee: string | undefined;
  readonly reason: string | undefined;
  readonly until?: string;
};

/** Whether many cards are meant. */
export function isMany({ product, file, issuedFrom, issuedTo, expiredBefore }: Chosen): boolean {
  return [product, file, issuedFrom, issuedTo, expiredBefore].some((one) => one !== undefined);
}

/** What was done with many cards. */
export interface ManyDone {
  readonly touched: Touched;
  readonly step: ManyStep;
  readonly isPreview: boolean;
}

/** Has many cards take a step. */
export function takeMany(runtime: LifeRuntime, step: ManyStep, asked: Asked): Promise<ManyDone> {
  const { issuedFrom, issuedTo, preview: isPreview } = asked;
  if (issuedFrom !== undefined && issuedTo !== undefined && issuedFrom > issuedTo)
    throw new Trouble('--issued-from must not be after --issued-to.');
  return runtime.withService(async (service) => {
    const steps = await stepsOf(runtime, service, { step, options: asked });
    try {
      const touched = await takeManySteps(service.context, steps, ({ cards }, seen) =>
        runtime.progress(`${seen} cards looked at, ${cards} of them are meant`),
      );
      return { touched, step, isPreview };
    } finally {
      runtime.progress(undefined);
    }
  });
}

async function stepsOf(
  runtime: LifeRuntime,
  { context, whichPayee, checkWords }: LifeService,
  { step, options }: { readonly step: ManyStep; readonly options: Asked },
): Promise<ManySteps> {
  const { reason, until = '', preview, payee, file, product: productId } = options;
  const { issuedFrom, issuedTo, expiredBefore } = options;
  checkWords({ transactionRef: context.newId(), ...(reason !== undefined && { reason }) });
  const { payeeId, accountIds } = await context.database.transact(async (transaction) => {
    const whose = await whichPayee(transaction, payee);
    if (file === undefined) return { payeeId: whose, accountIds: undefined };
    const list = {
      isTable: /\.csv$/i.test(file),
      lines: () => runtime.readLines(file, CARD_FILE_LINE_BYTES),
      rows: () => runtime.readTable(file),
    };
    return { payeeId: whose, accountIds: await cardsOfFile(transaction, context.keyRing, { payeeId: whose, list }) };
  });
  const selection: Selection = { productId, issuedFrom, issuedTo, expiredBefore, accountIds };
  if (
    productId !== undefined &&
    (await context.findProduct({ payeeId, productId: productId as ProductId })) === undefined
  ) {
    throw new Trouble('There is no such product. See: kontor gift-card-products list');
  }
  const asked = step === 'Extend' ? { step, until, endsAt: await context.endOfDay(payeeId, until) } : { step };
  if (asked.step === 'Extend' && Date.parse(asked.endsAt) <= Date.now())
    throw new Trouble('--until names a day that is over.');
  const stamp = file === undefined ? undefined : await runtime.stampFile(file);
  const said = { payeeId, actor: COMMAND_LINE, reason: reason ?? null, file: stamp };
  return { ...said, selection, asked, isPreview: preview };
}

const DONE: Readonly<Record<ManyStep, string>> = {
  Block: 'Blocked',
  Unblock: 'Unblocked',
  Extend: 'Extended',
  Sweep: 'Swept',
};

/** Says so. */
export function describeMany({ touched: { cards, amounts }, step, isPreview }: ManyDone): string {
  const sums = Object.entries(amounts).map(([currency, amount]) => formatMoney(amount, currency as Currency));
  if (cards === 0)
    return step === 'Sweep' ? 'No expired card has anything left.' : 'No card is meant that can take it.';
  const words = `${cards} ${cards === 1 ? 'card' : 'cards'} with ${sums.join(', ')}`;
  return isPreview ? `It would be ${words}. Nothing was done.` : `${DONE[step]} ${words}.`;
}
