import { wrongCode } from '../support/numbers.ts';
import type { Sought } from '../support/prober/scanner.ts';
import { newReference } from '../support/shop/accounts-shop.ts';
import { type Attack, attackBy, type Request, type Target } from './requests.ts';

const GIFT_CARDS = '/api/payments/gift-card';
const EMAIL = 'gift.canary.c0ffee@example.com';
const MOBILE = '4790081726354';

/** What answers show of a card once, and nothing else ever may. */
interface Shown {
  readonly accountId: string;
  readonly accountKey: string;
  readonly cvc: string;
}

/**
 * Has a card issued, shows it again, puts money on it, spends it, and gets its code wrong, each with number and code in
 * the request.
 *
 * @returns what only the answers to the first two may have shown
 */
export async function attackGiftCards(
  target: Target,
  exchange: (attack: Attack) => Promise<Buffer>,
): Promise<readonly Sought[]> {
  const post = async (path: string, members: object, headers: Request['headers'] = {}): Promise<string> => {
    const request = { method: 'POST', path, headers, body: JSON.stringify(members) };
    return (await exchange(attackBy(`gift card: ${path}`, request, target))).toString();
  };
  const once = { 'Idempotency-Key': 'leak-key-of-a-gift-card' };
  const issue = () => post(`${GIFT_CARDS}/get-new-gift-card`, { amount: 500, email: EMAIL, msisdn: MOBILE }, once);
  const card = shownIn(await issue());
  if (shownIn(await issue()).accountKey !== card.accountKey) throw new Error('a card is shown again');
  const { accountKey, cvc } = card;
  const wrong = wrongCode(cvc);
  for (const code of [cvc, wrong, Number(cvc), `${cvc}7391`]) {
    await post(`${GIFT_CARDS}/pre-deposit`, {
      amount: 10,
      currency: 'NOK',
      description: `of ${accountKey}`,
      orderRef: newReference(),
      SimpleAccountIdentifier: { accountKey, cvc: code },
    });
    await post(`${GIFT_CARDS}/pre-deposit`, {
      amount: 10,
      currency: 'NOK',
      orderRef: newReference(),
      simpleAccountIdentifier: { accountKey, cvc: code },
    });
    await post(`/api/payments/payment-account/${card.accountId}/payment/purchase`, {
      amount: 10,
      currency: 'NOK',
      merchant: { merchantName: 'Kiosk' },
      paymentOrderRef: newReference(),
      paymentTransactionRef: newReference(),
      accountIdentifier: { accountKey, cvc: code },
    });
  }
  await post(`${GIFT_CARDS}/get-new-gift-card`, { amount: 1 }, { 'Idempotency-Key': accountKey });
  return secretsOf(card);
}

function shownIn(answer: string): Shown {
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`no gift card: ${answer.slice(0, 400)}`);
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)).accountSummaryGiftCard as Shown;
}

function secretsOf({ accountKey, cvc }: Shown): Sought[] {
  const secret = (name: string, value: string): Sought => ({ name, value, kind: 'secret' });
  return [
    { name: "a gift card's number", value: accountKey, kind: 'card number' },
    secret("a gift card's e-mail address", EMAIL),
    secret("a gift card's mobile number", MOBILE),
    // Three digits stand in too many places to be sought alone; with the member's name before them they do not.
    ...['":"', '": "', '":', '": ', '\\":\\"', '=', ': '].map((between) =>
      secret("a gift card's code", `cvc${between}${cvc}`),
    ),
  ];
}
