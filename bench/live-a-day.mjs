/** A day of a payee, lived by a service: what a database of years is copied of. */
import { loadOrders } from './measure-paid-orders.mjs';
import { askOnce } from './requests.mjs';

/** What is copied: payments of each fate, gift cards, card payments and orders that are not paid, and orders that gift cards have paid. */
export async function liveADay({ grouped, accounts }) {
  const ask = async (kind, about) => {
    const answer = await askOnce({ ...grouped, kind, ...about });
    if (!answer.ok) throw new Error(`${kind} was answered with ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const payments = [];
  for (const account of accounts.slice(0, 20)) {
    for (let each = 0; each < 5; each++) {
      const { paymentId } = await ask('authorize', { accounts: [account] });
      payments.push({ accountId: account.accountId, paymentId });
    }
  }
  const follow = async (verb, some, amount) => {
    for (const payment of some) await ask('follow-up', { verb, payments: [payment], amount });
  };
  await follow('capture', payments.slice(0, 70), 8);
  await follow('reversal', payments.slice(0, 20), 3);
  await follow('cancel', payments.slice(60, 80));
  for (let each = 0; each < 10; each++) {
    for (const kind of ['gift-card', 'card-payment', 'payment-order']) await ask(kind, { payeeId: grouped.payeeId });
  }
  await loadOrders(grouped, { kind: 'capture', count: { connections: 4, orders: 10, each: 2 } }, (run) => run());
}
