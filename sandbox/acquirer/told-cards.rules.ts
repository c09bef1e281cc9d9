import type { Dialect } from '../../src/iso8583/dialects/dialect.types.ts';
import type { Planned } from './behaviour.rules.ts';
import type { HostMessage } from './host-frames.ts';
import { testSuccessorOf } from './test-values.ts';

/** Years that a renewed card is good for beyond the one before. */
const YEARS = 3;

/** An answer that says that the card was replaced or closed, where that is planned and the dialect has words for it. */
export function tellOfCard(
  planned: Planned | undefined,
  { fields: { cardNumber = '', expiry = '2912' } }: HostMessage,
  answer: HostMessage,
  { cardUpdates }: Dialect,
): HostMessage {
  const updatedNumber = testSuccessorOf(cardNumber);
  const updatedExpiry = String(Number(expiry) + 100 * YEARS).padStart(4, '0');
  const [replaced = '', closed = ''] = [cardUpdates?.replaced[0], cardUpdates?.closed[0]];
  const told = (tags: HostMessage['tags']) => ({ ...answer, tags: { ...answer.tags, ...tags } });
  switch (planned?.does) {
    case 'CardReplaced':
      return told({ updateCode: replaced, updatedNumber, updatedExpiry });
    case 'CardRenewed':
      return told({ updateCode: replaced, updatedExpiry });
    case 'CardClosed':
      return told({ updateCode: closed });
    case 'CardUnreadable':
      return told({ updateCode: replaced, updatedNumber: withOtherCheckDigit(updatedNumber), updatedExpiry });
    default:
      return answer;
  }
}

function withOtherCheckDigit(number: string): string {
  return number.slice(0, -1) + String((Number(number.slice(-1)) + 1) % 10);
}
