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

/**
 * An amount as people type it in any of the languages, in the smallest unit; undefined where it is none, or has more
 * decimals than the currency. The last point or comma parts the decimals, unless three digits follow that cannot be them.
 */
export function readAmount(text: string, currency: string): number | undefined {
  const decimals = decimalsOf(currency);
  const match = /^(\d[\d.,]*?)(?:[.,](\d+))?$/.exec(text.replaceAll(/[\s'’]/g, ''));
  if (match === null) return undefined;
  const [, whole = '', rest = ''] = match;
  const isGroup = rest.length === 3 && decimals !== 3;
  const part = isGroup ? '' : rest;
  if (part.length > decimals) return undefined;
  const digits = `${whole}${isGroup ? rest : ''}`.replaceAll(/[.,]/g, '');
  const minor = Number(`${digits}${part.padEnd(decimals, '0')}`);
  return Number.isSafeInteger(minor) ? minor : undefined;
}
