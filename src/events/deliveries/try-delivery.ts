import { DELIVERY_ANSWER_CHARACTERS } from '../../kit/limits.ts';
import type { EventJobsContext, PostOutcome, TakenDelivery } from '../events.types.ts';
import { deliveryBody } from '../feed/show-event.ts';
import type { TriedDelivery } from './settle-deliveries.ts';
import { signedHeaders } from './signature.rules.ts';
import type { Taken } from './take-deliveries.ts';

/** What came of a try where something of ours failed: it counts as one, so that it does not go on for ever. */
const OUR_FAILURE: PostOutcome = { status: null, failure: 'internal-error', answer: '', durationMs: 0 };

/** Sends one event to a webhook, or makes one callback, signed. Whatever happens is an outcome; nothing is thrown. */
export async function tryDelivery(
  { background, sender, maskCardNumbers }: Pick<EventJobsContext, 'background' | 'sender' | 'maskCardNumbers'>,
  { secrets, webhook }: Pick<Taken, 'secrets' | 'webhook'>,
  delivery: TakenDelivery,
): Promise<TriedDelivery> {
  let outcome = OUR_FAILURE;
  await background.attempt('deliver-events', async () => {
    const isCallback = webhook.callbackOrigin !== null;
    const url = (isCallback && delivery.callbackUrl) || webhook.url;
    const body = deliveryBody(delivery, isCallback);
    const message = { id: delivery.eventId, timestamp: Math.floor(Date.now() / 1000), body };
    const sent = await sender.send({ url, headers: signedHeaders(message, secrets), body });
    // What a receiver answers is stored, so it is cut, and a card number in it is masked (PCI DSS 4.0.1, 3.5.1).
    const answer = maskCardNumbers(sent.answer.replaceAll('\0', '')).slice(0, DELIVERY_ANSWER_CHARACTERS);
    outcome = { ...sent, answer };
  });
  return { delivery, outcome };
}
