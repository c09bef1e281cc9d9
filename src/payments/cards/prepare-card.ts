import type { Read, Transaction } from '../../db/transaction.types.ts';
import { cardDigests } from '../../engine/card-history/card-digest.ts';
import type { Agreement } from '../../issuers/acquirers/acquirers.types.ts';
import { lookAtCard } from '../../issuers/authentication/look-at-card.ts';
import type { Look } from '../../issuers/authentication/three-ds.types.ts';
import { assert } from '../../kit/assert.ts';
import { brandOf } from '../../kit/cards/brands.ts';
import { Refusal } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { Secret } from '../../kit/secret.ts';
import { findSchemeTransactionId, findTokenToUse, type TokenToUse } from '../../tokens/get-token.ts';
import { makeTokens } from '../../tokens/stored/make-tokens.ts';
import type { TokenGuid, TokenType } from '../../tokens/tokens.types.ts';
import { brandName } from '../../vault/brands.rules.ts';
import { findCardRanges } from '../../vault/find-card-ranges.ts';
import { openCard } from '../../vault/open-instrument.ts';
import { storeInstruments } from '../../vault/store-instruments.ts';
import type { Instrument, InstrumentDraft, InstrumentId } from '../../vault/vault.types.ts';
import { operationOfTry } from '../changes/effects.rules.ts';
import { holderNameIn } from '../payers/sealed-payers.ts';
import { isPaidByToken } from '../payment-state.rules.ts';
import type { CardPayment, CardTransaction } from '../payments.types.ts';
import type { CardPaymentsContext } from '../payments-context.types.ts';
import { channelWanted, priceFor, tokensOfStored, USABLE_TOKENS } from '../terms.rules.ts';
import {
  checkLengths,
  checkNumber,
  checkSentCard,
  codeOf,
  expiryDateOf,
  expiryMonthOf,
  expiryMonthOfDate,
  issuerExpiryOf,
  shownCard,
} from './card.rules.ts';
import type { PreparedCard, SentCard } from './payment-cards.types.ts';
import { renewHistory } from './renew-history.ts';
import { beginTry } from './sealed-cards.store.ts';
import {
  lookAtVouched,
  makesMandate,
  refuseVouched,
  routesWith,
  routesWithout3DSecure,
  type Vouched,
} from './vouched.rules.ts';

/** A card that was sent for a payment. */
export interface SentFor {
  readonly payment: CardPayment;
  readonly sent: SentCard;
  /** Of the tokens that its payer has agreed to; unnamed: the payee has asked the payer, and all are made. */
  readonly tokenTypes?: readonly TokenType[];
  /** Whether its payer must authenticate, also where the payee does not want it. */
  readonly authenticates?: boolean;
}

/**
 * Looks at a card that a request sends, and seals it where that is needed: tokens are to be made of it, or its payer has
 * to authenticate first.
 *
 * @throws Refusal `inputerror` as `checkSentCard`, `checkLengths`, `checkNumber`; and as `lookAtVouched`, `routesWith`
 */
export async function prepareSentCard(
  transaction: Transaction,
  context: CardPaymentsContext,
  { payment, sent, tokenTypes = payment.terms.generate, authenticates = false }: SentFor,
): Promise<PreparedCard> {
  checkSentCard(sent);
  return prepare(transaction, context, {
    payment,
    tokenTypes,
    sent,
    number: sent.number,
    expiryMonth: expiryMonthOf(sent),
    cvc: codeOf(sent),
    holderName: sent.holderName,
    instrument: undefined,
    isKept: false,
    isStored: false,
    authenticates,
    vouched: sent.vouched,
  });
}

/**
 * Opens the card of the token that a payment is paid with.
 *
 * @throws Refusal `notfound`, `paymenttokeninactive`
 */
export async function prepareStoredCard(
  transaction: Transaction,
  context: CardPaymentsContext,
  payment: CardPayment,
): Promise<PreparedCard> {
  const { payeeId, operation, terms, payerReference } = payment;
  assert(isPaidByToken(payment) && terms.token !== undefined, 'the payment is paid with a token');
  const { token, number, instrument, expiryMonth } = await openTokenCard(transaction, context, payeeId, {
    tokenId: terms.token,
    tokenTypes: USABLE_TOKENS[operation],
    payerReference: payerReference ?? undefined,
  });
  const schemeTransactionId = await findSchemeTransactionId(transaction, { payeeId, token });
  return prepare(transaction, context, {
    payment,
    tokenTypes: terms.generate,
    number,
    expiryMonth,
    cvc: undefined,
    holderName: undefined,
    instrument,
    isKept: true,
    isStored: true,
    schemeTransactionId,
  });
}

/**
 * Opens the stored card that a payer has chosen for a payment.
 *
 * @param chosen.cvc as the payer has just typed it; undefined where it is not asked for
 * @throws Refusal `notfound`, `paymenttokeninactive`
 */
export async function prepareChosenCard(
  transaction: Transaction,
  context: CardPaymentsContext,
  chosen: { readonly payment: CardPayment; readonly token: string; readonly cvc: Secret | undefined },
): Promise<PreparedCard> {
  const { payment, token, cvc } = chosen;
  const { number, instrument, expiryMonth } = await openTokenCard(transaction, context, payment.payeeId, {
    tokenId: token,
    tokenTypes: ['Payment'],
    payerReference: payment.payerReference ?? undefined,
  });
  // Its payer may have to authenticate, and its tokens may be deleted meanwhile: the try, and then its transaction, hold it.
  const isThere = await beginTry(transaction, instrument);
  if (!isThere) throw new Refusal('paymenttokeninactive', 'The token was archived or deleted.');
  return prepare(transaction, context, {
    payment,
    tokenTypes: tokensOfStored(payment.terms),
    number,
    expiryMonth,
    cvc,
    holderName: undefined,
    instrument,
    isKept: false,
    isStored: true,
  });
}

async function openTokenCard(
  transaction: Transaction,
  context: CardPaymentsContext,
  payeeId: PayeeId,
  wanted: TokenToUse,
): Promise<OpenedToken> {
  const token = await findTokenToUse(context.tokens, payeeId, wanted);
  const { instrumentId } = token;
  const opened =
    instrumentId === null ? undefined : await openCard(transaction, context.keyRing, { payeeId, instrumentId });
  if (opened === undefined || token.expiryDate === null) {
    throw new Refusal('paymenttokeninactive', 'The token was archived or deleted.');
  }
  return { ...opened, token: token.token, expiryMonth: expiryMonthOfDate(token.expiryDate) };
}

interface OpenedToken {
  readonly token: TokenGuid;
  readonly number: Secret;
  readonly instrument: Instrument;
  readonly expiryMonth: string;
}

/** Opens the card of a transaction whose payer has authenticated; undefined where it was destroyed meanwhile. */
export async function prepareWaitingCard(
  transaction: Transaction,
  context: CardPaymentsContext,
  {
    payment,
    waiting,
    cvc,
  }: { readonly payment: CardPayment; readonly waiting: CardTransaction; readonly cvc: Secret | undefined },
): Promise<PreparedCard | undefined> {
  const { payeeId, instrumentId, card } = waiting;
  if (instrumentId === null || card === null) return undefined;
  const opened = await openCard(transaction, context.keyRing, { payeeId, instrumentId });
  if (opened === undefined) return undefined;
  return prepare(transaction, context, {
    payment,
    tokenTypes: waiting.tokenTypes ?? payment.terms.generate,
    number: opened.number,
    expiryMonth: expiryMonthOfDate(card.expiryDate),
    cvc,
    holderName: holderNameIn(context.keyRing, waiting),
    instrument: opened.instrument,
    isKept: false,
    isStored: waiting.isStored,
    authenticates: true,
  });
}

interface Known {
  readonly payment: CardPayment;
  readonly tokenTypes: readonly TokenType[];
  readonly number: Secret;
  readonly expiryMonth: string;
  readonly cvc: Secret | undefined;
  readonly holderName: string | undefined;
  /** Where the vault has it already. */
  readonly instrument: Instrument | undefined;
  /** Whether a token keeps it, so that nothing is left over when the payment is done. */
  readonly isKept: boolean;
  readonly isStored: boolean;
  /** A card that was just typed: the lengths of its number and code are those of its brand. */
  readonly sent?: SentCard;
  /** Of the payment that stored it first. */
  readonly schemeTransactionId?: string | undefined;
  readonly authenticates?: boolean;
  readonly vouched?: Vouched | undefined;
}

async function prepare(transaction: Transaction, context: CardPaymentsContext, known: Known): Promise<PreparedCard> {
  const { payment, tokenTypes, number, expiryMonth, cvc, holderName, isKept, vouched = {} } = known;
  const { payeeId, currency } = payment;
  const [found] = await findCardRanges(transaction, [number]);
  assert(found !== undefined, 'the look-up answers for every number');
  const name = found.range?.brand ?? brandOf(number.reveal());
  const brand = name && brandName(name);
  if (known.sent !== undefined) checkLengths(known.sent, brand);
  checkNumber(number, found, context.isSandbox);
  const shown = shownCard(number, found, { expiryMonth, holderName, brand: name });
  const { orderedBy } = payment.terms.cards;
  if (orderedBy !== undefined) refuseVouched(vouched);
  const byPayee = lookAtVouched(vouched, brand);
  const channel = channelWanted(payment.terms.cards);
  const wanted = { operation: operationOfTry(payment), currency, brand, number, channel };
  const amount = priceFor(payment.terms.prices, name)?.amount ?? 0;
  const { exemption } = vouched;
  const taking = routesWith({ exemption, amount, currency, tokenTypes }, context.issuers.routesOf(payeeId, wanted));
  const isFree = payment.terms.cards.no3DSecure === true && known.authenticates !== true;
  const { routes, isAllowed } = isFree ? routesWithout3DSecure(taking) : { routes: taking, isAllowed: false };
  const agreement = routes[0]?.agreement;
  const authentication = byPayee ?? (await lookFor(transaction, context, { ...known, isAllowed, brand, agreement }));
  const isWanted = tokenTypes.length > 0 || authentication.is === 'Needed';
  const draft = { kind: 'Card', number, range: found.range } as const;
  const instrument = known.instrument ?? (isWanted ? await seal(transaction, context, { payeeId, draft }) : undefined);
  const digests = cardDigests(context, payeeId, number);
  await renewHistory(transaction, { payeeId, ...digests });
  return {
    earlierDigests: digests.earlier,
    data: {
      number,
      expiryDate: issuerExpiryOf(expiryMonth),
      cvc,
      track2: undefined,
      encryptedPin: undefined,
    },
    holderName,
    tokens: tokensOf(context, known, instrument),
    schemeTransactionId: known.schemeTransactionId,
    vouched,
    routes,
    summary: {
      shown,
      range: found.range,
      digest: digests.digest,
      issuerId: routes[0]?.issuer.issuerId,
      authentication,
      hasCvc: cvc !== undefined,
      expiryMonth,
      tokenTypes,
      instrumentId: isKept ? undefined : instrument?.instrumentId,
      isStored: known.isStored,
      isOfSandbox: context.isSandbox,
    },
  };
}

/**
 * Seals a card that an issuer wants its payer to authenticate for: only now is it known that it is needed once more. One
 * that is sealed already stays as it is.
 */
export async function sealForAuthentication(
  transaction: Transaction,
  context: CardPaymentsContext,
  payeeId: PayeeId,
  { data: { number }, summary }: PreparedCard,
): Promise<InstrumentId> {
  if (summary.instrumentId !== undefined) return summary.instrumentId;
  const [found] = await findCardRanges(transaction, [number]);
  assert(found !== undefined, 'the look-up answers for every number');
  const draft = { kind: 'Card', number, range: found.range } as const;
  const { instrumentId } = await seal(transaction, context, { payeeId, draft });
  return instrumentId;
}

/** Payments by the merchant, mail and telephone orders, and those whose agreement allows the payee to want none are not authenticated. */
function lookFor(
  transaction: Transaction,
  { threeDS }: CardPaymentsContext,
  {
    payment,
    number,
    isAllowed,
    brand,
    agreement,
    tokenTypes,
  }: Pick<Known, 'payment' | 'number' | 'tokenTypes'> & {
    /** Whether it may be charged without, as the payee wants. */
    readonly isAllowed: boolean;
    readonly brand: string | undefined;
    /** Under which the card is to be charged. */
    readonly agreement: Agreement | undefined;
  },
): Promise<Look> | Look {
  const { payeeId, terms } = payment;
  const isExempted = terms.cards.orderedBy !== undefined || isAllowed;
  if (isPaidByToken(payment) || isExempted || brand === undefined || agreement === undefined) return { is: 'NotMeant' };
  const read: Read = (statement, values) => transaction.run(statement, values);
  const isMandate = makesMandate(tokenTypes);
  return lookAtCard(threeDS(), read, { payeeId, agreement, brand, number, isMandate });
}

/**
 * Seals a card, and begins the try for which that is: see `releaseCards`, and `sweepCards` where the process ends
 * before.
 */
async function seal(
  transaction: Transaction,
  context: CardPaymentsContext,
  { payeeId, draft }: { readonly payeeId: PayeeId; readonly draft: InstrumentDraft },
): Promise<Instrument> {
  const [instrument] = await storeInstruments(transaction, context, payeeId, [draft]);
  assert(instrument !== undefined, 'a card that is sealed is an instrument');
  const isThere = await beginTry(transaction, instrument);
  assert(isThere, 'a card that was just sealed is there');
  return instrument;
}

function tokensOf(
  context: CardPaymentsContext,
  { payment, tokenTypes, number, expiryMonth }: Known,
  instrument: Instrument | undefined,
) {
  const { payerReference } = payment;
  if (tokenTypes.length === 0) return [];
  assert(instrument !== undefined && payerReference !== null, 'tokens are of a sealed card, and of a payer');
  const expiryDate = expiryDateOf(expiryMonth);
  return makeTokens(context, { payerReference, number, expiryDate, instrument, tokenTypes });
}
