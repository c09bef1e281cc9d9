import type { OrderKillSite, OrderVictim } from '../support/crash/order-kill-site.ts';
import {
  goToBank,
  orderWith,
  refuteStep,
  refuteUndone,
  type Step,
  saysPaid,
  undo,
} from '../support/crash/order-kill-steps.ts';
import type { Verdict } from '../support/issuer/three-ds.ts';

// Orders whose payers choose at the bank when the kill comes: their gift cards are held, and no acquirer has been asked.

/** A payer at the bank, and what becomes of the order by what is chosen there afterwards. */
interface AtBank extends Pick<Step, 'name' | 'id' | 'cards' | 'onCards' | 'legs'> {
  readonly status: string;
  /** Chooses, and comes back. @returns what was wrong with the answer */
  choose(): Promise<string[]>;
}

/** What a payer has at first, what is held of it while the payer is at the bank, and what pays in the end. */
const ORDERS = [
  { what: 'two gift cards and a card', amount: 1000, onCards: [300, 200], held: '300/0/0/0 200/0/0/0', byCard: 500 },
  { what: 'a card alone', amount: 700, onCards: [], held: '', byCard: 700 },
] as const;

async function atBank(
  site: OrderKillSite,
  { what, amount, onCards, held, byCard }: (typeof ORDERS)[number],
  verdict: Verdict,
): Promise<AtBank> {
  const isApproved = verdict === 'Approved';
  const name = `${verdict}: ${what}`;
  const { id, cards, payer } = await orderWith(site, { amount, onCards });
  await goToBank(payer);
  return {
    name,
    id,
    cards,
    onCards,
    // Where the bank says no, the gift cards stay held for another card.
    legs: { nothing: held, failed: held, done: isApproved ? `${held} ${byCard}/0/0/0`.trim() : held },
    status: isApproved ? 'Paid' : 'Initialized',
    async choose() {
      await payer.decide(verdict);
      const answer = await payer.comeBack();
      const isAsChosen = isApproved ? saysPaid(answer) : answer.body?.outcome === 'Declined';
      return isAsChosen ? [] : [`${name}: the page says ${answer.text.slice(0, 300)}`];
    },
  };
}

/**
 * Kills while payers of orders choose at the bank, and lets them choose afterwards.
 *
 * @returns each promise that was broken, in words
 */
export async function killAtBank(site: OrderKillSite, victims: readonly OrderVictim[]): Promise<string[]> {
  const payers = await Promise.all(
    ORDERS.flatMap((order) => [atBank(site, order, 'Approved'), atBank(site, order, 'Declined')]),
  );
  await site.killAll(victims);
  await site.bringUp(victims);
  await site.lineIsThere();
  const wrong = (await Promise.all(payers.map((payer) => refuteStep(site, payer, ['nothing'])))).flat();
  wrong.push(...(await Promise.all(payers.map((payer) => payer.choose()))).flat());
  await site.settled();
  for (const payer of payers) {
    const { status } = await site.walks.orderOf(payer.id);
    if (status !== payer.status) wrong.push(`${payer.name}: it is ${status}, not ${payer.status}`);
    wrong.push(...(await refuteStep(site, payer, ['done'])));
  }
  wrong.push(...(await site.unlikeBooks()));
  for (const payer of payers) {
    await undo(site, payer.id);
    wrong.push(...(await refuteUndone(site, payer)));
  }
  return wrong;
}
