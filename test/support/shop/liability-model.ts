import { issueCards, makeCards } from '../../../src/gift-cards/bulk/issue-cards.ts';
import type { ProductOnSale } from '../../../src/gift-cards/gift-cards.types.ts';
import type { LiabilityFigure } from '../../../src/gift-cards/liability/liability.types.ts';
import { SERVICE } from '../../../src/kit/caller.ts';
import type { PayeeId } from '../../../src/kit/ids.ts';
import type { AmountMinor, Currency } from '../../../src/kit/money.ts';
import type { AccountId, CommandKind, PaymentId, Submit, TransactionId } from '../../../src/ledger/ledger.types.ts';
import { GO_ON, newId, PAY, pay, type TestCommand, TRANSFER } from '../database/ledger.ts';
import type { Programme } from './gift-card-files.ts';

/** Books what is left on a card to the payee, as a sweep does. */
const SWEEP: CommandKind<TestCommand, void> = {
  name: 'test-sweep',
  keys: ({ accountId }) => ({ accountIds: [accountId], references: [] }),
  decide(state, { accountId, amount }) {
    const entries = [
      { side: 'Available' as const, accountId, amount: -amount },
      { side: 'Breakage' as const, accountId: null, amount: amount as number },
    ];
    const currency = state.account(accountId)?.currency as Currency;
    const movement = { kind: 'Sweep' as const, currency, paymentId: null, transactionId: null, entries };
    return {
      effect: { movements: [movement], accountChanges: [{ accountId }], action: 'sweep-gift-card' },
      answer: () => undefined,
    };
  },
};

/** A card as the model knows it. */
interface Card {
  readonly product: ProductOnSale;
  readonly accountId: AccountId;
  available: number;
  readonly holds: { readonly paymentId: PaymentId; readonly amount: number }[];
  readonly purchases: { readonly paymentId: PaymentId; readonly amount: number }[];
  readonly deposits: { readonly paymentId: PaymentId; readonly amount: number }[];
}

/** What the model has written down: what moved, on which card, in which step. */
interface Note {
  readonly step: number;
  readonly card: Card;
  readonly figure: LiabilityFigure;
  readonly amount: number;
}

/** Numbers below a bound, the same for the same seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** What a step has to do with. */
interface Scene {
  readonly card: Card;
  /** Cards of the same product. */
  readonly others: readonly Card[];
  readonly amount: number;
  readonly note: (figure: LiabilityFigure, amount: number, on?: Card) => void;
  readonly submit: Submit;
  readonly payeeId: PayeeId;
}

type Paid = Card['holds'][number];

function follow({ card, submit, payeeId }: Scene, { paymentId, amount }: Paid, how: 'Capture' | 'Cancel' | 'Reversal') {
  const command = pay(payeeId, card.accountId, amount, { paymentId });
  return submit(GO_ON, { ...command, reference: newId(), transactionId: newId() as TransactionId, how });
}

/** What may happen to a card; what is not possible does not happen. */
const STEPS: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  async load({ card, amount, note, submit, payeeId }) {
    const command = pay(payeeId, card.accountId, amount, { operation: 'Deposit' });
    await submit(PAY, command);
    card.available += amount;
    card.deposits.push(command);
    note('loaded', amount);
  },
  async purchase({ card, amount, note, submit, payeeId }) {
    if (card.available < amount) return;
    const command = pay(payeeId, card.accountId, amount, { operation: 'Purchase' });
    await submit(PAY, command);
    card.available -= amount;
    card.purchases.push(command);
    note('spent', amount);
  },
  async authorize({ card, amount, submit, payeeId }) {
    if (card.available < amount) return;
    const command = pay(payeeId, card.accountId, amount, { holdSeconds: 1_000_000_000 });
    await submit(PAY, command);
    card.available -= amount;
    card.holds.push(command);
  },
  async capture(scene) {
    const hold = scene.card.holds.pop();
    if (hold === undefined) return;
    await follow(scene, hold, 'Capture');
    scene.note('spent', hold.amount);
  },
  async cancel(scene) {
    const hold = scene.card.holds.pop();
    if (hold === undefined) return;
    await follow(scene, hold, 'Cancel');
    scene.card.available += hold.amount;
  },
  async refund(scene) {
    const purchase = scene.card.purchases.pop();
    if (purchase === undefined) return;
    await follow(scene, purchase, 'Reversal');
    scene.card.available += purchase.amount;
    scene.note('refunded', purchase.amount);
  },
  async takeBack(scene) {
    const { card, note } = scene;
    const deposit = card.deposits.at(-1);
    if (deposit === undefined || deposit.amount > card.available) return;
    card.deposits.pop();
    await follow(scene, deposit, 'Reversal');
    card.available -= deposit.amount;
    note('takenBack', deposit.amount);
  },
  async merge({ card, others: [into], note, submit, payeeId }) {
    const all = card.available;
    if (into === undefined || all === 0) return;
    await submit(TRANSFER, { ...pay(payeeId, card.accountId, all), into: into.accountId });
    card.available = 0;
    into.available += all;
    note('merged', -all);
    note('merged', all, into);
  },
  async sweep({ card, note, submit, payeeId }) {
    const all = card.available;
    if (all === 0) return;
    await submit(SWEEP, pay(payeeId, card.accountId, all));
    card.available = 0;
    note('expired', all);
  },
};

/** What the model works on. */
interface Context {
  readonly programme: Programme;
  readonly products: readonly ProductOnSale[];
  readonly submit: Submit;
}

/** Random life of gift cards, and a note of all that moved. */
export class Model {
  readonly cards: Card[] = [];
  readonly notes: Note[] = [];
  readonly issued: { readonly step: number; readonly card: Card }[] = [];
  readonly #context: Context;
  readonly #random: (below: number) => number;

  constructor(seed: number, context: Context) {
    this.#random = randomFrom(seed);
    this.#context = context;
  }

  async take(step: number): Promise<void> {
    const card = this.cards[this.#random(this.cards.length)];
    const names = Object.keys(STEPS);
    const take = STEPS[names[this.#random(names.length)] ?? ''];
    if (card === undefined || take === undefined || this.#random(10) === 0) return this.#issue(step);
    const note: Scene['note'] = (figure, amount, on = card) => this.notes.push({ step, card: on, figure, amount });
    const amount = 1 + this.#random(Math.min(card.available, 300) || 1);
    const others = this.cards.filter((one) => one !== card && one.product === card.product);
    const { programme, submit } = this.#context;
    await take({ card, others, amount, note, submit, payeeId: programme.payeeId });
  }

  async #issue(step: number): Promise<void> {
    const { programme, products } = this.#context;
    const { productId, payeeId } = products[this.#random(products.length)] as ProductOnSale;
    const product = (await programme.service.findProduct({ payeeId, productId })) as ProductOnSale;
    const amount = (this.#random(3) === 0 ? 0 : 1 + this.#random(1000)) as AmountMinor;
    const { maker } = programme.service;
    const made = makeCards(maker, product, 1 + this.#random(3));
    const paymentNumbers = await programme.service.takeNumbers(payeeId, made.length);
    const cards = await programme.database.transact((transaction) =>
      issueCards(transaction, maker, { product, amount, isInactive: false, made, paymentNumbers, actor: SERVICE }),
    );
    for (const { accountId } of cards) {
      const card: Card = { product, accountId, available: amount, holds: [], purchases: [], deposits: [] };
      this.cards.push(card);
      this.issued.push({ step, card });
      if (amount > 0) this.notes.push({ step, card, figure: 'issued', amount });
    }
  }

  /** What is owed before a step, by product and month: cards and amount. */
  owed(before: number): Record<string, [cards: number, amount: number]> {
    const byCard = new Map<Card, number>();
    for (const { step, card, figure, amount } of this.notes) {
      const sign = ['spent', 'takenBack', 'expired'].includes(figure) ? -1 : 1;
      if (step < before) byCard.set(card, (byCard.get(card) ?? 0) + sign * amount);
    }
    const sums: Record<string, [number, number]> = {};
    for (const [{ product }, amount] of byCard) {
      if (amount === 0) continue;
      const name = `${product.currency} ${product.productId} ${product.cardExpiresOn.slice(0, 7)}`;
      const [cards, sum] = sums[name] ?? [0, 0];
      sums[name] = [cards + 1, sum + amount];
    }
    return sums;
  }

  moved(from: number, to: number): Record<string, number> {
    const sums: Record<string, number> = {};
    const add = (name: string, amount: number) => {
      sums[name] = (sums[name] ?? 0) + amount;
    };
    for (const { step, card, figure, amount } of this.notes) {
      if (step >= from && step < to) add(`${card.product.productId} ${figure}`, amount);
    }
    for (const { step, card } of this.issued) {
      if (step >= from && step < to) add(`${card.product.productId} cardsIssued`, 1);
    }
    return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0));
  }
}
