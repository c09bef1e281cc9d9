import { maskCardNumber } from '../kit/card-number.ts';
import type { Secret } from '../kit/secret.ts';
import { brandOf } from './brands.rules.ts';
import type { InstrumentDraft, ShownInstrument } from './vault.types.ts';

const NOT_A_CARD = {
  brand: null,
  bin: null,
  lastFour: null,
  cardType: null,
  holderType: null,
  issuerName: null,
  countryCode: null,
} as const;

/** What of an instrument may be shown and is stored in the clear. */
export function showDraft(draft: InstrumentDraft): ShownInstrument {
  if (draft.kind === 'BankAccount') return { ...NOT_A_CARD, masked: maskEnd(draft.accountId) };
  if (draft.kind === 'Invoice') return { ...NOT_A_CARD, masked: maskInvoice(draft) };
  const number = draft.number.reveal();
  const masked = maskCardNumber(number);
  const { range } = draft;
  return {
    brand: range?.brand ?? brandOf(number) ?? null,
    // A short number's mask hides its first digits; showing them beside it would undo that.
    bin: masked.startsWith('*') ? null : number.slice(0, 6),
    lastFour: number.slice(-4),
    cardType: range?.cardType ?? null,
    holderType: range?.holderType ?? null,
    issuerName: range?.issuerName ?? null,
    countryCode: range?.countryCode ?? null,
    masked,
  };
}

/** All but the last four characters hidden; all of a text that has no more than that. */
function maskEnd(text: Secret): string {
  const characters = [...text.reveal()];
  const hidden = characters.length > 4 ? characters.length - 4 : characters.length;
  return '*'.repeat(hidden) + characters.slice(hidden).join('');
}

/** The telephone number's end, else the first letter and the domain of the e-mail address, else the instrument's name. */
function maskInvoice({ instrument, email, msisdn }: InstrumentDraft & { kind: 'Invoice' }): string {
  if (msisdn !== undefined) return maskEnd(msisdn);
  if (email === undefined) return instrument;
  const address = email.reveal();
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const isShowable = address.includes('@') && domain.length <= DOMAIN_CHARACTERS && !mayHideNumber(domain);
  return isShowable ? `${[...address][0]}***@${domain}` : instrument;
}

/** Characters of a domain that fit into a display name; a longer one is as good as none. */
const DOMAIN_CHARACTERS = 64;

/** Whether a text has as many digits as the shortest card number, whatever stands between them. */
function mayHideNumber(text: string): boolean {
  return text.replace(/\D/g, '').length >= 13;
}
