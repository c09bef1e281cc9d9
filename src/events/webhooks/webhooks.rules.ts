import type { Config } from '../../config.ts';
import { EVENT_CHOICES } from '../../journal/events.rules.ts';
import type { AssociatedData } from '../../keys/keys.types.ts';
import { namesUser, normalAddress } from '../../kit/addresses/address.ts';
import { inputError, type Refusal } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { RECEIVER_PORTS, WEBHOOK_URL_CHARACTERS } from '../../kit/limits.ts';
import type { SealedSigningSecret, WebhookId } from '../events.types.ts';

/** Where a secret is stored: sealed for this place, it opens nowhere else. */
export function associatedDataOfSigningSecret({
  payeeId,
  secretId,
}: Omit<SealedSigningSecret, 'sealed'>): AssociatedData {
  return { purpose: 'secrets', payeeId, rowId: secretId, field: 'signing_secret.sealed' };
}

/** The text as a webhook's id in lower case, or undefined where it is none. */
export function parseWebhookId(text: string): WebhookId | undefined {
  return isUuid(text) ? (text.toLowerCase() as WebhookId) : undefined;
}

/** The text as an event's position in the feed, or undefined where it is none. */
export function parsePosition(text: string): number | undefined {
  return /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined;
}

/**
 * The address of a webhook in its normal form. Where its host leads is looked at when a connection is made, because that
 * can change at any time.
 *
 * @throws Refusal `inputerror` where it cannot be one
 */
export function readAddress(text: string, mode: Config['mode']): string {
  const address = normalAddress(text, WEBHOOK_URL_CHARACTERS);
  if (address === undefined) {
    throw inputError('url', `must be an absolute address of at most ${WEBHOOK_URL_CHARACTERS} characters`);
  }
  const wrong = wrongAddress(new URL(address), mode);
  if (wrong !== undefined) throw inputError('url', wrong);
  return address;
}

function wrongAddress(url: URL, mode: Config['mode']): string | undefined {
  if (url.protocol !== 'https:' && !(mode === 'sandbox' && url.protocol === 'http:')) {
    return 'must begin with https:// (in the sandbox also http://)';
  }
  if (namesUser(url)) return 'must not hold a user or a password';
  if (url.hash !== '') return 'must not have a fragment';
  return mode === 'production' && !RECEIVER_PORTS.includes(url.port) ? 'must use the port 443 or 8443' : undefined;
}

/** What is wrong with the event types that a webhook asks for; undefined where nothing is. */
export function checkEventTypes(types: readonly string[]): Refusal | undefined {
  const unknown = types.findIndex((type) => !EVENT_CHOICES.includes(type));
  if (unknown === -1) return undefined;
  return inputError(`eventTypes[${unknown}]`, `must be one of ${EVENT_CHOICES.join(', ')}`);
}
