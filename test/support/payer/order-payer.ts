import { answerBank, formIn, type Verdict } from '../issuer/three-ds.ts';
import type { Answer, TestService } from '../service.ts';
import type { NewCard } from '../shop/gift-cards-seller.ts';
import { type Fields, type PageOptions, type PayPage, pageAt, TYPED } from './pay-page.ts';

/** A payer at the page of an order, over HTTP, as the page's script speaks. */
export interface OrderPayer {
  readonly page: Omit<PayPage, 'id' | 'payment'>;
  /** Opens the page: what it shows is what is sent back with the next form. */
  open(options?: PageOptions): Promise<Answer>;
  add(card: Pick<NewCard, 'accountKey' | 'cvc'>): Promise<Answer>;
  /** Takes a gift card away by its place among those that the page shows, from 0. */
  remove(place: number): Promise<Answer>;
  /** What the page has shown last: what is left for a card, and whether that is nothing because gift cards pay all. */
  byCard(): number;
  isCovered(): boolean;
  payByGiftCards(): Promise<Answer>;
  /** Pays what the page shows with a card; the fields say another one. */
  payByCard(fields?: Fields): Promise<Answer>;
  /** Has the bank asked whether it wants to see the payer, as the script does after `payByCard`. */
  authenticate(): Promise<Answer>;
  /** Goes to the bank, and chooses there. */
  decide(verdict: Verdict): Promise<void>;
  /** Comes back from it. */
  comeBack(): Promise<Answer>;
}

/** What a browser tells the bank of itself. */
const SCREEN: Fields = { java: 'false', depth: '24', height: '900', width: '1440', tz: '-60', method: 'U', cvc: '123' };

const JSON_PLEASE = { headers: { accept: 'application/json' } };

/** Opens the page that a link leads to. */
export function orderPayer(kontor: Pick<TestService, 'send' | 'baseUrl'>, link: string): OrderPayer {
  const page = pageAt(kontor, link);
  let seen = 'card:0';
  let attempt = 'none';
  /** A page, or what its script is told of a change. */
  const look = (answer: Answer): Answer => {
    const fresh = answer.body?.menu?.seen ?? / name="seen" value="([^"]*)"/.exec(answer.text)?.[1];
    const form = answer.body?.attempt ?? / name="attempt" value="([^"]+)"/.exec(answer.text)?.[1];
    seen = fresh ?? seen;
    attempt = form ?? attempt;
    return answer;
  };
  const send = async (below: string, fields: Fields) => look(await page.post(below, fields, JSON_PLEASE));
  return {
    page,
    open: async (options) => look(await page.open(options)),
    add: ({ accountKey, cvc }) => send('/gift-card', { giftNumber: accountKey, giftCode: cvc }),
    remove: (place) => send('/gift-card/remove', { leg: seen.split(' ')[place]?.split(':')[0] }),
    byCard: () => Number(seen.split(':').at(-1)),
    isCovered: () => seen.includes(' ') && seen.endsWith('card:0'),
    payByGiftCards: () => send('', { means: 'GiftCard', attempt, seen }),
    payByCard: (fields = {}) => send('', { ...TYPED, attempt, seen, ...fields }),
    authenticate: () => send('/authenticate', SCREEN),
    async decide(verdict) {
      await answerBank(formIn((await page.open({ below: '/challenge' })).text, 'lead'), verdict);
    },
    comeBack: () => send('/finish', { cvc: '123' }),
  };
}
