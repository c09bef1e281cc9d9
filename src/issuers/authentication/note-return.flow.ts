import { findAuthenticationNamed } from './authentications.ts';
import { isTransactionId, parseMessage } from './message-form.rules.ts';
import type { ThreeDS } from './three-ds.types.ts';
import { tracedThreeDS } from './traced-messages.rules.ts';

/** Characters of a CRes that are looked at; it has some hundred. */
const CRES_CHARACTERS = 4_096;

/**
 * Tells the trace the CRes that a browser has brought back. Anyone can post one: it is told where both its ids are those of a
 * challenge that a browser was led to, and it changes nothing.
 */
export async function noteReturn({ read, trace }: Pick<ThreeDS, 'read' | 'trace'>, text: string): Promise<void> {
  if (trace === undefined || text.length > CRES_CHARACTERS) return;
  const message = parseMessage(text);
  const serverTransactionId = message?.['threeDSServerTransID'];
  if (message?.['messageType'] !== 'CRes' || !isTransactionId(serverTransactionId)) return;
  const known = await findAuthenticationNamed(read, String(serverTransactionId).toLowerCase());
  const acsTransactionId = String(message['acsTransID']).toLowerCase();
  if (known === undefined || !known.isChallengeShown || known.acsTransactionId !== acsTransactionId) return;
  const traced = tracedThreeDS({ scheme: known.scheme, site: 'browser', isOurs: false, message });
  trace({ ...traced, dsTransactionId: known.dsTransactionId });
}
