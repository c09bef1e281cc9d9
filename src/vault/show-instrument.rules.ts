import { brandOf } from '../kit/cards/brands.ts';
import { maskCardNumber } from '../kit/cards/card-number.ts';
import { Secret } from '../kit/secret.ts';
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
  if (draft.kind === 'Other') return { ...NOT_A_CARD, masked: maskOther(draft) };
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

/** The end of its first text that looks like an account, else the instrument's name. */
function maskOther({ instrument, parameters }: InstrumentDraft & { kind: 'Other' }): string {
  const account = parametersOf(parameters).find(([, text]) => looksLikeAccount(text));
  return account === undefined ? instrument : maskEnd(ungrouped(account[1]));
}

/** What belongs to an instrument of any name as it may be shown: an account's or a card's number by its end alone. */
export function showParameters(parameters: Secret): Readonly<Record<string, string>> {
  const shown = parametersOf(parameters).map(
    ([name, text]) => [name, looksLikeAccount(text) ? maskEnd(ungrouped(text)) : text] as const,
  );
  return Object.fromEntries(shown);
}

function parametersOf(parameters: Secret): readonly (readonly [name: string, text: string])[] {
  return JSON.parse(parameters.reveal()) as [string, string][];
}

/** Nine digits and more, as numbers of accounts, cards and telephones have, or an IBAN (ISO 13616), in whatever groups. */
const ACCOUNT = /^(?:\+?[0-9]{9,}|[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30})$/i;

function looksLikeAccount(text: string): boolean {
  return ACCOUNT.test(ungrouped(text).reveal());
}

function ungrouped(text: string): Secret {
  return new Secret(text.replace(/[\s./_-]/g, ''));
}

/** Characters of a domain that fit into a display name; a longer one is as good as none. */
const DOMAIN_CHARACTERS = 64;

/** Whether a text has as many digits as the shortest card number, whatever stands between them. */
function mayHideNumber(text: string): boolean {
  return text.replace(/\D/g, '').length >= 13;
}
