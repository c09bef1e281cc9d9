import type { Payment } from '../accounts/account-payments.types.ts';
import type { Circumstances } from '../accounts/accounts.types.ts';
import { cvcOf } from '../accounts/identifying/cvc.rules.ts';
import { overLimit } from '../accounts/turnover/turnover.rules.ts';
import type { ReachedLimit } from '../accounts/turnover/turnover.types.ts';
import { LEDGER_ISSUER } from '../issuers/issuers.rules.ts';
import { holdKeys } from '../keys/ring/hold-keys.ts';
import { assert } from '../kit/assert.ts';
import type { Actor } from '../kit/caller.ts';
import { maskCardNumber } from '../kit/cards/card-number.ts';
import { forbidden, notFound, Refusal } from '../kit/errors.ts';
import type { PayeeId } from '../kit/ids.ts';
import { addSeconds } from '../kit/instants.ts';
import { GIFT_CARD_SHOWN_SECONDS } from '../kit/limits.ts';
import { amountMinor } from '../kit/money.ts';
import type { Secret } from '../kit/secret.ts';
import type { KnownAccount, PaymentId } from '../ledger/ledger.types.ts';
import { associatedDataOf, type SealedField } from './cards/associated-data.rules.ts';
import { NEW_CARD } from './gift-card-kinds.ts';
import type {
  CardDraft,
  Contact,
  DepositEcho,
  MadeCard,
  NewCardCommand,
  NewCardResult,
  ProductId,
  SealedCard,
} from './gift-cards.types.ts';
import type { GiftCardsContext } from './gift-cards-context.types.ts';
import { makeCard } from './make-card.ts';
import { refuseAmountOutside } from './products/products.rules.ts';

/** Cards that are drawn for one request at most: a number is taken once in ten billion, a key changes once in months. */
const GIFT_CARD_DRAWS = 10;

/** A request for a new card. */
export interface GetNewGiftCard {
  readonly payeeId: PayeeId;
  readonly actor: Actor;
  readonly amount: number;
  /** Undefined: the payee's default product. */
  readonly productId: string | undefined;
  /** The one that a person was weighed by, or another one has agreed to; undefined: whichever is meant. */
  readonly agreedProductId?: string | undefined;
  /** Names the sale; undefined: the payee has not said. */
  readonly orderRef: string | undefined;
  readonly contact: Contact;
  /** `<user>:<nonce>` of the signature. */
  readonly nonce: string;
  readonly idempotencyKey: string | undefined;
  readonly circumstances: Circumstances;
}

/** A new card as it is shown, this once; again only for a day. */
export interface ShownCard {
  readonly payment: Payment;
  readonly paymentNumber: number;
  readonly accountKey: string;
  readonly cvc: string;
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly expiresOn: string;
  /** Whether an earlier request with the same key made it. */
  readonly isReplay: boolean;
}

/** Stands for a code that is not shown. */
const HIDDEN = '***';

/**
 * Makes and issues a gift card, or shows the one that an earlier request with this key made.
 *
 * @returns undefined where the nonce came with an earlier request, whatever else the two say
 * @throws Refusal `notfound` for a product that is not on sale
 * @throws Refusal `inputerror` for an amount outside of the product's limits
 * @throws Refusal `forbidden`, problem `Deposit`, where a limit of the product would be passed
 * @throws Refusal `referencereused` where the key came with other content
 */
export async function getNewGiftCard(
  context: GiftCardsContext,
  request: GetNewGiftCard,
): Promise<ShownCard | undefined> {
  const ids = { commandId: context.newId(), paymentId: context.newId() as PaymentId };
  for (let draws = 0; draws < GIFT_CARD_DRAWS; draws++) {
    const made = await draw(context, request);
    // A request for a product that is not there is no repetition, unless there was a card for it then.
    if (made instanceof Refusal && request.idempotencyKey === undefined) throw made;
    const result = await context.submit(NEW_CARD, commandOf(request, made instanceof Refusal ? made : made.draft, ids));
    switch (result.kind) {
      case 'Issued':
        assert(!(made instanceof Refusal), 'a card that was issued was made');
        return shown(context, result, { number: made.number, account: made.draft.opening, isReplay: false });
      case 'Known':
        return shownAgain(context, request, result);
      case 'NonceKnown':
        return undefined;
      case 'KeyChanged':
        await context.renewKeys();
        break;
      case 'NumberTaken':
        break;
      case 'Limited':
        throw await stopped(context, request, { made, limit: result.limit });
    }
  }
  throw new Refusal('unavailable', 'No card could be made just now.', { retryAfterSeconds: 1 });
}

async function stopped(
  context: GiftCardsContext,
  { payeeId, actor, amount }: GetNewGiftCard,
  { made, limit }: { readonly made: MadeCard | Refusal; readonly limit: ReachedLimit },
): Promise<Refusal> {
  assert(!(made instanceof Refusal) && made.draft.opening.currency !== null, 'what a limit stops was about to be made');
  const { currency } = made.draft.opening;
  await context.noteLimitReached({ payeeId, actor, accountId: null, limit, amount, currency });
  return overLimit('Deposit', limit);
}

async function draw(
  context: GiftCardsContext,
  { payeeId, productId, agreedProductId, amount, contact }: GetNewGiftCard,
) {
  const product = await context.findProductOnSale({ payeeId, productId: (productId ?? null) as ProductId | null });
  if (product === undefined) return notFound();
  if (agreedProductId !== undefined && product.productId !== agreedProductId) {
    return forbidden(
      'product',
      'Another product is meant where none is named than when it was asked for. Ask for it again.',
    );
  }
  try {
    refuseAmountOutside(product, amount);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return makeCard(context, product, contact);
}

function commandOf(
  { payeeId, actor, amount, productId, orderRef, nonce, idempotencyKey, circumstances }: GetNewGiftCard,
  card: CardDraft | Refusal,
  ids: Pick<NewCardCommand, 'commandId' | 'paymentId'>,
): NewCardCommand {
  const opening = card instanceof Refusal ? undefined : card.opening;
  return {
    ...ids,
    payeeId,
    actor,
    card,
    amount: amountMinor(amount),
    orderRef,
    nonce,
    idempotencyKey,
    echo: {
      accountIdentifier: {},
      words: {},
      circumstances,
      allowedProductIds: opening?.allowedProductIds ?? [],
      issuer: LEDGER_ISSUER.issuerId,
      card: { matches: true, numberMasked: opening?.numberMasked ?? '', expiryMonth: null },
      ...(orderRef === undefined && { hasNoOrder: true }),
      askedProduct: productId ?? null,
      balance: amountMinor(amount),
    },
  };
}

type Done = Extract<NewCardResult, { readonly payment: Payment }>;

/** What the code and the number of a card are shown from. */
interface CardSecrets {
  readonly number: Secret;
  readonly account: Pick<
    KnownAccount,
    'payeeId' | 'cvcKeyId' | 'cvcSequence' | 'expiresOn' | 'currency' | 'numberMasked'
  >;
  readonly isReplay: boolean;
}

function shown(
  { keyRing }: GiftCardsContext,
  { payment, now }: Done,
  { number, account, isReplay }: CardSecrets,
): ShownCard {
  const { payeeId, cvcKeyId, cvcSequence, expiresOn, currency } = account;
  assert(cvcKeyId !== null && expiresOn !== null && currency !== null, 'a gift card has a code, an expiry, a currency');
  const isFresh = now < addSeconds(payment.createdAt, GIFT_CARD_SHOWN_SECONDS);
  const cvc = () => cvcOf(keyRing, { payeeId, keyId: cvcKeyId, number, expiresOn, sequence: cvcSequence }).reveal();
  return {
    payment,
    paymentNumber: (payment.echo as DepositEcho).paymentNumber,
    accountKey: isFresh ? number.reveal() : maskCardNumber(number.reveal()),
    cvc: isFresh ? cvc() : HIDDEN,
    currency,
    expiresOn,
    isReplay,
  };
}

async function shownAgain(context: GiftCardsContext, request: GetNewGiftCard, result: Done): Promise<ShownCard> {
  const { payeeId, accountId, amount, paymentOrderRef, echo } = result.payment;
  const [account, card] = await Promise.all([
    context.lookUps.account({ payeeId, accountId }),
    context.findSealedCard({ payeeId, accountId }),
  ]);
  assert(account !== undefined && card !== undefined, 'a key stands for a card');
  await holdKeys(context.keyRing, [card.numberSealed]);
  const isSame =
    amount === request.amount &&
    (echo as DepositEcho).askedProduct === (request.productId ?? null) &&
    ((echo as DepositEcho).hasNoOrder ? undefined : paymentOrderRef) === request.orderRef &&
    card.payerReference === (request.contact.payerReference ?? null) &&
    isSecret(context, { card, field: 'email', sealed: card.emailSealed }, request.contact.email) &&
    isSecret(context, { card, field: 'msisdn', sealed: card.msisdnSealed }, request.contact.msisdn);
  if (!isSame) throw keyReused();
  const number = context.keyRing.open(associatedDataOf(card, 'number'), card.numberSealed);
  return shown(context, result, { number, account, isReplay: true });
}

interface Kept {
  readonly card: SealedCard;
  readonly field: SealedField;
  readonly sealed: Buffer | null;
}

/** Whether what is kept sealed is what was sent. */
function isSecret({ keyRing }: GiftCardsContext, { card, field, sealed }: Kept, sent: Secret | undefined): boolean {
  if (sealed === null || sent === undefined) return sealed === null && sent === undefined;
  return keyRing.open(associatedDataOf(card, field), sealed).reveal() === sent.reveal();
}

function keyReused(): Refusal {
  return new Refusal('referencereused', 'The Idempotency-Key came with other content before.', {
    problems: [{ name: 'Idempotency-Key', description: 'must be new, or come with the content that it had' }],
  });
}
