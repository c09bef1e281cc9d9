import { COMMAND_LINE } from '../../kit/caller.ts';
import { type Command, command, flag, type Given, needed, optional, payeeOption, readDay } from '../../kit/command.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { formatMoney } from '../../kit/money.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import type { GiftCardsContext, LifeRuntime, LifeService } from '../gift-cards-context.types.ts';
import { findCardByNumber, getCard } from './get-card.ts';
import { cardHistory } from './history/card-history.ts';
import { describeHistory } from './history/describe-history.ts';
import type { AskStep, CardShown, Replacement } from './life.types.ts';
import { CHOSEN, describeMany, isMany, type ManyDone, type ManyStep, takeMany } from './many/many-cards.cli.ts';
import { replaceCard } from './replace-card.ts';
import { blockCard, extendCard, mergeCard, restoreCard, sweepCard, unblockCard, voidCard } from './take-step.ts';

/** A card as it is now, and the one in its place where it was replaced. */
type Shown = CardShown & { readonly replacement?: Replacement };

/** What names one card. */
const CARD = {
  account: optional('[account]', 'the card, by the id of its account'),
  number: flag('read its number from the standard input instead'),
  payee: payeeOption('whose it is'),
};

/** What every step takes beside a card. */
const STEP = {
  reference: optional('<text>', 'names the step, so that repeating it is safe (default: a new one)'),
  reason: optional('<text>', 'why; stored with the step'),
};

const UNTIL = needed('<day>', 'its last day, as in 2028-11-30', readDay);

/** What every command about one card prints. */
const PRINTED = {
  args: ['account'] as const,
  json: 'print the card',
  asJson: (shown: Shown) => asJson(shown),
  show: (shown: Shown) => describe(shown),
};

/** What every command prints that is about one card or about many. */
const EITHER_PRINTED = {
  ...PRINTED,
  asJson: (done: Either) => (done.many === undefined ? asJson(done.one) : done.many.touched),
  show: (done: Either) => (done.many === undefined ? describe(done.one) : describeMany(done.many)),
};

type Either = { readonly one: Shown; readonly many?: undefined } | { readonly many: ManyDone };

const show = command({
  args: PRINTED.args,
  json: PRINTED.json,
  name: 'show',
  about: 'show a card, and what can be done with it',
  takes: CARD,
  run: (runtime: LifeRuntime, given) =>
    runtime.withService(async (service) => {
      const named = await whichCard(runtime, service, given);
      const shown = await getCard(service.context, named.payeeId, { ...named, actor: COMMAND_LINE });
      return { shown, history: await cardHistory(service.context.database.read, shown.card) };
    }),
  asJson: ({ shown, history }) => ({ ...asJson(shown), history }),
  show: ({ shown, history }) => [...describe(shown), ...describeHistory(history)],
});

const block = command({
  ...EITHER_PRINTED,
  name: 'block',
  about: 'keep cards from being spent and loaded: one, or many',
  takes: { ...CARD, ...STEP, ...CHOSEN },
  run: (runtime: LifeRuntime, given) => oneOrMany(runtime, given, { step: 'Block', take: blockCard }),
});

const unblock = command({
  ...EITHER_PRINTED,
  name: 'unblock',
  about: 'end the block of cards: one that was asked for, or the one after wrong codes',
  takes: { ...CARD, ...STEP, ...CHOSEN },
  run: (runtime: LifeRuntime, given) => oneOrMany(runtime, given, { step: 'Unblock', take: unblockCard }),
});

const voiding = command({
  ...PRINTED,
  name: 'void',
  about: 'end a card that has not been used, and give its deposit back',
  takes: { ...CARD, ...STEP },
  run: (runtime: LifeRuntime, given) => takeStep(runtime, given, voidCard),
});

const merge = command({
  ...PRINTED,
  name: 'merge',
  about: 'move all that is on a card to another one, and end it',
  takes: { ...CARD, ...STEP, into: needed('<account>', 'the card that takes the money') },
  run: (runtime: LifeRuntime, given) => takeStep(runtime, given, mergeCard),
});

const extend = command({
  ...EITHER_PRINTED,
  name: 'extend',
  about: 'give cards more time, also when they have expired; codes and what is printed on them stay',
  takes: { ...CARD, ...STEP, until: UNTIL, ...CHOSEN },
  run: (runtime: LifeRuntime, given) => oneOrMany(runtime, given, { step: 'Extend', take: extendCard }),
});

const restore = command({
  ...PRINTED,
  name: 'restore',
  about: 'take the sweep of a card back, and give it time to be spent',
  takes: { ...CARD, ...STEP, until: UNTIL },
  run: (runtime: LifeRuntime, given) => takeStep(runtime, given, restoreCard),
});

const replace = command({
  ...PRINTED,
  name: 'replace',
  about: 'put a new card in the place of a lost one, and print its number',
  takes: { ...CARD, ...STEP },
  run: (runtime: LifeRuntime, given) => takeStep(runtime, given, replaceCard),
});

const sweep = command({
  ...EITHER_PRINTED,
  name: 'sweep',
  about: 'book what is left on expired cards to the payee: of all of them, of some, or of one',
  takes: {
    account: optional('[account]', 'one card, by the id of its account (default: all that have expired)'),
    number: flag('one card, whose number is read from the standard input'),
    payee: payeeOption('whose'),
    reference: optional('<text>', 'of one card: names the step, so that repeating it is safe (default: a new one)'),
    reason: STEP.reason,
    ...CHOSEN,
  },
  json: 'print {"cards", "amounts"}, amounts in minor units by currency; of one card, the card',
  run: async (runtime: LifeRuntime, given): Promise<Either> =>
    given.account !== undefined || given.number
      ? { one: await takeStep(runtime, given, sweepCard) }
      : { many: await takeMany(runtime, 'Sweep', given) },
});

/** Those of `gift-cards …` that are about the life of cards. */
export const lifeCommands: readonly Command<LifeRuntime>[] = [
  show,
  block,
  unblock,
  voiding,
  merge,
  extend,
  restore,
  replace,
  sweep,
];

/** What a step needs beside a card and a reason. */
interface Needed {
  readonly into: string;
  readonly until: string;
}

type Take = (context: GiftCardsContext, ask: AskStep & Needed) => Promise<Shown>;

type StepGiven = Given<typeof CARD & typeof STEP> & Partial<Needed>;

/** Does it with the card that is named, or with the many that are chosen. */
async function oneOrMany(
  runtime: LifeRuntime,
  given: StepGiven & Given<typeof CHOSEN>,
  { step, take }: { readonly step: ManyStep; readonly take: Take },
): Promise<Either> {
  const isOne = given.account !== undefined || given.number;
  if (!isOne && !isMany(given)) {
    throw new Trouble(
      'Name the card by its account or --number, or say which many: --product, --file or days. See --help.',
    );
  }
  if (!isMany(given)) return { one: await takeStep(runtime, given, take) };
  if (isOne) throw new Trouble('Name one card, or say which many: not both.');
  return { many: await takeMany(runtime, step, given) };
}

function takeStep(runtime: LifeRuntime, given: StepGiven, take: Take): Promise<Shown> {
  return runtime.withService(async (service) => {
    const { reference: transactionRef = service.context.newId(), reason, into = '', until = '' } = given;
    service.checkWords({ transactionRef, ...(reason !== undefined && { reason }) });
    const named = await whichCard(runtime, service, given);
    return take(service.context, { ...named, actor: COMMAND_LINE, transactionRef, reason, into, until });
  });
}

/** The card that the words name: by its account's id, or by a number that is read and never an argument. */
async function whichCard(
  runtime: LifeRuntime,
  { context, whichPayee }: LifeService,
  { account, number, payee }: Given<typeof CARD>,
): Promise<{ readonly payeeId: PayeeId; readonly paymentAccountId: string }> {
  if ((account === undefined) !== number) {
    throw new Trouble(
      "Name the card by its account's id, or have its number read from the standard input by --number.",
    );
  }
  const secret = number ? await runtime.readNumber() : undefined;
  return context.database.transact(async (transaction) => {
    const payeeId = await whichPayee(transaction, payee);
    if (secret === undefined) return { payeeId, paymentAccountId: account ?? '' };
    return {
      payeeId,
      paymentAccountId: await findCardByNumber(transaction, context.keyRing, { payeeId, number: secret }),
    };
  });
}

function describe({ card, state, possible, replacement }: Shown): string[] {
  const held = card.held === 0 ? '' : `, and ${formatMoney(card.held, card.currency)} held`;
  const lines = [
    `${card.accountId} (${card.numberMasked}) is ${state.toLowerCase()}.`,
    `${formatMoney(card.available, card.currency)} available${held}. Good until ${card.extendedTo ?? card.expiresOn}.`,
    ...(possible.length === 0 ? [] : [`Possible: ${possible.map((step) => step.toLowerCase()).join(', ')}.`]),
  ];
  if (replacement === undefined) return lines;
  const { number, cvc } = revealed(replacement);
  const code = cvc === undefined ? '' : `, cvc ${cvc}`;
  return [...lines, `In its place: ${replacement.card.accountId}, number ${number}${code}.`];
}

function asJson({ card, state, possible, replacement }: Shown): object {
  const { accountId, numberMasked, productId, currency, available, held, expiresOn, mergedInto, replacedBy, replaces } =
    card;
  const others = {
    ...(mergedInto !== null && { mergedInto }),
    ...(replacedBy !== null && { replacedBy }),
    ...(replaces !== null && { replaces }),
  };
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
