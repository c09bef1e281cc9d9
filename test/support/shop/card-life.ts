import { expect } from 'vitest';
import type { Answer, TestService } from '../service.ts';
import { type AccountsShop, accountsShop, type OpenedAccount, type Paid, paid } from './accounts-shop.ts';
import { type CardShop, cardShop, type StepVerb } from './card-shop.ts';

type Row = Record<string, unknown> | undefined;

/** What tests of a card's life do and look at, again and again. */
export interface CardLife {
  readonly shop: AccountsShop;
  readonly cards: CardShop;
  spend(card: OpenedAccount, amount: number): Promise<Answer>;
  hold(card: OpenedAccount, amount: number): Promise<Paid>;
  /** A step that must be taken. */
  done(verb: StepVerb, card: OpenedAccount, members?: object): Promise<Answer>;
  /** The first row that a query finds. */
  row(query: string): Promise<Row>;
  /** What the card's account holds, and whether it is closed. */
  stored(card: OpenedAccount): Promise<Row>;
  /** The sum of all entries on one side. */
  sideOf(side: string): Promise<number>;
}

/** Opens shop for the life of gift cards on a running service. */
export function cardLife(kontor: TestService): CardLife {
  const shop = accountsShop(kontor);
  const cards = cardShop(kontor);
  const row = async (query: string): Promise<Row> => (await kontor.database.asAdmin(query))[0];
  return {
    shop,
    cards,
    row,
    spend: (card, amount) => shop.pay('purchase', card, { amount }),
    hold: async (card, amount) => paid(card, await shop.pay('authorize', card, { amount })),
    async done(verb, card, members = {}) {
      const answer = await cards.step(verb, card, members);
      expect([answer.status, answer.body.problems]).toEqual([200, undefined]);
      return answer;
    },
    stored: ({ paymentAccountId }) =>
      row(
        `select available, held, closed_at is not null as closed from account where account_id = '${paymentAccountId}'`,
      ),
    sideOf: async (side) =>
      Number((await row(`select coalesce(sum(amount), 0) as sum from entry where side = '${side}'`))?.['sum']),
  };
}

/** The step is impossible, for this reason. */
export function expectRefused({ status, body }: Answer, name: string, reason: string): void {
  expect([status, body.problems]).toEqual([403, [{ name, description: reason }]]);
}
