import type { OrderWalks } from '../support/payer/order-walks.ts';
import { orderWalks } from '../support/payer/order-walks.ts';
import type { Answer, TestService } from '../support/service.ts';
import { type AccountsShop, accountsShop } from '../support/shop/accounts-shop.ts';
import { type CardPaymentsShop, cardPaymentsShop } from '../support/shop/card-payments-shop.ts';
import { type CardShop, cardShop } from '../support/shop/card-shop.ts';
import { type CardSeller, cardSeller } from '../support/shop/gift-cards-seller.ts';

/** What a database is filled by: a service, and all that a payee does there. */
export interface Filling {
  readonly kontor: TestService;
  readonly accounts: AccountsShop;
  readonly cards: CardPaymentsShop;
  readonly giftCards: CardShop;
  readonly seller: CardSeller;
  readonly walks: OrderWalks;
}

export function fillingOf(kontor: TestService): Filling {
  return {
    kontor,
    accounts: accountsShop(kontor),
    cards: cardPaymentsShop(kontor),
    giftCards: cardShop(kontor),
    seller: cardSeller(kontor),
    walks: orderWalks(kontor),
  };
}

/** The acquirer of the sandbox declines this amount, does not answer, asks for 3-D Secure. */
export const DECLINED = 900_351;
export const SILENT = 900_304;
export const SOFTLY_DECLINED = 900_365;

/** @throws Error where an answer says that it was not done */
export function done(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text.slice(0, 600)}`);
  return answer;
}
