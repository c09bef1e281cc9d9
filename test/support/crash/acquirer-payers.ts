import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { acquiringShop, href, type ShopAnswer } from '../issuer/acquiring.ts';
import { externalAuthentication } from '../issuer/three-ds.ts';
import { testCardNumber } from '../numbers.ts';

/** Payers beside each other, each with a card of their own, who go on whatever is killed. */
export interface Payers {
  /** Pays until told otherwise, or so many have. */
  pay(options: { readonly atOnce: number; readonly seed: number; readonly isOver: () => boolean }): Promise<void>;
  /** Payments whose approval was told. */
  readonly acknowledged: readonly string[];
  /** Payments that were tried, whatever came of it. */
  tried(): number;
  /** What they sent that no place may keep. */
  readonly numbers: readonly string[];
  readonly authenticationValues: readonly string[];
}

/** What each payment is to be, with what the test acquirers do by the amount. */
const wishes = fc.record({
  amount: fc.oneof(
    { weight: 24, arbitrary: fc.integer({ min: 100, max: 90_000 }) },
    // Approved and not answered, answered too late, the line is closed before or in the middle of it, not usable.
    { weight: 4, arbitrary: fc.constantFrom(900_304, 900_306, 900_310, 900_311, 900_319) },
    // Declined; 909 after it was approved.
    { weight: 2, arbitrary: fc.constantFrom(900_351, 900_361, 900_325) },
  ),
  afterwards: fc.constantFrom('nothing', 'capture', 'cancel', 'capture and cancel', 'refund'),
  isAuthenticated: fc.boolean(),
});

/** A test card of Visa's for each payer. Its digits look like lots, so that nothing else looks like part of it. */
function cardOf(payer: number): string {
  return testCardNumber(VISA_EVERY * (((payer + 1) * SPREAD) % CARDS));
}

/** Every eighth test card is Visa's. */
const VISA_EVERY = 8;
/** A prime: no two payers below it have one number. */
const CARDS = 999_999_937;
const SPREAD = 387_420_489;
/** Of all their cards. */
export const PAYERS_CVC = '739';
/** Milliseconds before a payer whom no service answers comes again. */
const AGAIN_MS = 20;

/** Payers of a site's payee, at whichever instances there are. */
export function acquirerPayers(where: () => { readonly baseUrl: string; readonly accessToken: string }): Payers {
  const shop = acquiringShop(() => ({ ...where(), journal: '' }));
  const numbers: string[] = [];
  const authenticationValues: string[] = [];
  const acknowledged: string[] = [];
  let tried = 0;

  async function payOnce({ amount, afterwards, isAuthenticated }: Wish): Promise<void> {
    const made = await shop.create(amount);
    const number = cardOf(numbers.length);
    numbers.push(number);
    const authentication = isAuthenticated ? externalAuthentication() : undefined;
    if (authentication !== undefined) authenticationValues.push(authentication.authenticationValue);
    const transaction = {
      cardNumber: number,
      cardExpiryMonth: 12,
      cardExpiryYear: 2039,
      cardVerificationCode: PAYERS_CVC,
      ...(authentication !== undefined && { authentication }),
    };
    tried++;
    const { body } = await shop.send(href(made, 'direct-authorization'), { transaction });
    if (body.authorization?.transaction.state !== 'Completed') return;
    acknowledged.push(made.body.payment.id.split('/').at(-1));
    if (afterwards !== 'nothing') await follow(made, amount, afterwards);
  }

  async function follow(made: ShopAnswer, amount: number, afterwards: Wish['afterwards']): Promise<void> {
    const part = Math.ceil(amount / 3);
    const step = async (rel: string, others: object) => {
      const found = await shop.send(made.body.payment.id);
      const transaction = { description: rel, payeeReference: `${rel}-${made.body.payment.number}`, ...others };
      await shop.send(href(found, rel), { transaction });
    };
    if (afterwards !== 'cancel') await step('create-capture', { amount: part, vatAmount: 0 });
    if (afterwards.includes('cancel')) await step('create-cancellation', {});
    if (afterwards === 'refund') await step('create-reversal', { amount: Math.floor(part / 2) + 1, vatAmount: 0 });
  }

  return {
    acknowledged,
    numbers,
    authenticationValues,
    tried: () => tried,
    async pay({ atOnce, seed, isOver }) {
      const wanted = fc.sample(wishes, { seed, numRuns: 1_000 });
      let next = 0;
      const payer = async () => {
        while (!isOver()) {
          const wish = wanted[next++ % wanted.length] as Wish;
          // The instance was killed, or an operation is not offered because what came before it was not done.
          await payOnce(wish).catch(() => pause(AGAIN_MS));
        }
      };
      await Promise.all(Array.from({ length: atOnce }, payer));
    },
  };
}

type Wish = typeof wishes extends fc.Arbitrary<infer One> ? One : never;
