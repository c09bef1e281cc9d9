import { plainDigits } from '../../kit/cards/typed-card.ts';
import { isUuid } from '../../kit/ids.ts';
import type { SeenSplit } from '../payment-commands.types.ts';
import type { Faults, FieldFault, Menu, MenuInstrument, PageOutcome } from './page.types.ts';

/** Characters of a gift card's number and code without what separates them; longer ones are none. */
const NUMBER_CHARACTERS = 40;
const CODE_CHARACTERS = 10;
/** Parts of what a payer saw: as many gift cards as there may be, with room. */
const SEEN_PARTS = 10;

/** Whether nothing is left for a card. */
export function isCovered({ giftCards, byCard }: Pick<Menu, 'giftCards' | 'byCard'>): boolean {
  return giftCards.length > 0 && byCard === 0;
}

/** Whether a gift card may be entered now. */
export function takesGiftCard(menu: Menu): boolean {
  return menu.instruments.includes('GiftCard') && menu.entry === 'Open' && !isCovered(menu);
}

/**
 * The means that stands open: what the payee says, and once a gift card is there, or a card was tried, the card that pays the
 * rest.
 */
export function openedMeans(menu: Menu, isTried: boolean): MenuInstrument | undefined {
  if (menu.instruments.length === 1) return menu.instruments[0];
  if ((menu.giftCards.length > 0 || isTried) && menu.instruments.includes('CreditCard')) return 'CreditCard';
  return menu.opened;
}

/** What a payer sees, as the form sends it back: `<leg>:<amount> … card:<amount>`. */
export function seenIn({ giftCards, byCard }: Pick<Menu, 'giftCards' | 'byCard'>): string {
  return [...giftCards.map(({ legId, amount }) => `${legId}:${amount}`), `card:${byCard}`].join(' ');
}

/** What a form says that its payer saw; undefined where it says nothing that a page has said. */
export function readSeen(text: string | undefined): SeenSplit | undefined {
  const parts = (text ?? '').split(' ', SEEN_PARTS).map((part) => part.split(':', 2));
  const card = parts.pop();
  if (card?.[0] !== 'card' || !isAmount(card[1])) return undefined;
  const legs = parts.map(([legId = '', amount]) => ({ legId, amount: Number(amount) }));
  if (!parts.every(([legId = '', amount]) => isUuid(legId) && isAmount(amount))) return undefined;
  return { legs, card: Number(card[1]) };
}

function isAmount(text: string | undefined): boolean {
  return text !== undefined && /^\d{1,12}$/.test(text);
}

/** A gift card as it was typed, or what is missing of it. */
export type ReadEntry =
  | { readonly faults: Faults }
  | { readonly faults: undefined; readonly number: string; readonly code: string };

/** Reads what a payer has entered. Only what is missing is said: what is wrong about it is for the one answer to all. */
export function readEntry(fields: ReadonlyMap<string, string>): ReadEntry {
  const number = plain(fields.get('giftNumber'), NUMBER_CHARACTERS);
  const code = plain(fields.get('giftCode'), CODE_CHARACTERS);
  const faults: Faults = {
    ...(number === '' && { giftNumber: 'giftNumberMissing' as const }),
    ...(code === '' && { giftCode: 'giftCodeMissing' as const }),
  };
  if (Object.keys(faults).length > 0) return { faults };
  return { faults: undefined, number, code };
}

function plain(text = '', most: number): string {
  return plainDigits(text).slice(0, most);
}

/** Why a gift card cannot pay, by what the page is told; undefined where that is about no gift card. */
export const GIFT_FAULTS: { readonly [Outcome in PageOutcome]?: FieldFault } = {
  notusable: 'giftNotUsable',
  expired: 'giftExpired',
  empty: 'giftEmpty',
  currency: 'giftCurrency',
  notallowed: 'giftNotAllowed',
  alreadyadded: 'giftAlreadyAdded',
  toomany: 'giftTooMany',
};
