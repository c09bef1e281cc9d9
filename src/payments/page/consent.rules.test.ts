import { describe, expect, test } from 'vitest';
import type { TokenConsent } from '../payments.types.ts';
import { consentOf, tokensOfStored } from '../terms.rules.ts';
import type { OpenedPage, StoredCard } from './page.types.ts';
import { readPayForm } from './page-form.rules.ts';

const TYPES = ['Payment', 'Recurrence', 'TransactionOnFile', 'Unscheduled'] as const;
/** All sets of types that a payment can ask for. */
const SETS = Array.from({ length: 2 ** TYPES.length }, (_, bits) =>
  TYPES.filter((_type, index) => (bits >> index) & 1),
);
const CONSENTS: readonly (TokenConsent | undefined)[] = [undefined, 'Required', 'Optional'];
const CASES = SETS.flatMap((generate) => CONSENTS.map((tokenConsent) => ({ generate, tokenConsent })));

/** The same in the words of the contract, written down once more. */
function model({ generate, tokenConsent }: (typeof CASES)[number]): 'must' | 'may' | 'nothing' {
  if (generate.length === 0) return 'nothing';
  if (tokenConsent !== undefined) return tokenConsent === 'Required' ? 'must' : 'may';
  return generate.some((type) => ['Recurrence', 'Unscheduled'].includes(type)) ? 'must' : 'may';
}

const stored = { token: 'stored', brand: 'Visa' } as unknown as StoredCard;

/** What a form comes to on a payment with these terms. */
function read(terms: (typeof CASES)[number], fields: Readonly<Record<string, string>>) {
  const payment = { terms: { ...terms, cards: {} } };
  const page = {
    payment,
    storedCards: [stored],
    now: '2026-11-22T00:00:00.000Z',
    cardPrefixes: [],
  } as unknown as OpenedPage & { cardPrefixes: [] };
  const sent = { number: '4925000000000004', expiry: '12/39', cvc: '123', ...fields };
  return readPayForm(new Map(Object.entries(sent)), page);
}

describe('of every set of tokens and every wish of the payee', () => {
  test.each(CASES)('$generate with $tokenConsent', (terms) => {
    const what = model(terms);
    const payment = terms as unknown as OpenedPage['payment']['terms'];
    expect(consentOf(payment)).toBe({ must: 'Required', may: 'Optional', nothing: undefined }[what]);
    expect(read(terms, { consent: 'yes' })).toMatchObject({ faults: undefined, tokenTypes: terms.generate });
    expect(read(terms, {})).toMatchObject(
      what === 'must' ? { faults: { consent: 'consentMissing' } } : { faults: undefined, tokenTypes: [] },
    );
    // A stored card asks for nothing, and is charged later only where the page says that it will be.
    expect(read(terms, { card: 'stored' }).faults).toBeUndefined();
    const kept = terms.generate.filter((type) => what === 'must' || type === 'Payment');
    expect(tokensOfStored(payment)).toEqual(kept);
  });
});
