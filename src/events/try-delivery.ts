import { DELIVERY_ANSWER_CHARACTERS } from '../kit/limits.ts';
import type { EventJobsWorld } from './events.types.ts';
import type { TriedDelivery } from './settle-deliveries.ts';
import { signedHeaders } from './signature.rules.ts';
import type { AddressedDelivery, Taken } from './take-deliveries.ts';

/** Sends one event to a webhook, or makes one callback, signed. Whatever happens is an outcome; nothing is thrown. */
export async function tryDelivery(
  { sender, maskCardNumbers }: Pick<EventJobsWorld, 'sender' | 'maskCardNumbers'>,
  { secrets }: Pick<Taken, 'secrets'>,
  delivery: AddressedDelivery,
): Promise<TriedDelivery> {
  const { url, body } = delivery;
  const message = { id: delivery.eventId, timestamp: Math.floor(Date.now() / 1000), body };
  const outcome = await sender.send({ url, headers: signedHeaders(message, secrets), body });
  // What a receiver answers is stored, so it is cut, and a card number in it is masked (PCI DSS 4.0.1, 3.5.1).
  const answer = maskCardNumbers(outcome.answer.replaceAll('\0', '')).slice(0, DELIVERY_ANSWER_CHARACTERS);
  return { delivery, outcome: { ...outcome, answer } };
}
