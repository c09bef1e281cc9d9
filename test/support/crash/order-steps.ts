import { testCard } from '../issuer/three-ds.ts';
import { IS_LONG_RUN } from '../long-run.ts';
import { freshCard } from '../numbers.ts';
import { type OrderPayer, orderPayer } from '../payer/order-payer.ts';
import type { OrderWalks } from '../payer/order-walks.ts';
import type { Answer, TestService } from '../service.ts';
import { newReference } from '../shop/accounts-shop.ts';
import { VISA_WITH_3D_SECURE } from '../shop/card-payments-shop.ts';
import type { IssuedCard } from '../shop/gift-cards-seller.ts';
import { refuteSnapshot } from './order-sums.ts';

// What happens in the lives of orders, one step after the other.

/** What happens to an order, and how often beside the others. */
export const VERBS = {
  add: 5,
  remove: 1,
  pay: 4,
  decline: 1,
  'soft decline': 1,
  challenge: 2,
  // It takes a quarter of a minute.
  silence: IS_LONG_RUN ? 1 : 0,
  update: 1,
  abort: 1,
  lapse: 1,
  expire: 1,
  'two tabs': 1,
  capture: 3,
  cancel: 1,
  reverse: 2,
  'end of authorization': 1,
} as const;
export type Verb = keyof typeof VERBS;

/** A payee of these lives. */
export interface Payee {
  readonly at: TestService;
  readonly walks: OrderWalks;
  readonly cards: readonly IssuedCard[];
}

/** An order on its way. */
export interface Living {
  readonly payee: Payee;
  readonly id: string;
  readonly link: string;
  readonly payer: OrderPayer;
  readonly amount: number;
}

/** Gift cards of each payee. */
export const CARDS = 5;
/** The acquirer declines this amount, wants the payer to authenticate, and does not answer; and one that no gift cards reach. */
const DECLINED = 900_351;
const SOFTLY_DECLINED = 900_365;
const UNANSWERED = 900_304;
const PLENTY = 2_000_000;
/** Its bank cannot say who the payer is. */
const UNAUTHENTICATED = testCard('06');

/** A card of no other payer: one that was declined too often is not tried any more. */
const newCard = () => freshCard('debit');

const pay = (payer: OrderPayer) =>
  payer.isCovered() ? payer.payByGiftCards() : payer.payByCard({ number: newCard() });

const setAmount = ({ payee, id }: Living, amount: number) =>
  payee.walks.change(id, 'UpdateOrder', { amount, vatAmount: Math.floor(amount / 5) });

/** Makes the order so large that a card pays this amount of it, whatever gift cards it has, and pays with this card. */
async function payOfCard(one: Living, amount: number, number: string): Promise<readonly Answer[]> {
  const { payer } = one;
  if ((await setAmount(one, PLENTY)).status !== 200) return [];
  await payer.open();
  await setAmount(one, PLENTY - payer.byCard() + amount);
  await payer.open();
  return [await payer.payByCard({ number })];
}

/** Lets a time come. Where a machine with much else to do does not connect in time, it does not come. */
const letPass = ({ at }: Payee, sql: string) => at.database.asAdmin(sql).catch(() => []);

const JSON_PLEASE = { headers: { accept: 'application/json' } };

/** What the page's script says once it knows the browser. */
const authenticate = ({ payer: { page } }: Living) =>
  page.post(
    '/authenticate',
    { java: 'false', depth: '24', height: '900', width: '1440', tz: '-60', method: 'U', cvc: '123' },
    JSON_PLEASE,
  );

/** What each of these is: the answers to what was sent. */
export const STEPS: Readonly<Record<Verb, (one: Living, share: number) => Promise<readonly Answer[]>>> = {
  async add({ payee, payer }, share) {
    await payer.open();
    return [await payer.add(payee.cards[share % CARDS] as IssuedCard)];
  },
  async remove({ payer }, share) {
    await payer.open();
    return [await payer.remove(share % 2)];
  },
  async pay({ payer }) {
    await payer.open();
    return [await pay(payer)];
  },
  async decline(one) {
    const declined = await payOfCard(one, DECLINED, newCard());
    return [...declined, await setAmount(one, one.amount)];
  },
  /** Its bank could not say who the payer is, so that its issuer wants to know: the payer is asked, and goes away. */
  async 'soft decline'(one) {
    const [begun] = await payOfCard(one, SOFTLY_DECLINED, UNAUTHENTICATED);
    if (begun?.body?.outcome !== 'Authenticate') return [];
    return [begun, await authenticate(one)];
  },
  async challenge({ payee, payer, id, ...one }, share) {
    await payer.open();
    const begun = await payer.payByCard({ number: VISA_WITH_3D_SECURE });
    if (share > 75 || begun.body?.outcome !== 'Authenticate') return [begun];
    if (share > 50) return [begun, await payee.walks.change(id, 'PaymentAttemptAborted', { abortReason: 'Slow' })];
    const asked = await authenticate({ payee, payer, id, ...one });
    if (asked.body?.outcome !== 'Challenge') return [begun, asked];
    return [begun, asked, await payer.page.confirm(share > 10 ? 'Approved' : 'Declined')];
  },
  /** It is not known for a while what became of it, and then it was taken back. */
  async silence(one, share) {
    return share > 30 ? [] : payOfCard(one, UNANSWERED, newCard());
  },
  async update(one, share) {
    return [await setAmount(one, Math.ceil((one.amount * share) / 50))];
  },
  async abort({ payee, id }, share) {
    return share > 40 ? [] : [await payee.walks.change(id, 'Abort', { abortReason: 'NoMore' })];
  },
  /** The payer is away for longer than gift cards are kept. */
  async lapse({ payee, id }) {
    await letPass(
      payee,
      `update payment_order set held_until = kontor_now() where order_id = '${idIn(id)}' and held_until is not null`,
    );
    return [];
  },
  /** Its time to be paid is over. */
  async expire({ payee, id }, share) {
    if (share > 30) return [];
    await letPass(
      payee,
      `
      with over as (
        update payment_order set expires_at = kontor_now()
        where order_id = '${idIn(id)}' and status = 'Initialized'
        returning payee_id, order_id, expires_at
      )
      update card_payment c set expires_at = over.expires_at
      from over
      where c.payee_id = over.payee_id and c.order_id = over.order_id`,
    );
    return [];
  },
  /** The job cancels what is left. */
  async 'end of authorization'({ payee, id }, share) {
    if (share > 30) return [];
    await letPass(
      payee,
      `
      update payment_order set authorized_until = kontor_now()
      where order_id = '${idIn(id)}' and authorized_until is not null`,
    );
    return [];
  },
  async 'two tabs'({ payee, payer, link }) {
    const tab = orderPayer(payee.at, link);
    await Promise.all([payer.open(), tab.open()]);
    return Promise.all([pay(payer), pay(tab)]);
  },
  capture: (one, share) => follow(one, { what: 'captures', left: 'remainingCaptureAmount', share }),
  cancel: async (one, share) =>
    share > 40 ? [] : follow(one, { what: 'cancellations', left: 'remainingCancellationAmount', share }),
  reverse: (one, share) => follow(one, { what: 'reversals', left: 'remainingReversalAmount', share }),
};

interface FollowingUp {
  readonly what: 'captures' | 'cancellations' | 'reversals';
  readonly left: string;
  readonly share: number;
}

/** Twice at once, now and then, and read meanwhile: what was read must be of one moment. */
async function follow({ payee, id }: Living, { what, left, share }: FollowingUp): Promise<readonly Answer[]> {
  const { walks } = payee;
  const most: number | undefined = (await walks.orderOf(id))[left];
  if (most === undefined) return [];
  const members = () => ({
    payeeReference: newReference(),
    ...(what !== 'cancellations' && { amount: Math.ceil((most * share) / 100), vatAmount: 0 }),
  });
  const sent = Array.from({ length: share % 3 === 0 ? 2 : 1 }, () => walks.follow(id, what, members()));
  const reads = Array.from({ length: 2 }, () => walks.orderOf(id, 'financialtransactions'));
  // Waited for together: the instance may be killed, and then all of them fail.
  const [answers, orders] = await Promise.all([Promise.all(sent), Promise.all(reads)]);
  const findings = orders.flatMap(refuteSnapshot);
  if (findings.length > 0) throw new Error(`${id} while ${what}: ${findings}`);
  return answers;
}

const idIn = (path: string) => path.split('/').at(-1) ?? '';
