import type { Answer, SendOptions, TestService } from '../service.ts';
import { newReference } from './accounts-shop.ts';

/** A card as a payer holds it. */
export interface NewCard {
  readonly accountKey: string;
  readonly cvc: string;
  /** `MM/YY`. */
  readonly expiryDate: string;
}

/** A card as its issue answered it. */
export interface IssuedCard extends NewCard {
  /** As account payments know it. */
  readonly paymentAccountId: string;
  readonly currency: string;
  /** Of the deposit that it began with. */
  readonly paymentNumber: number;
}

type Members = Readonly<Record<string, unknown>>;

/** What a shop that sells gift cards does in a test, over HTTP. */
export interface CardSeller {
  getNew(members: Members, options?: SendOptions): Promise<Answer>;
  /** Sends a deposit; members that are undefined are left out. */
  deposit(card: Partial<NewCard>, members: Members): Promise<Answer>;
  /** A new card with so much on it. */
  issue(amount: number, members?: Members): Promise<IssuedCard>;
}

const PATH = '/api/payments/gift-card';

/** Sells gift cards on a running service. */
export function cardSeller(kontor: Pick<TestService, 'send'>): CardSeller {
  const getNew: CardSeller['getNew'] = (members, options = {}) =>
    kontor.send('POST', `${PATH}/get-new-gift-card`, { ...options, body: members });
  return {
    getNew,
    deposit: ({ accountKey, cvc, expiryDate }, members) =>
      kontor.send('POST', `${PATH}/pre-deposit`, {
        body: {
          SimpleAccountIdentifier: { accountKey, cvc, expiryDate },
          currency: 'NOK',
          orderRef: newReference(),
          ...members,
        },
      }),
    issue: async (amount, members = {}) => cardOf(await getNew({ amount, ...members })),
  };
}

/** The card that an answer shows. */
export function cardOf({ status, text, body }: Answer): IssuedCard {
  if (status !== 200) throw new Error(`no card: ${text}`);
  const { accountId, accountKey, cvc, expiryDate, currency } = body.accountSummaryGiftCard;
  const expiry = `${expiryDate.slice(5, 7)}/${expiryDate.slice(2, 4)}`;
  return { paymentAccountId: accountId, accountKey, cvc, expiryDate: expiry, currency, paymentNumber: body.paymentId };
}
