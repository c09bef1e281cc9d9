import { freshCard } from '../support/numbers.ts';
import { type Receiver, startReceiver } from '../support/shop/receiver.ts';
import { done, type Filling } from './filling.ts';

/** Programs of the payee that events are posted to: one takes them, one refuses them. */
export async function fillWebhooks({ kontor }: Filling): Promise<readonly Receiver[]> {
  const [takes, refuses] = [await startReceiver(), await startReceiver()];
  refuses.behave(() => 500);
  const made = async (url: string, eventTypes: readonly string[]) =>
    done(await kontor.send('POST', '/webhooks', { body: { url, eventTypes, description: 'Orders' } }));
  await made(takes.url, ['payment-order.paid', 'payment.captured', 'settlement.*', 'dispute.*']);
  await made(refuses.url, ['payment.captured', 'payment-order.reversed']);
  return [takes, refuses];
}

/** Payments whose outcomes are posted to an address of their own. */
export async function fillCallbacks({ cards, walks }: Filling, [takes, refuses]: readonly Receiver[]): Promise<void> {
  for (const receiver of [takes, refuses]) {
    const urls = { completeUrl: 'https://shop.example/done', callbackUrl: receiver?.url };
    const id = await cards.purchase(1400, { urls });
    done(await cards.authorize(id, { cardNumber: freshCard('debit') }));
    const { payer } = await walks.walk({ urls });
    await payer.payByCard({ number: freshCard('debit') });
  }
}
