import { scopesOf, turnoversOf } from '../accounts/turnover/turnover.rules.ts';
import { LEDGER_ISSUER } from '../issuers/issuers.rules.ts';
import { maskCardNumber } from '../kit/cards/card-number.ts';
import { Secret } from '../kit/secret.ts';
import type { Kontor } from '../kontor.types.ts';
import { numberIdentity } from '../ledger/accounts/account-number.ts';
import type { AccountId } from '../ledger/ledger.types.ts';
import { giftCardNumber, randomDigitsOf } from './card-number.rules.ts';
import { associatedDataOf, type SealedField } from './cards/associated-data.rules.ts';
import type { Contact, MadeCard, ProductOnSale, SealedCard } from './gift-cards.types.ts';

/** The first code of a card; a card whose code has to change counts on. */
const FIRST_CODE = 1;

/** A number that a card has already, where it comes from another programme. */
export interface GivenNumber {
  readonly number: Secret;
  /** `YYYY-MM-DD`, the last day. */
  readonly expiresOn: string;
  /** The instant when that day is over where the payee is. */
  readonly expiresAt: string;
}

/**
 * Makes a card of a product: number, expiry, and what is stored of both. Nothing is stored here, and the number may turn
 * out to be taken: the code that stores the draft then has another one made.
 *
 * It seals with the key that was current when the database was last asked, so the code that stores it compares
 * `sealedWith`.
 *
 * @param given the number of an existing card; without it one is drawn
 */
export function makeCard(context: Kontor, product: ProductOnSale, contact: Contact, given?: GivenNumber): MadeCard {
  const { keyRing } = context;
  const { payeeId, productId } = product;
  const number = given?.number ?? new Secret(giftCardNumber(product, context.randomDigits(randomDigitsOf(product))));
  const accountId = context.newId() as AccountId;
  const numberKeyId = keyRing.current('account-numbers');
  const payerReference = contact.payerReference ?? null;
  return {
    number,
    draft: {
      productId,
      payerReference,
      turnovers: turnoversOf({ payeeId, accountId }, { productId, payerReference, scopes: scopesOf(product.limits) }),
      numberDigests: keyRing.digests('account-numbers', payeeId, numberIdentity(number)),
      opening: {
        payeeId,
        accountId,
        kind: 'StoredValue',
        instrument: 'giftcard',
        issuer: LEDGER_ISSUER.issuerId,
        currency: product.currency,
        numberMasked: maskCardNumber(number.reveal()),
        numberDigest: keyRing.digest(numberKeyId, payeeId, numberIdentity(number)),
        numberKeyId,
        expiresOn: given?.expiresOn ?? product.cardExpiresOn,
        expiresAt: given?.expiresAt ?? product.cardExpiresAt,
        cvcRequired: product.cvcRequired,
        // The code that another programme printed cannot be computed here.
        cvcKeyId: given === undefined ? keyRing.current('card-verification') : null,
        cvcSequence: FIRST_CODE,
        allowedProductIds: product.allowedProductIds,
        largestBalance: product.largestBalance,
      },
      sealed: seal(context, { payeeId, accountId }, { ...contact, number }),
    },
  };
}

function seal(
  { keyRing }: Kontor,
  row: Pick<SealedCard, 'payeeId' | 'accountId'>,
  { number, email, msisdn }: Contact & { readonly number: Secret },
): SealedCard {
  const sealedWith = keyRing.current('card-data');
  const sealed = (field: SealedField, text: Secret) => keyRing.seal(sealedWith, associatedDataOf(row, field), text);
  return {
    ...row,
    numberSealed: sealed('number', number),
    emailSealed: email === undefined ? null : sealed('email', email),
    msisdnSealed: msisdn === undefined ? null : sealed('msisdn', msisdn),
    sealedWith,
  };
}
