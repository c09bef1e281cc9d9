import type { FrameLocator, Page } from 'playwright-core';
import type { TestService } from '../service.ts';
import { cardPaymentsShop, type Members, VISA } from '../shop/card-payments-shop.ts';
import type { ShopSite } from '../shop/shop-site.ts';

/** Where the form is: a page of its own, or the frame of the view. */
export type Place = Pick<Page | FrameLocator, 'locator'>;

/** A payment that can be paid. */
export interface Payable {
  readonly id: string;
  /** The page by itself. */
  readonly page: string;
  /** The view script. */
  readonly script: string;
}

/** What a payer fills in. */
export interface Card {
  readonly number?: string;
  readonly expiry?: string;
  readonly cvc?: string;
  readonly name?: string;
}

/** Makes a payment for payers to pay in a browser: a purchase of 1500 in Swedish, unless the members say otherwise. */
export async function payable(
  kontor: TestService,
  site: Pick<ShopSite, 'origin'>,
  members: Members = {},
): Promise<Payable> {
  const { urls, creditCard, ...others } = members;
  const { status, body, text } = await cardPaymentsShop(kontor).create(
    {
      payeeInfo: { payeeName: 'Bøker & brev' },
      urls: {
        hostUrls: [site.origin],
        completeUrl: `${site.origin}/done`,
        cancelUrl: `${site.origin}/cancelled`,
        paymentUrl: `${site.origin}/again`,
        termsOfServiceUrl: `${site.origin}/terms`,
        ...(urls as Members),
      },
      ...others,
    },
    creditCard === undefined ? {} : { cards: creditCard as Members },
  );
  if (status !== 200) throw new Error(`a payment was refused: ${text}`);
  const href = (...rels: readonly string[]) =>
    body.operations.find(({ rel }: { readonly rel: string }) => rels.includes(rel))?.href;
  return {
    id: body.payment.id,
    page: href('redirect-authorization', 'redirect-verification'),
    script: href('view-authorization', 'view-verification'),
  };
}

/** Fills in a card and sends it. */
export async function pay(place: Place, card: Card = {}): Promise<void> {
  await fillCard(place, card);
  await place.locator('#submit').click();
}

/** Fills in a test card, digit by digit, as a payer does. */
export async function fillCard(place: Place, card: Card = {}): Promise<void> {
  const { number = VISA, expiry = '1239', cvc = '123', name } = card;
  await place.locator('#number').fill('');
  await place.locator('#number').pressSequentially(number);
  await place.locator('#expiry').fill('');
  await place.locator('#expiry').pressSequentially(expiry);
  await place.locator('#cvc').fill(cvc);
  if (name !== undefined) await place.locator('#name').fill(name);
}

/** The bank's challenge, which the page shows in a frame of its own. */
export function bankOf(place: Place): Place {
  return place.locator('#bank iframe').contentFrame();
}

/** Chooses at the bank, without a script: the whole window goes there and comes back. */
export async function chooseAtBank(window: Place, choice: string): Promise<void> {
  await window.locator('#lead-on').click();
  await window.locator(choice).click();
  await window.locator('#go-on').click();
}

/** Waits until the page shows a state, or that a card was declined, which it may do without being loaded anew. */
export function shows(place: Place, state: string): Promise<void> {
  return place.locator(state === 'declined' ? '#alert[data-about="payment"]' : `html[data-state="${state}"]`).waitFor();
}

/** A payment's transactions and what it has come to, as its payee sees it. */
export async function outcomeOf(kontor: TestService, { id }: Payable) {
  const { body } = await kontor.send('GET', `${id}?$expand=transactions,authorizations`);
  const { state, transactions } = body.payment;
  const list: readonly { state: string; type: string }[] = transactions?.transactionList ?? [];
  return { state, transactions: list.map(({ type, state: of }) => `${type} ${of}`) };
}

/** Makes a payment one whose outcome is not known, or known again: as between an issuer's silence and what it comes to. */
export async function keepPending(kontor: TestService, { id }: Payable, isPending: boolean): Promise<void> {
  await kontor.database.asAdmin(
    `update card_payment set unsettled = ${isPending ? 1 : 0} where payment_id = '${id.split('/').at(-1)}'`,
  );
}

/** Lets the time of a payment be over. */
export async function expire(kontor: TestService, { id }: Pick<Payable, 'id'>): Promise<void> {
  await kontor.database.asAdmin(
    `update card_payment set expires_at = created_at where payment_id = '${id.split('/').at(-1)}'`,
  );
}
