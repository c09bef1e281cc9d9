import { assert } from '../kit/assert.ts';
import { Secret } from '../kit/secret.ts';
import type { InstrumentContent, InstrumentKind } from './vault.types.ts';

/**
 * What is encrypted of an instrument: a card's number or an account's id as it is, the fields of the others as a JSON array.
 */
export function printContent(content: InstrumentContent): Secret {
  if (content.kind === 'Card') return content.number;
  if (content.kind === 'BankAccount') return content.accountId;
  const { instrument, payerReference } = content;
  if (content.kind === 'Other') {
    return new Secret(JSON.stringify([instrument, payerReference, content.parameters.reveal()]));
  }
  const { email, msisdn, zipCode } = content;
  const hidden = [email, msisdn, zipCode].map((field) => field?.reveal() ?? null);
  return new Secret(JSON.stringify([instrument, payerReference, ...hidden]));
}

/** The reverse of `printContent`. */
export function parseContent(kind: InstrumentKind, text: Secret): InstrumentContent {
  if (kind === 'Card') return { kind, number: text };
  if (kind === 'BankAccount') return { kind, accountId: text };
  const fields: unknown = JSON.parse(text.reveal());
  assert(Array.isArray(fields) && fields.length === (kind === 'Invoice' ? 5 : 3), 'what is opened has its fields');
  const [instrument, payerReference, ...hidden] = fields as (string | null)[];
  assert(instrument != null && payerReference != null, 'what is opened says what it is and whose');
  if (kind === 'Other') return { kind, instrument, payerReference, parameters: new Secret(hidden[0] ?? '[]') };
  const [email, msisdn, zipCode] = hidden;
  return { kind, instrument, payerReference, email: hide(email), msisdn: hide(msisdn), zipCode: hide(zipCode) };
}

/**
 * What is digested of an instrument, so that an equal one is found. A card's is its whole number (PCI DSS 4.0.1,
 * 3.5.1.1), not its expiry date, which a renewed card changes. The others begin with their kind, which no number does.
 */
export function identityOf(content: InstrumentContent): Secret {
  if (content.kind === 'Card') return content.number;
  return new Secret(`${content.kind}\0${printContent(content).reveal()}`);
}

function hide(field: string | null | undefined): Secret | undefined {
  return field == null ? undefined : new Secret(field);
}
