import { remainingOf, unlessOver } from '../../engine/leg.rules.ts';
import type { Remaining } from '../../engine/leg.types.ts';
import { inputError } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { LARGEST_AMOUNT_MINOR, parseCurrency, ZERO_MINOR } from '../../kit/money.ts';
import { readEndingSlice, readNewestSlice } from '../newest-first.rules.ts';
import type { AskedPage, EndingSlice } from '../newest-first.types.ts';
import type {
  AccountGroup,
  AmountRange,
  CardGroup,
  Family,
  ListedKind,
  ListedPayment,
  ListedState,
  LookedWay,
  PaymentMatch,
  PaymentSearch,
  Place,
  SearchedState,
  SearchedText,
  Way,
} from './payments.types.ts';

/** Characters from which on a search finds what begins with them, too: fewer are the beginning of too much. */
const SEARCH_PREFIX_CHARACTERS = 4;
/** Characters of a text that is searched for: the longest reference that there is. */
const SEARCH_CHARACTERS = 128;

/** A list of payments as a request asks for it. */
export interface AskedPayments extends AskedPage, AskedAmounts, AskedPlace {
  readonly family?: Family | undefined;
  readonly state?: SearchedState | undefined;
  readonly kind?: ListedKind | undefined;
  readonly problem?: string | undefined;
  readonly search?: string | undefined;
  /** Whether payments that are legs of orders are listed, too. A search finds them anyway. */
  readonly legs?: 'also' | undefined;
}

/** What is asked for: a part of the list, or what a text names. */
export type ReadPayments = { readonly families: readonly Family[] } & (
  | ({ readonly by: 'list'; readonly match: PaymentMatch; readonly hasLegs: boolean } & EndingSlice)
  | { readonly by: 'text'; readonly searched: SearchedText }
);

/**
 * Reads what a request asks for.
 *
 * @throws Refusal `inputerror` where it cannot be read, or a search does not stand alone
 */
export function readPayments(asked: AskedPayments): ReadPayments {
  const families: readonly Family[] = asked.family === undefined ? ['card', 'account'] : [asked.family];
  const slice = asked.state === 'ToCapture' ? readEndingSlice(asked) : readNewestSlice(asked);
  const match = readMatch(asked);
  const hasLegs = asked.legs === 'also';
  if (asked.search === undefined) return { by: 'list', families, match, hasLegs, ...slice };
  const isNarrowed = Object.values(match).some((wanted) => wanted !== undefined);
  if (isNarrowed || asked.from !== undefined || asked.to !== undefined || asked.cursor !== undefined) {
    throw inputError(
      'search',
      'must stand alone: without period, state, kind, problem, amounts, shop, site, terminal and cursor',
    );
  }
  return { by: 'text', families, searched: readSearched(asked.search) };
}

function readMatch({ state, kind, problem, ...asked }: AskedPayments): PaymentMatch {
  return { state, kind, problem, amount: readAmountRange(asked), place: readPlace(asked) };
}

/** Where, as a request asks for it. */
export type AskedPlace = { readonly [name in keyof Place]?: string | undefined };

/** The place that a request asks for; undefined where it asks for none. */
export function readPlace({ shop, site, terminal }: AskedPlace): Place | undefined {
  return shop === undefined && site === undefined && terminal === undefined ? undefined : { shop, site, terminal };
}

/** Amounts as a request asks for them. */
export interface AskedAmounts {
  readonly amountFrom?: string | undefined;
  readonly amountTo?: string | undefined;
  readonly currency?: string | undefined;
}

/**
 * Reads the amounts that a request asks for; undefined where it asks for none.
 *
 * @throws Refusal `inputerror`
 */
export function readAmountRange({ amountFrom, amountTo, currency: code }: AskedAmounts): AmountRange | undefined {
  if (amountFrom === undefined && amountTo === undefined && code === undefined) return undefined;
  const from = readAmount('amountFrom', amountFrom) ?? 0;
  const to = readAmount('amountTo', amountTo) ?? LARGEST_AMOUNT_MINOR;
  if (from > to) throw inputError('amountTo', 'must not be below amountFrom');
  const currency = code === undefined ? undefined : parseCurrency(code);
  if (code !== undefined && currency === undefined) throw inputError('currency', 'must be a code of ISO 4217');
  return { from, to, currency };
}

function readAmount(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const amount = Number(text);
  if (!/^\d{1,12}$/.test(text) || amount > LARGEST_AMOUNT_MINOR) {
    throw inputError(name, "must be a whole number in the currency's smallest unit");
  }
  return amount;
}

/** The fewest digits of an id that stand for themselves: eight of them are a stretch of time, and nothing else. */
const ID_BEGINNING = /^[0-9a-f]{8}(-[0-9a-f-]{0,27})?$/;

/**
 * Reads what is searched for.
 *
 * @throws Refusal `inputerror`
 */
export function readSearched(search: string): SearchedText {
  const text = search.trim();
  if (text === '' || text.length > SEARCH_CHARACTERS) {
    throw inputError('search', `must have 1 to ${SEARCH_CHARACTERS} characters`);
  }
  const number = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  return { text, alsoAsPrefix: text.length >= SEARCH_PREFIX_CHARACTERS, ids: idsFrom(text.toLowerCase()), number };
}

/** The ids that begin with a text. */
function idsFrom(text: string): SearchedText['ids'] {
  const filled = (filler: string) => `${text}${filler.slice(text.length)}`;
  const from = filled('00000000-0000-0000-0000-000000000000');
  const to = filled('ffffffff-ffff-ffff-ffff-ffffffffffff');
  return ID_BEGINNING.test(text) && isUuid(from) && isUuid(to) ? { from, to } : undefined;
}

const CARD_KINDS: readonly ListedKind[] = ['Purchase', 'Verify', 'Recur', 'UnscheduledPurchase'];
const ACCOUNT_KINDS: readonly ListedKind[] = ['Authorize', 'Purchase', 'Deposit', 'Credit'];

const NOT_PAID: Readonly<Record<'Open' | 'Failed' | 'Aborted', Pick<CardGroup, 'state' | 'isUnpaid'>>> = {
  Open: { state: 'Ready', isUnpaid: true },
  Failed: { state: 'Failed', isUnpaid: true },
  Aborted: { state: 'Aborted', isUnpaid: true },
};
const PAID = { state: 'Ready', isUnpaid: false } as const;

const ofCards = (
  states: readonly Omit<CardGroup, 'operation'>[],
  operations: readonly ListedKind[] = CARD_KINDS,
): CardGroup[] => states.flatMap((state) => operations.map((operation) => ({ ...state, operation })));

/** What the way of a list depends on. */
type WayTo = Pick<PaymentSearch, 'match' | 'hasLegs'>;

/** How the card payments of a list are found. */
export function cardWay({ match, hasLegs }: WayTo): Way<CardGroup> {
  const kinds = kindsOf(CARD_KINDS, match);
  const way = cardWayTo(match, kinds);
  return throughSieve(hasLegs ? withLegs(match, way, kinds) : way, { match, kinds, tried: 'tried' });
}

function cardWayTo({ state }: PaymentMatch, kinds: readonly ListedKind[]): Way<CardGroup> {
  switch (state) {
    case undefined:
      return { by: 'groups', groups: ofCards([...Object.values(NOT_PAID), PAID], kinds) };
    case 'Succeeded':
      return { by: 'groups', groups: ofCards([PAID], kinds) };
    case 'Open':
    case 'Failed':
    case 'Aborted':
      return { by: 'groups', groups: ofCards([NOT_PAID[state]], kinds) };
    case 'Declined':
      return { by: 'declined', sieve: { ...NOTHING_ASKED, kinds } };
    case 'ToCapture':
      return { by: 'ending', sieve: { ...NOTHING_ASKED, kinds } };
    case 'PartlyReversed':
    case 'Reversed':
      return { by: 'reversed', sieve: { ...NOTHING_ASKED, states: [state], kinds } };
    default:
      return { by: 'looked', sieve: { ...NOTHING_ASKED, states: [state], kinds } };
  }
}

const ofAccounts = (
  states: readonly AccountGroup['state'][],
  operations: readonly ListedKind[] = ACCOUNT_KINDS,
): AccountGroup[] => states.flatMap((state) => operations.map((operation) => ({ state, operation })));

/** How the account payments of a list are found. In their order there are deposits, as many as gift cards: they are passed over. */
export function accountWay({ match, hasLegs }: WayTo): Way<AccountGroup> {
  const kinds = kindsOf(ACCOUNT_KINDS, match);
  const found = accountWayTo(match, kinds);
  const way = hasLegs ? withLegs(match, found, kinds) : found;
  const narrowed: Way<AccountGroup> = way.by === 'order' ? { by: 'looked', sieve: { ...NOTHING_ASKED, kinds } } : way;
  return throughSieve(narrowed, { match, kinds, tried: 'looked' });
}

const NOTHING_ASKED = { states: undefined, amount: undefined, problem: undefined, place: undefined } as const;

function accountWayTo({ state }: PaymentMatch, kinds: readonly ListedKind[]): Way<AccountGroup> {
  switch (state) {
    case undefined:
      return { by: 'groups', groups: ofAccounts(['OK', 'FAILED', 'REVERSED'], kinds) };
    case 'Succeeded':
      return { by: 'groups', groups: ofAccounts(['OK', 'REVERSED'], kinds) };
    case 'Failed':
    case 'Declined':
      return { by: 'groups', groups: ofAccounts(['FAILED'], kinds) };
    case 'Reversed':
      return { by: 'groups', groups: ofAccounts(['REVERSED'], kinds) };
    case 'Open':
    case 'Aborted':
      return { by: 'groups', groups: [] };
    case 'ToCapture':
      return { by: 'ending', sieve: { ...NOTHING_ASKED, kinds } };
    default:
      return { by: 'looked', sieve: { ...NOTHING_ASKED, states: [state], kinds } };
  }
}

/** States that tell how many payers paid, and how many could not: a credit is the payee's own. */
const OF_PAYERS: readonly (SearchedState | undefined)[] = ['Succeeded', 'Declined'];

/**
 * The kinds of a family that are wanted; none where the wanted one is the other family's. A deposit loads a gift card: the
 * programme moves its own money, and no payer pays. So deposits are listed only where they are asked for.
 */
function kindsOf(kinds: readonly ListedKind[], { kind, state }: PaymentMatch): readonly ListedKind[] {
  const left: readonly ListedKind[] = OF_PAYERS.includes(state) ? ['Deposit', 'Credit'] : ['Deposit'];
  return kinds.filter((one) => (kind === undefined ? !left.includes(one) : one === kind));
}

/** Groups have no legs: with them rows are walked in their order, and looked at where they are narrowed down. */
function withLegs<Group>({ state, kind }: PaymentMatch, way: Way<Group>, kinds: readonly ListedKind[]): Way<Group> {
  if (way.by !== 'groups' || way.groups.length === 0) return way;
  if (state === undefined && kind === undefined) return { by: 'order' };
  return { by: 'looked', sieve: { ...NOTHING_ASKED, states: statesOf(state), kinds } };
}

/** The states that a searched one stands for; undefined: whichever. */
function statesOf(state: SearchedState | undefined): readonly ListedState[] | undefined {
  switch (state) {
    case undefined:
    case 'ToCapture':
      return undefined;
    case 'Succeeded':
      return SUCCEEDED;
    case 'Open':
      return ['Open', 'Declined'];
    // Of an account payment; of card payments an index has them.
    case 'Declined':
      return ['Failed'];
    default:
      return [state];
  }
}

interface Sieving {
  readonly match: PaymentMatch;
  readonly kinds: readonly ListedKind[];
  /** How what failed by a reason is found. */
  readonly tried: LookedWay;
}

/** An amount, a reason and a place have no index: rows are looked at for them, fewer where something else can have them. */
function throughSieve<Group>(way: Way<Group>, { match, kinds, tried }: Sieving): Way<Group> {
  const { state, amount, problem, place } = match;
  const isEmpty = way.by === 'groups' && way.groups.length === 0;
  if ((amount === undefined && problem === undefined && place === undefined) || isEmpty) return way;
  const asked = { kinds, amount, problem, place };
  if (way.by === 'declined' || way.by === 'ending') return { by: way.by, sieve: { ...asked, states: undefined } };
  const by = way.by === 'reversed' ? 'reversed' : problem === undefined ? 'looked' : tried;
  return { by, sieve: { ...asked, states: statesOf(state) } };
}

/** What a payment that went well can have become. */
const SUCCEEDED: readonly ListedState[] = [
  'Authorized',
  'PartlyCaptured',
  'Captured',
  'PartlyReversed',
  'Reversed',
  'Cancelled',
  'Completed',
];

/** What is left of a payment: as the API says it. */
export function leftOf(payment: ListedPayment): Remaining {
  const { approved: amount, family, isOver } = payment;
  const remaining = unlessOver(remainingOf({ ...payment, amount }), isOver);
  // An account releases what it held by itself; an acquirer is told, and may be told sooner.
  return isOver && family === 'account' ? { ...remaining, cancel: ZERO_MINOR } : remaining;
}
