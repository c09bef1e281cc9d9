import { DELIVERY_ANSWER_CHARACTERS } from '../kit/limits.ts';
import type { EventJobsWorld, TakenDelivery } from './events.types.ts';
import type { TriedDelivery } from './settle-deliveries.ts';
import { deliveryBody } from './show-event.ts';
import { signedHeaders } from './signature.rules.ts';
import type { Taken } from './take-deliveries.ts';

/** Sends one event to a webhook, signed. Whatever happens is an outcome; nothing is thrown. */
export async function tryDelivery(
  { sender, maskCardNumbers }: Pick<EventJobsWorld, 'sender' | 'maskCardNumbers'>,
  { url, secrets }: Omit<Taken, 'deliveries'>,
  delivery: TakenDelivery,
): Promise<TriedDelivery> {
  const body = deliveryBody(delivery);
  const message = { id: delivery.eventId, timestamp: Math.floor(Date.now() / 1000), body };
  const outcome = await sender.send({ url, headers: signedHeaders(message, secrets), body });
  // What a receiver answers is stored, so it is cut, and a card number in it is masked (PCI DSS 4.0.1, 3.5.1).
  const answer = maskCardNumbers(outcome.answer.replaceAll('\0', '')).slice(0, DELIVERY_ANSWER_CHARACTERS);
  return { delivery, outcome: { ...outcome, answer } };
}
