/** Currencies whose number of decimals is not two (ISO 4217). Browsers round some others, so theirs is never asked. */
const DECIMALS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    ['BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', 0] as const,
    ['BHD IQD JOD KWD LYD OMR TND', 3] as const,
    ['CLF UYW', 4] as const,
  ].flatMap(([codes, decimals]) => codes.split(' ').map((code) => [code, decimals])),
);

/** How many decimals a currency has: 2 for NOK, 0 for JPY. */
export const decimalsOf = (currency: string): number => DECIMALS[currency] ?? 2;

/** An amount as people write it, 12.5, in the smallest unit, 1250. */
export const toMinor = (amount: number, currency: string): number => Math.round(amount * 10 ** decimalsOf(currency));

/** An amount in the smallest unit, 1250, as people write it, 12.5. */
export const fromMinor = (amountMinor: number, currency: string): number => amountMinor / 10 ** decimalsOf(currency);

/** Digits, and behind a point or comma the decimals. */
const PLAIN = /^(\d+)(?:[.,](\d+))?$/;
/** The same with thousands in groups of three, all parted by one mark that does not part the decimals. */
const GROUPED = /^([1-9]\d{0,2}(?:([ '.,])\d{3})(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/;

/**
 * An amount as people type it in any of the languages, in the smallest unit; undefined where it is none, has more decimals than
 * its currency, or has a mark that could mean something else: `0.500`, `12,34,56`. `1.500` is one and a half where the currency
 * has three decimals, and else fifteen hundred.
 */
export function readAmount(text: string, currency: string): number | undefined {
  const decimals = decimalsOf(currency);
  const typed = text.trim().replaceAll(/\s/g, ' ').replaceAll('’', "'");
  const [, digits = '', part = ''] = PLAIN.exec(typed) ?? [];
  if (digits !== '' && part.length <= decimals) return minorOf(digits, part, decimals);
  const [, groups = '', , rest = ''] = GROUPED.exec(typed) ?? [];
  if (groups === '' || rest.length > decimals) return undefined;
  return minorOf(groups.replaceAll(/\D/g, ''), rest, decimals);
}

function minorOf(digits: string, part: string, decimals: number): number | undefined {
  const minor = Number(`${digits}${part.padEnd(decimals, '0')}`);
  return Number.isSafeInteger(minor) ? minor : undefined;
}
